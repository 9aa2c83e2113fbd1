"""The demo's dealer: what its console asks for next at a table. Pure: it decides by the facts alone.

So the demo may be stopped at any moment. When it starts again, it reads the same facts and sends the same request under
the same identity, which is a UUID made from what the request is about. If that request was answered before, nothing
changes.
"""

import uuid
from typing import Final, Literal

import msgspec

from schemas.requests import BettingClose, ConsoleRequest, RoundOpen, ShoeLoad, TableOpen
from services.floor.books_of_table import Books, betting_is_open, is_settled
from services.floor.demo.tables import TABLES, limits_of
from services.floor.play_of_table import Play

OPERATOR: Final = "dealer-demo"

Move = Literal["open the table", "load a shoe", "open a round", "close betting"]

_NAMESPACE: Final = uuid.UUID("0f2c8a52-7f0e-4e39-8f1e-5d5b8f6f5c11")


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How long betting lasts, and how long a table rests between rounds.

    `closes_when_answered`: betting closes as soon as one wager has its answer.
    """

    betting_seconds: float
    rest_seconds: float
    closes_when_answered: bool


FOR_PEOPLE: Final = Pace(betting_seconds=4.0, rest_seconds=5.0, closes_when_answered=False)
FLAT_OUT: Final = Pace(betting_seconds=5.0, rest_seconds=0.0, closes_when_answered=True)


def next_move(play: Play, books: Books, *, pace: Pace, waited_seconds: float, rounds: int | None) -> Move | None:
    """What the dealer does next, or None to wait. When `rounds` are settled no round is opened any more."""
    if not play.is_open:
        return "open the table"
    if not is_settled(play, books):
        if not betting_is_open(play, books):
            return None
        answered = books.answered if books.round == play.round else 0
        if (pace.closes_when_answered and answered) or waited_seconds >= pace.betting_seconds:
            return "close betting"
        return None
    if rounds is not None and books.rounds >= rounds:
        return None
    if not play.shoe_runs:
        return "load a shoe"
    # The shoe service ends a shoe after its last round. Until it has written that there is nothing to ask for.
    if play.last_round and play.round_number and not play.shuffled_every_round:
        return None
    return "open a round" if waited_seconds >= pace.rest_seconds or not play.round_number else None


def identity(move: Move, play: Play, books: Books) -> str:
    """The identity of a move's request. After a refusal the same move gets a new identity."""
    refusals = play.refusals + books.refusals
    about = f"{play.table}/{move}/{play.openings}/{play.shoe_number}/{play.round_number}/{refusals}"
    return str(uuid.uuid5(_NAMESPACE, about))


def request_for(move: Move, play: Play, *, wagers_through: str) -> ConsoleRequest:
    """The request of a move."""
    match move:
        case "open the table":
            return TableOpen(
                table=play.table,
                operator=OPERATOR,
                house_rules=TABLES[play.table],
                limits=limits_of(play.table),
            )
        case "load a shoe":
            return ShoeLoad(
                table=play.table,
                operator=OPERATOR,
                shoe_number=play.shoe_number + 1,
                kind="virtual",
                shuffled_by="the operating system's generator",
                cut_by=None if play.shuffled_every_round else OPERATOR,
                cut_at=None if play.shuffled_every_round else 26 * play.decks,
            )
        case "open a round":
            return RoundOpen(
                table=play.table,
                operator=OPERATOR,
                shoe_number=play.shoe_number,
                round_number=play.round_number + 1,
            )
        case "close betting":
            return BettingClose(
                table=play.table,
                operator=OPERATOR,
                shoe_number=play.shoe_number,
                round_number=play.round_number,
                wagers_through=wagers_through,
            )
