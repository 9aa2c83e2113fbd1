"""What a rule set's choices make of its bets: net odds as they are paid, and nothing but them."""

from fractions import Fraction

import msgspec
import pytest

from schemas.house_rules import BankerException, Bet, Condition, HouseRules
from services.odds.bets import BetOdds
from services.odds.enumeration import count_sequences
from tests.odds.houses import WITH_COMMISSION, house, odds_of

BANKER = Bet(name="banker", condition=Condition(result="banker"), odds="1:1")
LUCKY_THIRDS = Bet(name="lucky", condition=Condition(banker_total=6), odds="7:3")

# House rules, a bet, and the net odds at which it can win.
NET_ODDS: list[tuple[HouseRules, str, list[Fraction]]] = [
    (house(BANKER, commission=0), "banker", [Fraction(1)]),
    (house(BANKER, commission=4), "banker", [Fraction(24, 25)]),
    (house(BANKER, commission=100), "banker", [Fraction(0)]),
    # A commission and an exception: it is of the winnings, so a half pays 19/40.
    (
        house(BANKER, commission=5, banker_exceptions=(BankerException(total=6, odds="1:2"),)),
        "banker",
        [Fraction(19, 40), Fraction(19, 20)],
    ),
    # Thirds that no payable unit divides, and no commission on anything but Banker.
    (house(LUCKY_THIRDS, commission=5), "lucky", [Fraction(7, 3)]),
]


@pytest.mark.parametrize(("rules", "bet", "net_odds"), NET_ODDS)
def test_net_odds_are_what_is_paid_after_commission(rules: HouseRules, bet: str, net_odds: list[Fraction]) -> None:
    assert list(odds_of(rules, 8)[bet].win_ways) == net_odds


CHOICES = [
    {"commission_rounding": "up_to_unit"},
    {"commission_rounding": "down_to_unit"},
    {"tie_stakes": "return"},
]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_neither_rounding_nor_carrying_changes_the_odds(choice: dict[str, str]) -> None:
    other = msgspec.structs.replace(WITH_COMMISSION, **choice)
    assert odds_of(other, 8) == odds_of(WITH_COMMISSION, 8)


@pytest.mark.parametrize("decks", [1, 8, 12])
def test_the_ways_of_each_bet_add_up_to_all_sequences(decks: int) -> None:
    for bet in odds_of(WITH_COMMISSION, decks).values():
        assert sum(bet.win_ways.values()) + bet.push_ways + bet.lose_ways == count_sequences(decks)


EDGES = [
    (BetOdds("even", {Fraction(1): 5}, 0, 5), Fraction(0)),
    (BetOdds("pushes_count", {Fraction(1): 4}, 10, 6), Fraction(1, 10)),
    (BetOdds("two_odds", {Fraction(1, 2): 2, Fraction(3): 1}, 0, 7), Fraction(3, 10)),
    (BetOdds("against_the_house", {Fraction(9, 10): 6}, 0, 4), Fraction(-7, 50)),
    (BetOdds("never_wins", {}, 0, 9), Fraction(1)),
]


@pytest.mark.parametrize(("bet", "house_edge"), EDGES, ids=[bet.name for bet, _ in EDGES])
def test_the_house_edge_is_what_a_stake_loses_on_average(bet: BetOdds, house_edge: Fraction) -> None:
    assert bet.house_edge == house_edge
