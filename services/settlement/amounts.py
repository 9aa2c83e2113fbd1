"""Which amounts a stake may have, looked at alone: whole units, minimum, multiple, exact winnings (articles 17, 18)."""

from math import lcm

from schemas.limits import AMOUNT_MINOR_MAX, exact_step_minor
from services.decider.refusal import Refusal
from services.settlement.money import is_exact
from services.settlement.records import Terms


def refusal_of_amount(amount_minor: int, bet_name: str, terms: Terms) -> Refusal | None:
    """Why no stake on this bet may have this amount, or None when one may."""
    rules, limits = terms.house_rules, terms.limits
    unit_minor, minimum_minor = limits.unit_minor, limits.bets[bet_name].minimum_minor
    if amount_minor <= 0:
        return Refusal("amount_not_positive", "the least is 1")
    if amount_minor > AMOUNT_MINOR_MAX:
        return Refusal("amount_too_large", f"at most {AMOUNT_MINOR_MAX}")
    if amount_minor % unit_minor:
        return Refusal("not_whole_units", f"the unit is {unit_minor}")
    if amount_minor < minimum_minor:
        return Refusal("below_minimum", f"the minimum is {minimum_minor}")
    if _in_multiples(bet_name, terms) and amount_minor % minimum_minor:
        return Refusal("not_a_multiple", f"a stake on {bet_name} is the minimum {minimum_minor} or a multiple of it")
    if rules.commission_rounding == "exact_or_reject" and not is_exact(amount_minor, bet_name, terms):
        return Refusal("commission_not_whole", f"winnings or commission are not in units of {unit_minor}")
    return None


def largest_amount_minor(at_most_minor: int, bet_name: str, terms: Terms) -> int:
    """The largest amount up to this one that a stake on this bet may have; 0 when there is none.

    A carried stake may lie on a bet that has no limits any more: then no minimum binds it.
    """
    rules, limits = terms.house_rules, terms.limits
    bounds = limits.bets.get(bet_name)
    minimum_minor = bounds.minimum_minor if bounds else 1
    step_minor = limits.unit_minor
    if _in_multiples(bet_name, terms):
        step_minor = lcm(step_minor, minimum_minor)
    if rules.commission_rounding == "exact_or_reject":
        step_minor = lcm(step_minor, exact_step_minor(bet_name, limits.unit_minor, rules))
    largest_minor = at_most_minor // step_minor * step_minor
    return largest_minor if largest_minor >= minimum_minor else 0


def _in_multiples(bet_name: str, terms: Terms) -> bool:
    return bet_name == "banker" and terms.house_rules.banker_multiple_of_minimum
