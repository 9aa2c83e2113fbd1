"""Money: what a stake brings, and which amounts a stake may have (articles 12, 17, 18). Integers in minor units only.

`outcome_class` tells what a bet does in a round. `payout_of` tells what a stake on that bet then brings.
Under `exact_or_reject` a stake that cannot be paid in whole payable units is refused when it is bet. Under the other
roundings the winnings go down to the unit, in favour of the house. The commission goes up or down as the rounding says.
"""

from math import lcm
from typing import Final, Literal, NamedTuple

from schemas.cards import Result
from schemas.facts import RoundResult
from schemas.house_rules import Condition, HouseRules, all_odds, commission_on, ratio
from schemas.limits import exact_step_minor
from services.settlement.books.terms import OTHER_SIDE, Terms


class HandFacts(NamedTuple):
    """What the bets of a round depend on. The names are those of `Condition`; cards are counts."""

    result: Result
    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    player_pair: bool = False
    banker_pair: bool = False
    player_perfect_pair: bool = False
    banker_perfect_pair: bool = False


class OutcomeClass(NamedTuple):
    """What a bet does in a round. A win pays `won` for each `staked`, less `commission` per cent of it."""

    outcome: Literal["won", "lost", "push"]
    won: int = 0
    staked: int = 1
    commission: int = 0


class Payout(NamedTuple):
    """What becomes of one stake. `return_minor`: all that is handed back, the stake itself included."""

    outcome: Literal["won", "lost", "push", "returned"]
    carried: bool
    commission_minor: int
    return_minor: int


_LOST: Final = OutcomeClass("lost")
_PUSH: Final = OutcomeClass("push")
_CONDITIONS: Final = Condition.__struct_fields__


def facts_of(round_result: RoundResult) -> HandFacts:
    """What bets depend on, read from a round's result. A perfect pair: the first two cards have one rank and suit."""
    player, banker = round_result.player_cards, round_result.banker_cards
    return HandFacts(
        result=round_result.result,
        player_total=round_result.player_total,
        banker_total=round_result.banker_total,
        player_cards=len(player),
        banker_cards=len(banker),
        player_pair=round_result.player_pair,
        banker_pair=round_result.banker_pair,
        player_perfect_pair=player[0] == player[1],
        banker_perfect_pair=banker[0] == banker[1],
    )


def outcome_class(bet_name: str, facts: HandFacts, rules: HouseRules) -> OutcomeClass:
    """What the bet of this name does in a round with these facts.

    A tie is a push for Player and Banker (article 12). Any other bet is lost unless one of its conditions is met.
    When several are met, the first one counts.
    """
    if facts.result == "tie" and bet_name in OTHER_SIDE:
        return _PUSH
    for bet in rules.bets:
        if bet.name == bet_name and _is_met(bet.condition, facts):
            won, staked = ratio(_odds_now(bet_name, bet.odds, facts, rules))
            return OutcomeClass("won", won, staked, commission_on(bet_name, rules))
    return _LOST


def payout_of(stake_minor: int, bet: OutcomeClass, terms: Terms) -> Payout:
    """What becomes of a stake on this bet. The house rules say whether a push is carried or returned."""
    match bet.outcome:
        case "push":
            carried = terms.house_rules.tie_stakes == "carry"
            return Payout("push", carried, 0, 0 if carried else stake_minor)
        case "lost":
            return Payout("lost", False, 0, 0)
        case "won":
            unit_minor = terms.limits.unit_minor
            winnings_minor = stake_minor * bet.won // (bet.staked * unit_minor) * unit_minor
            commission_minor = _commission_minor(winnings_minor, bet.commission, terms)
            return Payout("won", False, commission_minor, stake_minor + winnings_minor - commission_minor)


def possible_return_minor(total_minor: int, bet_name: str, rules: HouseRules) -> int:
    """The most that stakes of this sum on one bet can bring: at the bet's highest odds, without commission."""
    return total_minor + max([total_minor * won // staked for won, staked in all_odds(bet_name, rules)])


def largest_amount_minor(at_most_minor: int, bet_name: str, terms: Terms) -> int:
    """The largest amount up to this one that a stake on this bet may have, or 0 when there is none.

    A carried stake may lie on a bet that has no limits any more. Then no minimum binds it.
    """
    rules, limits = terms.house_rules, terms.limits
    bounds = limits.bets.get(bet_name)
    minimum_minor = bounds.minimum_minor if bounds else 1
    step_minor = limits.unit_minor
    if terms.is_in_multiples(bet_name):
        step_minor = lcm(step_minor, minimum_minor)
    if rules.commission_rounding == "exact_or_reject":
        step_minor = lcm(step_minor, exact_step_minor(bet_name, limits.unit_minor, rules))
    largest_minor = at_most_minor // step_minor * step_minor
    return largest_minor if largest_minor >= minimum_minor else 0


def _is_met(condition: Condition, facts: HandFacts) -> bool:
    for field in _CONDITIONS:
        named = getattr(condition, field)
        if named is not None and named != getattr(facts, field):
            return False
    return True


def _odds_now(bet_name: str, odds: str, facts: HandFacts, rules: HouseRules) -> str:
    if bet_name == "banker":
        for exception in rules.banker_exceptions:
            if exception.total == facts.banker_total:
                return exception.odds
    return odds


def _commission_minor(winnings_minor: int, commission: int, terms: Terms) -> int:
    unit_minor = terms.limits.unit_minor
    hundredths = winnings_minor * commission
    match terms.house_rules.commission_rounding:
        case "up_to_unit":
            return -(-hundredths // (100 * unit_minor)) * unit_minor
        case "down_to_unit" | "exact_or_reject":  # exact: nothing is left to round
            return hundredths // (100 * unit_minor) * unit_minor
