"""How a round came out: what rules decide and the shoe writes down."""

from schemas.cards import Card, Result
from schemas.events import RoundFact


class RoundResult(RoundFact, frozen=True, kw_only=True):
    """How a round came out. `revision` 0 is the first; totals are 0 to 9."""

    revision: int
    result: Result
    player_cards: tuple[Card, ...]
    banker_cards: tuple[Card, ...]
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    demonstration: bool
