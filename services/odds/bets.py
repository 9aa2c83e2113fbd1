"""What each bet of a rule set wins and loses over all sequences. The settlement code decides and pays.

Net odds are computed for a stake whose winnings and commission need no rounding. Where a house rounds, other stakes
have another house edge. A stake that a tie pushes counts as neither won nor lost, also when it is carried.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from schemas.house_rules import HouseRules
from schemas.limits import Limits, exact_step_minor
from services.odds.enumeration import RoundClass
from services.settlement.books.terms import make_terms
from services.settlement.money import outcome_class, payout_of

# Net odds depend on neither the unit nor the currency. XXX is the code of ISO 4217 for no currency.
_LIMITS: Final = Limits(currency="XXX", unit_minor=1, bets={})


class BetOdds(NamedTuple):
    """One bet: in how many ways it wins, at which net odds (to one), and in how many it pushes or is lost."""

    name: str
    win_ways: Mapping[Fraction, int]
    push_ways: int
    lose_ways: int

    @property
    def house_edge(self) -> Fraction:
        """The part of a stake that the house keeps on average. Pushes are counted."""
        total = sum(self.win_ways.values()) + self.push_ways + self.lose_ways
        won = sum(net_odds * ways for net_odds, ways in self.win_ways.items())
        return Fraction(self.lose_ways - won) / total


def odds_of_bets(rules: HouseRules, ways_of: Mapping[RoundClass, int]) -> list[BetOdds]:
    """The odds of each bet that the house rules offer, in the order of the house rules."""
    names = dict.fromkeys(bet.name for bet in rules.bets)
    return [_odds_of_bet(name, rules, ways_of) for name in names]


def _odds_of_bet(name: str, rules: HouseRules, ways_of: Mapping[RoundClass, int]) -> BetOdds:
    terms = make_terms(rules, _LIMITS)
    stake_minor = exact_step_minor(name, _LIMITS.unit_minor, rules)
    win_ways: Counter[Fraction] = Counter()
    push_ways = lose_ways = 0
    for round_class, ways in ways_of.items():
        bet = outcome_class(name, round_class.facts, rules)
        match bet.outcome:
            case "won":
                return_minor = payout_of(stake_minor, bet, terms).return_minor
                win_ways[Fraction(return_minor - stake_minor, stake_minor)] += ways
            case "push":
                push_ways += ways
            case "lost":
                lose_ways += ways
    return BetOdds(name, dict(sorted(win_ways.items())), push_ways, lose_ways)
