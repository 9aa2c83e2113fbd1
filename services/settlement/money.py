"""What a stake brings: odds, commission, return (articles 12, 17, 18). Integers in minor units, nothing else.

`outcome_class` says it of a bet and a round without any amount, from the house rules alone; `outcome_of` of a stake.
What cannot be paid in whole payable units is refused when it is bet (`exact_or_reject`). Under the other roundings the
winnings go down to the unit, in favour of the house, and the commission on them goes up or down as the rounding says.
"""

from typing import Final, Literal, NamedTuple

from schemas.cards import Result
from schemas.facts import RoundResult
from schemas.house_rules import Condition, HouseRules, all_odds, commission_on, ratio
from services.settlement.records import Terms


class HandFacts(NamedTuple):
    """What a round's bets depend on, under the names that `Condition` has for it; cards are counts."""

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
    """What a bet does in a round: a win pays `won` for each `staked`, less `commission` per cent of it."""

    outcome: Literal["won", "lost", "push"]
    won: int = 0
    staked: int = 1
    commission: int = 0


class Outcome(NamedTuple):
    """What became of one stake; `return_minor` is all that is handed back."""

    outcome: Literal["won", "lost", "push", "returned"]
    carried: bool
    commission_minor: int
    return_minor: int


_LOST: Final = OutcomeClass("lost")
_PUSH: Final = OutcomeClass("push")
_CONDITIONS: Final = Condition.__struct_fields__


def facts_of(round_result: RoundResult) -> HandFacts:
    """The facts of a round as the shoe reports it. A perfect pair: the first two cards are of one rank and suit."""
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
    """What the bet of this name does in a round with these facts: the first of its conditions that holds counts.

    A tie pushes the two sides (article 12); any other bet is lost unless a condition of it holds.
    """
    if facts.result == "tie" and bet_name in ("player", "banker"):
        return _PUSH
    for bet in rules.bets:
        if bet.name == bet_name and _holds(bet.condition, facts):
            won, staked = ratio(_odds_now(bet_name, bet.odds, facts, rules))
            return OutcomeClass("won", won, staked, commission_on(bet_name, rules))
    return _LOST


def outcome_of(stake_minor: int, bet: OutcomeClass, terms: Terms) -> Outcome:
    """What becomes of a stake whose bet came out so; a push stays on the layout where the house carries it."""
    match bet.outcome:
        case "push":
            carried = terms.house_rules.tie_stakes == "carry"
            return Outcome("push", carried, 0, 0 if carried else stake_minor)
        case "lost":
            return Outcome("lost", False, 0, 0)
        case "won":
            unit_minor = terms.limits.unit_minor
            winnings_minor = stake_minor * bet.won // (bet.staked * unit_minor) * unit_minor
            commission_minor = _commission_minor(winnings_minor, bet.commission, terms)
            return Outcome("won", False, commission_minor, stake_minor + winnings_minor - commission_minor)


def is_exact(amount_minor: int, bet_name: str, terms: Terms) -> bool:
    """Whether everything that a stake can win, and the commission on it, is whole in payable units."""
    return amount_minor % terms.exact_steps_minor[bet_name] == 0


def possible_return_minor(total_minor: int, bet_name: str, rules: HouseRules) -> int:
    """The most that stakes of this sum on one bet can bring, at the bet's highest odds and without commission."""
    return total_minor + max([total_minor * won // staked for won, staked in all_odds(bet_name, rules)])


def _holds(condition: Condition, facts: HandFacts) -> bool:
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
