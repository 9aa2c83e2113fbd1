"""The demo's dealer console: what it asks for next at a table. Pure: it knows what the streams say and nothing else.

So it can be stopped anywhere: started again it reads the same facts and asks for the same thing under the same identity
(a UUID made from what the request is about), and a request that was answered before changes nothing.
"""

import uuid
from typing import Final, Literal

import msgspec

from schemas.limits import BetLimits, Limits
from schemas.requests import BettingClose, ConsoleRequest, RoundOpen, ShoeLoad, TableOpen
from services.floor.play_and_books import Books, Play, betting_is_open, is_settled

PIT: Final = "demo"
# The tables of the demo and their house rules.
TABLES: Final = {"macau-1": "macau", "sjm-1": "macau-sjm", "online-1": "six-deck-online"}
OPERATOR: Final = "dealer-demo"

Step = Literal["open the table", "load a shoe", "open a round", "close betting"]

_NAMESPACE: Final = uuid.UUID("0f2c8a52-7f0e-4e39-8f1e-5d5b8f6f5c11")
# Hong Kong dollars in cents: payable in 5 dollars, main bets from 300 to 300,000, the others from 100 to 20,000.
_MAIN: Final = BetLimits(minimum_minor=30_000, maximum_minor=30_000_000)
_OTHER: Final = BetLimits(minimum_minor=10_000, maximum_minor=2_000_000)
_PAIRS: Final = {"player_pair": _OTHER, "banker_pair": _OTHER}


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How long betting lasts and the table rests between rounds; flat out it closes when a wager was answered."""

    betting_seconds: float
    rest_seconds: float
    closes_when_answered: bool


FOR_PEOPLE: Final = Pace(betting_seconds=4.0, rest_seconds=5.0, closes_when_answered=False)
FLAT_OUT: Final = Pace(betting_seconds=5.0, rest_seconds=0.0, closes_when_answered=True)


def limits_of(table: str) -> Limits:
    """The limits that the demo opens a table with."""
    pairs = {} if TABLES[table] == "six-deck-online" else _PAIRS
    bets = {"player": _MAIN, "banker": _MAIN, "tie": _OTHER, **pairs}
    return Limits(currency="HKD", unit_minor=500, bets=bets)


def next_step(play: Play, books: Books, *, pace: Pace, waited_seconds: float, rounds: int | None) -> Step | None:
    """What the console asks for, or None to wait. `rounds`: no round is opened when so many are settled."""
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
    # The shoe ends itself after its last round; until it says so there is nothing to ask for.
    if play.last_round and play.round_number and not play.shuffled_every_round:
        return None
    return "open a round" if waited_seconds >= pace.rest_seconds or not play.round_number else None


def identity(step: Step, play: Play, books: Books) -> str:
    """The identity of a step's request: the same as long as it is about the same; after a refusal it is a new one."""
    refusals = play.refusals + books.refusals
    about = f"{play.table}/{step}/{play.openings}/{play.shoe_number}/{play.round_number}/{refusals}"
    return str(uuid.uuid5(_NAMESPACE, about))


def request_for(step: Step, play: Play, *, wagers_through: str) -> ConsoleRequest:
    """The request of a step."""
    match step:
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
