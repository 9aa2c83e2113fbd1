"""What rules write to `calls`: who draws, and how a round came out."""

from typing import ClassVar

from schemas.cards import Side
from schemas.events import RoundFact
from schemas.facts.results import RoundResult


class DrawCalled(RoundFact, frozen=True, kw_only=True):
    """`side` draws a third card. `through`: how many card facts of the round this call was made from."""

    type: ClassVar[str] = "draw.called"
    through: int
    side: Side
    player_total: int
    banker_total: int
    player_third_points: int | None


class RoundDecided(RoundResult, frozen=True, kw_only=True):
    """Nobody draws any more: the result, for the shoe to write as `round.ended`; `through` as in `draw.called`."""

    type: ClassVar[str] = "round.decided"
    through: int
