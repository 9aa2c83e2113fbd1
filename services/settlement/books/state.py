"""One table's books: all that settlement knows between two entries."""

from typing import Literal

from msgspec import Struct

from schemas.events import RoundFact
from schemas.limits import Limits
from schemas.requests import SettlementAdjust
from services.decider.memory import RequestMemory
from services.decider.part import Part
from services.settlement.books.layout import Layout
from services.settlement.books.stakes import EndedStake
from services.settlement.books.terms import TermsByRound


class Round(Struct, frozen=True):
    """The last round opened in the present shoe. Before the first round, or the first shoe, its number is 0.

    In phase `open` its books take wagers. A demonstration round has no books, whatever its phase.
    """

    shoe_number: int = 0
    round_number: int = 0
    phase: Literal["open", "books_closed", "settled"] = "settled"
    demonstration: bool = False


class Sums(Struct, frozen=True, omit_defaults=True):
    """The money of a round before its result. `handed_back_minor`: what was cancelled, taken off or cut."""

    placed_minor: int = 0
    carried_in_minor: int = 0
    handed_back_minor: int = 0


class SettledRound(Struct, frozen=True, omit_defaults=True):
    """A settled betting round that may still be corrected, stored under its generation. Its stakes are kept as long."""

    shoe_number: int
    round_number: int
    sums: Sums
    carried_out_minor: int = 0
    revision: int = 0


class Seat(Struct, frozen=True):
    """A taken seat, stored under its number."""

    bettor_id: str


class State(Struct, frozen=True, omit_defaults=True):
    """One table's books.

    `generation`: how many betting rounds are settled. `carried_by`: shoe and round number of the last of them.
    `free_rounds`: how many rounds in a row had no stake. `sums`: of the round in play, or of the next one.
    `wagers_taken`: how many wagers made, changed or cancelled a stake. It is the `order` of the next one.
    `wagers_seen`: how many wagers were answered in this round. `console_seen`: how many console requests ever were.
    `next_limits`: limits that come into force with the next round, under their version.
    `layout`: the stakes in play. `settled`: stakes that have ended, kept as long as their round can be corrected.
    `seen`: the wagers of this betting round and of the one before. `seen_on_console`: the last console requests.
    Terms and limits are parts because they are large: all that is no part is written with nearly every step.
    """

    table: str
    is_open: bool = False
    held: bool = False
    seats_offered: int = 0
    round: Round = Round()
    generation: int = 0
    carried_by: tuple[int, int] = (0, 0)
    free_rounds: int = 0
    sums: Sums = Sums()
    wagers_taken: int = 0
    wagers_seen: int = 0
    console_seen: int = 0
    terms: TermsByRound = TermsByRound()
    next_limits: Part[Limits] = Part()
    layout: Layout = Layout()
    settled: Part[EndedStake] = Part()
    seats: Part[Seat] = Part()
    settled_rounds: Part[SettledRound] = Part()
    seen: RequestMemory = RequestMemory()
    seen_on_console: RequestMemory = RequestMemory()


def generation_of(state: State, about: RoundFact | SettlementAdjust) -> int | None:
    """The generation of a settled betting round that can still be corrected. None: there is no such round."""
    for generation, known in state.settled_rounds.items():
        if (known.shoe_number, known.round_number) == (about.shoe_number, about.round_number):
            return int(generation)
    return None
