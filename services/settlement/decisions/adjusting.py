"""Adjusting: a person puts right what a stake got, where a correction of its round cannot do it any more.

A stake may be adjusted as long as its round can be corrected, and a stake of the last round always. A stake that was
carried on may be adjusted too. An adjustment is in no round's books.
"""

from schemas.facts import SettlementAdjusted
from schemas.requests import SettlementAdjust
from services.decider.refusal import Refusal
from services.settlement.books.stakes import Stake
from services.settlement.books.state import State, generation_of
from services.settlement.books.terms import Terms
from services.settlement.decisions.open_books import TABLE_HELD, refusal_of_round
from services.settlement.money import possible_return_minor


def adjust(state: State, request: SettlementAdjust) -> SettlementAdjusted | Refusal:
    """The adjustment, or why it is not made. Checked in this order: who asks, the round, the stake, the amount."""
    if state.held:
        return TABLE_HELD
    rules = state.terms.in_force.house_rules
    if "adjust" in rules.approval and request.approved_by in (None, request.operator):
        return Refusal("approval_missing", "another person than the operator approves")
    generation = generation_of(state, request)
    if generation is None:
        return _refusal_of_round(state, request)
    stake = _stake_in(state, request.bet_id, generation)
    if stake is None:
        return Refusal("no_such_bet", "no such stake was settled or carried by this round")
    return _refusal_of_amount(request.amount_minor, stake, state.terms.of(generation)) or SettlementAdjusted(
        table=request.table,
        shoe_number=request.shoe_number,
        round_number=request.round_number,
        bet_id=request.bet_id,
        bettor_id=stake.bettor_id,
        amount_minor=request.amount_minor,
        reason=request.reason,
        operator=request.operator,
        approved_by=request.approved_by,
    )


def _refusal_of_round(state: State, request: SettlementAdjust) -> Refusal:
    """Why no stakes of this round are known: it is not settled yet, it never was, or it is too long ago."""
    present, numbers = state.round, (request.shoe_number, request.round_number)
    if present.phase != "settled" and numbers == (present.shoe_number, present.round_number):
        return Refusal("round_running", "the round is not settled")
    refusal = refusal_of_round(present, *numbers)
    assert refusal is not None, "only the round in play has open books"
    if refusal.reason == "round_over":
        return Refusal("expired", "no stakes of this round are known any more")
    return refusal


def _stake_in(state: State, bet_id: str, generation: int) -> Stake | None:
    """The stake of this id, if this round settled or carried it."""
    ended = state.settled.get(bet_id)
    if ended is None:
        stake, last_round = state.layout.get(bet_id), state.generation
    else:
        stake, last_round = ended.stake, ended.ended_in
    return stake if stake and stake.amount_minor and stake.accepted_in <= generation <= last_round else None


def _refusal_of_amount(amount_minor: int, stake: Stake, terms: Terms) -> Refusal | None:
    """All adjustments of a stake together stay within what the largest stake on its bet could bring."""
    bounds = terms.limits.bets.get(stake.bet)
    largest_minor = max(stake.amount_minor, bounds.maximum_minor if bounds else 0)
    most_minor = possible_return_minor(largest_minor, stake.bet, terms.house_rules)
    if not amount_minor:
        return Refusal("out_of_range", "0 puts nothing right")
    if amount_minor % terms.limits.unit_minor:
        return Refusal("not_whole_units", f"the unit is {terms.limits.unit_minor}")
    if abs(stake.adjusted_minor + amount_minor) > most_minor:
        return Refusal("amount_too_large", f"at most {most_minor}, adjustments before included")
    return None
