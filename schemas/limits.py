"""Limits: the bounds of a table's stakes, set by the floor and changed during the day. Money is in minor units."""

import math
import re
from typing import Final

import msgspec

from schemas.house_rules import HouseRules, all_odds, commission_on

AMOUNT_MINOR_MAX: Final = 10**12
# Below 2**53, so that a round's returns stay exact in every reader's language.
ROUND_RETURNS_MINOR_MAX: Final = 9 * 10**15
STAKES_MAX: Final = 1_000


class BetLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of one bet: of a stake, of one bettor's sum on it in a round, of all bettors' sum (0: no bound)."""

    minimum_minor: int
    maximum_minor: int
    total_minor: int = 0


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """A table's limits. `unit_minor` is the payable unit.

    A bet is offered when these limits and the house rules both have it: one set may serve tables of several rule sets.
    """

    currency: str
    unit_minor: int
    bets: dict[str, BetLimits]
    differential_limit_minor: int = 0
    max_stakes: int = STAKES_MAX


def impossible(limits: Limits, rules: HouseRules) -> str | None:
    """Why these limits cannot be in force under these house rules, or None when they can."""
    if not re.fullmatch("[A-Z]{3}", limits.currency):
        return "currency is not three capital letters of ISO 4217"
    if not 1 <= limits.unit_minor <= AMOUNT_MINOR_MAX:
        return f"unit_minor is not between 1 and {AMOUNT_MINOR_MAX}"
    if not 1 <= limits.max_stakes <= STAKES_MAX:
        return f"max_stakes is not between 1 and {STAKES_MAX}"
    if limits.differential_limit_minor < 0:
        return "differential_limit_minor is below 0"
    if limits.differential_limit_minor % limits.unit_minor:
        return f"differential_limit_minor is not in whole units of {limits.unit_minor}"
    for name, bounds in limits.bets.items():
        if not 1 <= bounds.minimum_minor <= bounds.maximum_minor <= AMOUNT_MINOR_MAX:
            return f"bets.{name}: not 1 <= minimum_minor <= maximum_minor <= {AMOUNT_MINOR_MAX}"
        if not 0 <= bounds.total_minor <= ROUND_RETURNS_MINOR_MAX:
            return f"bets.{name}.total_minor is not between 0 and {ROUND_RETURNS_MINOR_MAX}"
        amounts = (bounds.minimum_minor, bounds.maximum_minor, bounds.total_minor)
        if any(amount % limits.unit_minor for amount in amounts):
            return f"bets.{name}: an amount is not in whole units of {limits.unit_minor}"
        if 0 < limits.differential_limit_minor < bounds.minimum_minor and name in ("player", "banker"):
            return f"differential_limit_minor is below bets.{name}.minimum_minor"
        if name == "banker" and rules.banker_multiple_of_minimum and rules.commission_rounding == "exact_or_reject":
            step_minor = exact_step_minor(name, limits.unit_minor, rules)
            if bounds.minimum_minor % step_minor:
                return f"bets.{name}.minimum_minor is not a multiple of {step_minor}, whose winnings are in whole units"
    return None


def exact_step_minor(bet_name: str, unit_minor: int, rules: HouseRules) -> int:
    """Stakes in multiples of this win, and pay commission, in whole payable units, however the bet wins."""
    commission = commission_on(bet_name, rules)
    step_minor = 1
    for won, staked in all_odds(bet_name, rules):
        for paid, of in ((won, staked * unit_minor), (won * commission, staked * 100 * unit_minor)):
            step_minor = math.lcm(step_minor, of // math.gcd(of, paid))
    return step_minor
