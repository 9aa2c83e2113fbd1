"""Adjustments by hand: what a stake got is put right where a correction of its round cannot do it any more.

Any stake whose round can still be corrected (and at least of the last round) may be adjusted, also one that was carried
on. An adjustment is outside every round's books.
"""

from schemas.facts import SettlementAdjusted
from schemas.requests import SettlementAdjust
from services.decider.refusal import Refusal
from services.settlement.corrections import generation_of
from services.settlement.money import possible_return_minor
from services.settlement.rounds import refusal_of_round
from services.settlement.state import HELD, State, terms_in_force, terms_of


def adjust(state: State, request: SettlementAdjust) -> SettlementAdjusted | Refusal:
    """The adjustment, or why it is not made: by whom, of which stake, by how much."""
    if state.held:
        return HELD
    rules = terms_in_force(state).house_rules
    if "adjust" in rules.approval and request.approved_by in (None, request.operator):
        return Refusal("approval_missing", "another person than the operator approves")
    return (
        _refusal_of_round(state, request)
        or _refusal_of_amount(state, request)
        or SettlementAdjusted(
            table=request.table,
            shoe_number=request.shoe_number,
            round_number=request.round_number,
            bet_id=request.bet_id,
            bettor_id=state.stakes[request.bet_id].bettor_id,
            amount_minor=request.amount_minor,
            reason=request.reason,
            operator=request.operator,
            approved_by=request.approved_by,
        )
    )


def _refusal_of_round(state: State, request: SettlementAdjust) -> Refusal | None:
    """Why this round and stake are not adjusted: not settled yet, not known (any more), not the round of the stake."""
    generation = generation_of(state, request)
    if generation is not None:
        stake = state.stakes.get(request.bet_id)
        if stake and stake.amount_minor and stake.accepted_in <= generation <= stake.generation:
            return None
        return Refusal("no_such_bet", "no such stake was settled or carried by this round")
    present = state.round
    numbers = (request.shoe_number, request.round_number)
    if present.phase != "settled" and numbers == (present.shoe_number, present.round_number):
        return Refusal("round_running", "the round is not settled")
    refusal = refusal_of_round(present, *numbers)
    assert refusal is not None, "only the round in play has open books"
    if refusal.reason == "round_over":
        return Refusal("expired", "no stakes of this round are known any more")
    return refusal


def _refusal_of_amount(state: State, request: SettlementAdjust) -> Refusal | None:
    """All adjustments of a stake together stay within what the largest stake on its bet could bring."""
    generation, stake = generation_of(state, request), state.stakes[request.bet_id]
    assert generation is not None
    terms = terms_of(state, generation)
    bounds = terms.limits.bets.get(stake.bet)
    largest_minor = max(stake.amount_minor, bounds.maximum_minor if bounds else 0)
    most_minor = possible_return_minor(largest_minor, stake.bet, terms.house_rules)
    if not request.amount_minor:
        return Refusal("out_of_range", "0 puts nothing right")
    if request.amount_minor % terms.limits.unit_minor:
        return Refusal("not_whole_units", f"the unit is {terms.limits.unit_minor}")
    if abs(stake.adjusted_minor + request.amount_minor) > most_minor:
        return Refusal("amount_too_large", f"at most {most_minor}, adjustments before included")
    return None
