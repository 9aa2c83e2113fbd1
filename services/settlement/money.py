"""What a stake brings: odds, commission, return (articles 12, 17, 18). Integers in minor units, nothing else.

What cannot be paid in whole payable units is refused when it is bet (`exact_or_reject`). Under the other roundings the
winnings go down to the unit, in favour of the house, and the commission on them goes up or down as the rounding says.
"""

from functools import cache
from typing import Literal, NamedTuple

from schemas.facts import RoundEnded
from schemas.house_rules import Bet, HouseRules
from services.settlement.records import Terms


class Outcome(NamedTuple):
    """What became of one stake; `return_minor` is all that is handed back."""

    outcome: Literal["won", "lost", "push"]
    carried: bool
    commission_minor: int
    return_minor: int


def outcome_of(stake_minor: int, bet: Bet, ended: RoundEnded, terms: Terms) -> Outcome:
    """The outcome of one stake by its bet's condition."""
    match bet.condition:
        case "player" | "banker":
            if ended.result == "tie":
                carried = terms.house_rules.tie_stakes == "carry"
                return Outcome("push", carried, 0, 0 if carried else stake_minor)
            won = ended.result == bet.condition
        case "tie":
            won = ended.result == "tie"
        case "player_pair":
            won = ended.player_pair
        case "banker_pair":
            won = ended.banker_pair
    if not won:
        return Outcome("lost", False, 0, 0)
    winnings = _winnings_minor(stake_minor, _odds_now(bet, ended, terms.house_rules), terms.limits.unit_minor)
    commission = _commission_minor(winnings, bet, terms)
    return Outcome("won", False, commission, stake_minor + winnings - commission)


def is_exact(amount_minor: int, bet: Bet, terms: Terms) -> bool:
    """Whether everything that a stake can win, and the commission on it, is whole in payable units."""
    unit_minor = terms.limits.unit_minor
    commission = _commission_percent(bet, terms.house_rules)
    for won, staked in _all_odds(bet, terms.house_rules):
        if amount_minor * won % (staked * unit_minor):
            return False
        if amount_minor * won * commission % (staked * 100 * unit_minor):
            return False
    return True


def possible_return_minor(total_minor: int, bet: Bet, rules: HouseRules) -> int:
    """The most that stakes of this sum on one bet can bring, at the bet's highest odds and without commission."""
    return total_minor + max([total_minor * won // staked for won, staked in _all_odds(bet, rules)])


def _odds_now(bet: Bet, ended: RoundEnded, rules: HouseRules) -> str:
    if bet.condition == "banker":
        for exception in rules.banker_exceptions:
            if exception.total == ended.banker_total:
                return exception.odds
    return bet.odds


def _all_odds(bet: Bet, rules: HouseRules) -> list[tuple[int, int]]:
    exceptions = rules.banker_exceptions if bet.condition == "banker" else ()
    return [_ratio(bet.odds), *[_ratio(exception.odds) for exception in exceptions]]


@cache
def _ratio(odds: str) -> tuple[int, int]:
    won, staked = odds.split(":")
    return int(won), int(staked)


def _winnings_minor(stake_minor: int, odds: str, unit_minor: int) -> int:
    won, staked = _ratio(odds)
    return stake_minor * won // (staked * unit_minor) * unit_minor


def _commission_percent(bet: Bet, rules: HouseRules) -> int:
    return rules.commission if bet.condition == "banker" else 0


def _commission_minor(winnings_minor: int, bet: Bet, terms: Terms) -> int:
    unit_minor = terms.limits.unit_minor
    hundredths = winnings_minor * _commission_percent(bet, terms.house_rules)
    match terms.house_rules.commission_rounding:
        case "up_to_unit":
            return -(-hundredths // (100 * unit_minor)) * unit_minor
        case "down_to_unit" | "exact_or_reject":  # exact: nothing is left to round
            return hundredths // (100 * unit_minor) * unit_minor
