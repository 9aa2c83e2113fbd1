"""Settlement: what became of every bet. Answers wagers and `betting.close`, pays on the shoe's end of a round.

    round   round.opened ─► open ─betting.closed─► closed ─round.ended─► settled ─► the next round.opened
                             └──────────────── round.voided ──────────────▲   │
                                                                          └───┘ round.ended, round.voided: a revision
    stake   bet.accepted ─► on the layout ─bets.settled─► ended: won, lost, push, returned
                             │ ▲ bet.changed, stake.reduced   └─ carried: on the layout of the next round
                             └─┴─ bet.cancelled, stake.returned ─► ended
    seat    free ─seat.taken─► its bettor's ─seat.left─► free

A request's identity stays known until one more betting round is settled, a stake while its round can be corrected.
"""

from typing import Final

from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import (
    HouseRulesChanged,
    RequestRepeated,
    RoundEnded,
    RoundVoided,
    TableClosed,
)
from schemas.requests import BetCancel, BetChange, BetPlace, BettingClose, SeatLeave, SeatTake, SettlementAdjust
from services.decider.refusal import Refusal, refused
from services.settlement import console
from services.settlement.corrections import restated
from services.settlement.evolution import evolve
from services.settlement.records import Seen, Sums
from services.settlement.seats import given_up, refusal_of_seat
from services.settlement.settling import closing_facts, returned_stakes, settled_bets, void_bets
from services.settlement.state import ConsoleSeen, State, WagerSeen, live, on_layout, refusal_of_books, terms_in_force
from services.settlement.wagers import Wager, answer, rejected

__all__ = ["State", "decide", "evolve"]

IDENTITIES_PER_STAKE: Final = 4  # wagers that a table remembers in a round, for each stake it may have
_NEVER_OPENED: Final = Refusal("unknown_table", "the table was never opened")


def decide(state: State, entry: Entry) -> list[object]:
    """What this entry brings about; a sister's fact is evolved before."""
    match entry.event:
        case BetPlace() | BetChange() | BetCancel() as wager:
            return _answer_wager(state, entry, wager)
        case BettingClose() | SeatTake() | SeatLeave() | SettlementAdjust() as request:
            return _answer_console(state, entry, request)
        case RoundEnded() | RoundVoided() as end:
            return [*(restated(state, end) if end.revision else _settle(state, end))]
        case HouseRulesChanged():
            return [*returned_stakes(state.table, state.carried_by, on_layout(state), "house_rules_changed")]
        case TableClosed():
            carried = returned_stakes(state.table, state.carried_by, on_layout(state), "table_closed")
            return [*carried, *given_up(state.table, state.seats)]
        case _:  # the other facts of the shoe ask nothing of the books
            return []


def _answer_wager(state: State, entry: Entry, wager: Wager) -> list[object]:
    """Identity first: a repeat is told so whatever has happened since. A table never opened remembers nobody."""
    if not state.terms:
        return [rejected(wager, _NEVER_OPENED)]
    identity = entry.identity
    if first := state.seen.get(identity):
        copy = _answer_to_copy(entry, first)
        return [rejected(wager, copy) if isinstance(copy, Refusal) else copy]
    terms = terms_in_force(state)
    identities_max = IDENTITIES_PER_STAKE * terms.limits.max_stakes
    if state.wagers_seen >= identities_max:
        return [rejected(wager, Refusal("round_full", f"at most {identities_max} wagers a round"))]
    outcome = _refusal_of_wager(state, wager) or answer(wager, terms, live(state))
    return [
        WagerSeen(identity, Seen(entry.digest, entry.place, state.generation)),
        rejected(wager, outcome) if isinstance(outcome, Refusal) else outcome,
    ]


def _refusal_of_wager(state: State, wager: Wager) -> Refusal | None:
    """Why the books, the stakes known or the seats do not let a wager be judged by its bet and amount."""
    refusal = refusal_of_books(state, wager)
    if isinstance(wager, BetPlace):
        expired = refusal is not None and refusal.reason == "expired"
        if wager.bet_id in state.stakes and not expired:
            return Refusal("id_reused", "this bet_id is another stake's")
        return refusal or refusal_of_seat(state, wager.seat, wager.bettor_id)
    return refusal


def _answer_console(state: State, entry: Entry, request: console.ConsoleRequest) -> list[object]:
    if not state.terms:
        return [refused(entry, _NEVER_OPENED)]
    identity = entry.identity
    if first := state.seen_on_console.get(identity):
        copy = _answer_to_copy(entry, first)
        return [refused(entry, copy) if isinstance(copy, Refusal) else copy]
    outcome = console.answer(state, request)
    return [
        ConsoleSeen(identity, Seen(entry.digest, entry.place, state.console_seen + 1)),
        *([refused(entry, outcome)] if isinstance(outcome, Refusal) else outcome),
    ]


def _answer_to_copy(entry: Entry, first: Seen) -> RequestRepeated | Refusal:
    if first.digest != entry.digest:
        return Refusal("id_reused", f"this identity's first request is {first.place}")
    return RequestRepeated(table=entry.event.table, request_id=entry.id, request_type=entry.type, first=first.place)


def _settle(state: State, end: RoundEnded | RoundVoided) -> list[Fact]:
    """A demonstration round has no books: its sums are zero, and carried stakes pass over it (article 2)."""
    assert (end.shoe_number, end.round_number) == (state.round.shoe_number, state.round.round_number)
    assert state.round.phase != "settled", "a round is settled once"
    if state.round.demonstration:
        return closing_facts(end, [], Sums())
    stakes, terms = on_layout(state), terms_in_force(state)
    if isinstance(end, RoundVoided):
        return closing_facts(end, void_bets(end, stakes, terms), state.sums)
    assert state.round.phase == "closed", "no card of a betting round before its books are closed"
    return closing_facts(end, settled_bets(end, stakes, terms), state.sums)
