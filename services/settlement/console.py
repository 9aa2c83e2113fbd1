"""What settlement answers on `console`: betting.close, seats, adjustments by hand."""

from schemas.events import Fact
from schemas.facts import BettingClosed
from schemas.requests import BettingClose, SeatLeave, SeatTake, SettlementAdjust
from services.decider.refusal import Refusal
from services.settlement.adjustments import adjust
from services.settlement.closing import cut_at_closing, handed_back
from services.settlement.holders import NO_HOLDERS, holders_of
from services.settlement.seats import leave, take
from services.settlement.state import State, on_layout, refusal_of_books, terms_in_force
from services.settlement.wagers import totals_by_bet

ConsoleRequest = BettingClose | SeatTake | SeatLeave | SettlementAdjust


def answer(state: State, request: ConsoleRequest) -> list[Fact] | Refusal:
    """The facts that a request of a table once opened brings about, or why it changes nothing."""
    match request:
        case BettingClose():
            return refusal_of_books(state, request) or _close_betting(state, request)
        case SeatTake():
            outcome: Fact | Refusal = take(state, request)
        case SeatLeave():
            outcome = leave(state, request)
        case SettlementAdjust():
            outcome = adjust(state, request)
    return outcome if isinstance(outcome, Refusal) else [outcome]


def _close_betting(state: State, request: BettingClose) -> list[Fact] | Refusal:
    """Free rounds (dealt with empty books) are allowed so many in a row; carried stakes make a round none."""
    terms = terms_in_force(state)
    rules, placed = terms.house_rules, on_layout(state)
    left, cuts = cut_at_closing(placed, terms)
    stakes = left.values()
    if not stakes and rules.free_rounds is not None and state.free_rounds >= rules.free_rounds:
        return Refusal("no_stake", f"at most {rules.free_rounds} free rounds in a row")
    holders = holders_of(stakes, rules.holder_tie_break) if rules.holding else NO_HOLDERS
    return [
        *[handed_back(request, cut, placed[cut.bet_id]) for cut in cuts],
        BettingClosed(
            table=request.table,
            shoe_number=request.shoe_number,
            round_number=request.round_number,
            stakes=len(stakes),
            totals=dict(totals_by_bet(stakes)),
            player_holder=holders.player,
            banker_holder=holders.banker,
            player_seats=holders.player_seats,
            banker_seats=holders.banker_seats,
        ),
    ]
