"""Closing the books: what `betting.close` hands back, and the stakes for which the round is then played."""

from collections.abc import Collection

from schemas.facts import BettingClosed, StakeReduced, StakeReturned
from schemas.requests import BettingClose
from services.decider.refusal import Refusal
from services.settlement.books.stakes import Stake, in_order
from services.settlement.books.state import State
from services.settlement.decisions.cutting import Cut, cut_at_closing
from services.settlement.decisions.holders import NO_HOLDERS, holders_of
from services.settlement.decisions.open_books import refusal_of_books

ClosingFact = StakeReduced | StakeReturned | BettingClosed


def close_books(state: State, request: BettingClose) -> list[ClosingFact] | Refusal:
    """The cuts and the end of betting, or why the books stay as they are.

    A round without a stake is a free round. The house may allow only so many of them in a row.
    """
    if refusal := refusal_of_books(state, request):
        return refusal
    terms, stakes = state.terms.in_force, in_order(state.layout)
    left, cuts = cut_at_closing(stakes, terms)
    free_rounds_max = terms.house_rules.free_rounds
    if not left and free_rounds_max is not None and state.free_rounds >= free_rounds_max:
        return Refusal("no_stake", f"at most {free_rounds_max} free rounds in a row")
    holders = NO_HOLDERS
    if terms.house_rules.holding:
        holders = holders_of(left.values(), terms.house_rules.holder_tie_break)
    return [
        *[_handed_back(request, cut, stakes[cut.bet_id]) for cut in cuts],
        BettingClosed(
            table=request.table,
            shoe_number=request.shoe_number,
            round_number=request.round_number,
            stakes=len(left),
            totals=_totals_by_bet(left.values()),
            player_holder=holders.player,
            banker_holder=holders.banker,
            player_seats=holders.player_seats,
            banker_seats=holders.banker_seats,
        ),
    ]


def _handed_back(request: BettingClose, cut: Cut, stake: Stake) -> StakeReduced | StakeReturned:
    fact = StakeReduced if cut.after_minor else StakeReturned
    return fact(
        table=request.table,
        shoe_number=request.shoe_number,
        round_number=request.round_number,
        bet_id=cut.bet_id,
        bettor_id=stake.bettor_id,
        before_minor=cut.before_minor,
        after_minor=cut.after_minor,
        reason=cut.reason,
    )


def _totals_by_bet(stakes: Collection[Stake]) -> dict[str, int]:
    """The sum on each bet. The fact names the bets in the order in which they got their first stake."""
    totals: dict[str, int] = {}
    for stake in stakes:
        totals[stake.bet] = totals.get(stake.bet, 0) + stake.amount_minor
    return totals
