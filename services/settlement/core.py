"""Settlement: what becomes of every bet. It answers wagers, closes the books, and pays when the shoe ends a round.

    round   round.opened ─► open ─betting.closed─► books_closed ─round.ended─► settled ─► the next round.opened
                             └────────────────── round.voided ────────────────▲   │
                                                                              └───┘ a revision of the round's end
    stake   bet.accepted ─► on the layout ─bets.settled─► ended: won, lost, push, returned
                             │ ▲ bet.changed, stake.reduced   └─ carried: on the layout of the next round
                             └─┴─ bet.cancelled, stake.returned ─► ended
    seat    free ─seat.taken─► its bettor's ─seat.left─► free

A wager's identity stays known until one more betting round is settled. A stake stays known as long as its round can be
corrected.
"""

from collections.abc import Sequence
from typing import Final

from schemas.codec import Entry
from schemas.facts import BetsFact, HouseRulesChanged, RoundEnded, RoundVoided, TableClosed
from schemas.requests import BetCancel, BetChange, BetPlace, BettingClose, SeatLeave, SeatTake, SettlementAdjust
from services.decider.memory import Seen, repeated
from services.decider.refusal import Refusal, refused
from services.settlement.books.evolve import evolve
from services.settlement.books.notes import ConsoleAnswered, Outcome, WagerAnswered
from services.settlement.books.state import State
from services.settlement.decisions.adjusting import adjust
from services.settlement.decisions.closing import close_books
from services.settlement.decisions.restating import restate
from services.settlement.decisions.seats import leave_seat, seats_given_up, take_seat
from services.settlement.decisions.settling import returned_stakes, settle
from services.settlement.decisions.wagers import Wager, answer_wager, rejected

__all__ = ["State", "decide", "evolve"]

_Request = BettingClose | SeatTake | SeatLeave | SettlementAdjust

WAGERS_PER_STAKE: Final = 4  # wagers that a table answers in a round, for each stake it may have
_NEVER_OPENED: Final = Refusal("unknown_table", "the table was never opened")


def decide(state: State, entry: Entry) -> list[Outcome]:
    """What this entry brings about. A fact of the shoe stands in the state already."""
    match entry.event:
        case BetPlace() | BetChange() | BetCancel() as wager:
            return _answer_wager(state, entry, wager)
        case BettingClose() | SeatTake() | SeatLeave() | SettlementAdjust() as request:
            return _answer_console(state, entry, request)
        case RoundEnded() | RoundVoided() as end:
            return [*(restate(state, end) if end.revision else settle(state, end))]
        case HouseRulesChanged():
            return [*returned_stakes(state, "house_rules_changed")]
        case TableClosed():
            return [*returned_stakes(state, "table_closed"), *seats_given_up(state)]
        case _:  # the other facts of the shoe ask nothing of the books
            return []


def _answer_wager(state: State, entry: Entry, wager: Wager) -> list[Outcome]:
    """A copy of a known wager is told so first, whatever has happened since then.

    A table that was never opened remembers nothing.
    """
    if not state.terms:
        return [rejected(wager, _NEVER_OPENED)]
    if first := state.seen.first_copy(entry):
        return [repeated(entry, first) or rejected(wager, _other_data(first))]
    most = WAGERS_PER_STAKE * state.terms.in_force.limits.max_stakes
    if state.wagers_seen >= most:
        return [rejected(wager, Refusal("round_full", f"at most {most} wagers a round"))]
    answer = answer_wager(state, wager)
    return [
        WagerAnswered(Seen(entry.identity, entry.digest, entry.place, state.generation)),
        rejected(wager, answer) if isinstance(answer, Refusal) else answer,
    ]


def _answer_console(state: State, entry: Entry, request: _Request) -> list[Outcome]:
    """The same for a console request. A table remembers the last ones, and not by rounds."""
    if not state.terms:
        return [refused(entry, _NEVER_OPENED)]
    if first := state.seen_on_console.first_copy(entry):
        return [repeated(entry, first) or refused(entry, _other_data(first))]
    answer = _decide_request(state, request)
    return [
        ConsoleAnswered(Seen(entry.identity, entry.digest, entry.place)),
        *([refused(entry, answer)] if isinstance(answer, Refusal) else answer),
    ]


def _decide_request(state: State, request: _Request) -> Sequence[BetsFact] | Refusal:
    match request:
        case BettingClose():
            return close_books(state, request)
        case SeatTake():
            answer: BetsFact | Refusal = take_seat(state, request)
        case SeatLeave():
            answer = leave_seat(state, request)
        case SettlementAdjust():
            answer = adjust(state, request)
    return answer if isinstance(answer, Refusal) else [answer]


def _other_data(first: Seen) -> Refusal:
    return Refusal("id_reused", f"this identity's first request is {first.place}")
