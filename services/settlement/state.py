"""One table's books: what settlement knows between two entries, and the notes that it takes for itself."""

from typing import Final

from msgspec import Struct

from schemas.limits import Limits
from schemas.requests import BettingClose, WagerRequest
from services.decider.refusal import Refusal
from services.settlement.records import Seat, Seen, SettledRound, Stake, Sums, Terms
from services.settlement.rounds import Round, refusal_of_round

IN_FORCE: Final = "in_force"  # terms of settled rounds stand under the generation in which they went out of force
HELD: Final = Refusal("table_held", "the table is held")


class State(Struct, frozen=True, omit_defaults=True):
    """One table's books. `generation` counts settled betting rounds, `carried_by` is the last of them.

    `wagers_taken` counts accepted and changed stakes and gives them their order. `terms` are a record of their own to
    keep the head small; `next_limits`, under their version, come into force with the next round.
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
    terms: dict[str, Terms] = {}
    next_limits: dict[str, Limits] = {}
    stakes: dict[str, Stake] = {}
    seats: dict[str, Seat] = {}
    settled_rounds: dict[str, SettledRound] = {}
    seen: dict[str, Seen] = {}
    seen_on_console: dict[str, Seen] = {}


class WagerSeen(Struct, frozen=True):
    """A wager is answered in this step and must not be answered so again."""

    identity: str
    seen: Seen


class ConsoleSeen(Struct, frozen=True):
    """The same of a console request."""

    identity: str
    seen: Seen


def terms_in_force(state: State) -> Terms:
    """The terms of the round in play, or of the next one as far as they are known."""
    return state.terms[IN_FORCE]


def terms_of(state: State, generation: int) -> Terms:
    """The terms under which the betting round of this generation was played."""
    ended_in = [int(key) for key in state.terms if key != IN_FORCE and int(key) > generation]
    return state.terms[str(min(ended_in)) if ended_in else IN_FORCE]


def on_layout(state: State) -> dict[str, Stake]:
    """The stakes that the present round will settle, in the order they were accepted, carried ones first."""
    return dict(sorted(live(state).items(), key=lambda item: item[1].order))


def live(state: State) -> dict[str, Stake]:
    """The same in no order: what a wager is held against, and there are many of them."""
    present = state.generation
    return {name: stake for name, stake in state.stakes.items() if stake.generation == present and stake.amount_minor}


def refusal_of_books(state: State, request: BettingClose | WagerRequest) -> Refusal | None:
    """Why the round's books take nothing now; a held table says so of everything but what is long over."""
    if not state.is_open:
        return Refusal("table_not_open", "the table is closed")
    refusal = refusal_of_round(state.round, request.shoe_number, request.round_number)
    if state.held and not (refusal and refusal.reason == "expired"):
        return HELD
    return refusal
