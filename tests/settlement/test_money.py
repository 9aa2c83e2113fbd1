"""What one stake brings: articles 11 to 13, 17 and 18. Expected amounts are worked out by hand."""

import pytest

from schemas.facts import RoundEnded
from schemas.house_rules import BankerException, Bet, Condition, HouseRules
from services.settlement.books.terms import Terms
from services.settlement.money import Payout, facts_of, outcome_class, payout_of, possible_return_minor
from tests.settlement.drive import MACAU, NO_COMMISSION, ONLINE, ended, house, terms

HALF = house(bets=(*MACAU.bets, Bet(name="half", condition=Condition(result="player"), odds="1:2")))
PLAYER_WINS = ended("player", 9, 7)
BANKER_WINS = ended("banker", 4, 5)
TIE = ended("tie", 6, 6)
# "Mistakes that others made" of the rules, as the shoe reports them.
DEUCES_AND_FIVE_AGAINST_KING_SEVEN = ended("player", 9, 7, "player")
EIGHT_AGAINST_EIGHT = ended("tie", 8, 8)
BOTH_PAIRS = ended("banker", 2, 4, "both")


def brings(stake_minor: int, bet: str, end: RoundEnded, in_force: Terms) -> Payout:
    return payout_of(stake_minor, outcome_class(bet, facts_of(end), in_force.house_rules), in_force)


@pytest.mark.parametrize(
    ("bet", "stake_minor", "end", "expected"),
    [
        ("player", 100, PLAYER_WINS, Payout("won", False, 0, 200)),
        ("player", 100, BANKER_WINS, Payout("lost", False, 0, 0)),
        ("player", 100, TIE, Payout("push", True, 0, 0)),
        ("banker", 100, BANKER_WINS, Payout("won", False, 5, 195)),
        ("banker", 300_000, BANKER_WINS, Payout("won", False, 15_000, 585_000)),
        ("banker", 100, PLAYER_WINS, Payout("lost", False, 0, 0)),
        ("banker", 100, TIE, Payout("push", True, 0, 0)),
        ("tie", 100, TIE, Payout("won", False, 0, 900)),
        ("tie", 100, PLAYER_WINS, Payout("lost", False, 0, 0)),
        ("tie", 100, BANKER_WINS, Payout("lost", False, 0, 0)),
        ("player_pair", 100, ended("banker", 1, 2, "player"), Payout("won", False, 0, 1_200)),
        ("player_pair", 100, ended("tie", 5, 5, "player"), Payout("won", False, 0, 1_200)),
        ("player_pair", 100, ended("player", 2, 1, "banker"), Payout("lost", False, 0, 0)),
        ("player_pair", 100, TIE, Payout("lost", False, 0, 0)),
        ("banker_pair", 100, ended("player", 2, 1, "banker"), Payout("won", False, 0, 1_200)),
        ("banker_pair", 100, ended("player", 2, 1, "player"), Payout("lost", False, 0, 0)),
        ("banker_pair", 100, TIE, Payout("lost", False, 0, 0)),
        ("player_pair", 50, DEUCES_AND_FIVE_AGAINST_KING_SEVEN, Payout("won", False, 0, 600)),
        ("player", 100, DEUCES_AND_FIVE_AGAINST_KING_SEVEN, Payout("won", False, 0, 200)),
        ("player_pair", 20, BOTH_PAIRS, Payout("won", False, 0, 240)),
        ("banker_pair", 20, BOTH_PAIRS, Payout("won", False, 0, 240)),
        ("player", 100, EIGHT_AGAINST_EIGHT, Payout("push", True, 0, 0)),
        ("banker", 100, EIGHT_AGAINST_EIGHT, Payout("push", True, 0, 0)),
        ("tie", 20, EIGHT_AGAINST_EIGHT, Payout("won", False, 0, 180)),
        ("banker", 10**12, BANKER_WINS, Payout("won", False, 5 * 10**10, 195 * 10**10)),
        ("player_pair", 10**12, BOTH_PAIRS, Payout("won", False, 0, 12 * 10**12)),
    ],
)
def test_article_17_a_stake_brings_what_its_odds_say(
    bet: str, stake_minor: int, end: RoundEnded, expected: Payout
) -> None:
    assert brings(stake_minor, bet, end, terms()) == expected


@pytest.mark.parametrize("bet", ["player", "banker"])
def test_article_12_a_tie_gives_stakes_back_at_once_where_the_house_returns_them(bet: str) -> None:
    assert brings(100, bet, TIE, terms(ONLINE)) == Payout("push", False, 0, 100)


@pytest.mark.parametrize(
    ("stake_minor", "unit_minor", "rounding", "commission_minor", "return_minor"),
    [
        (100, 5, "exact_or_reject", 5, 195),
        (100, 5, "up_to_unit", 5, 195),
        (100, 5, "down_to_unit", 5, 195),
        (110, 5, "up_to_unit", 10, 210),  # 5 % of 110 is 5.5
        (110, 5, "down_to_unit", 5, 215),
        (101, 1, "up_to_unit", 6, 196),  # 5.05
        (101, 1, "down_to_unit", 5, 197),
        (1, 1, "up_to_unit", 1, 1),  # 0.05
        (1, 1, "down_to_unit", 0, 2),
        (150, 50, "up_to_unit", 50, 250),  # 7.5
        (150, 50, "down_to_unit", 0, 300),
        (10**12 - 1, 1, "up_to_unit", 50_000_000_000, 1_949_999_999_998),  # 49,999,999,999.95
    ],
)
def test_article_18_commission_is_rounded_as_the_house_says(
    stake_minor: int, unit_minor: int, rounding: str, commission_minor: int, return_minor: int
) -> None:
    in_force = terms(unit_minor=unit_minor, commission_rounding=rounding)
    expected = Payout("won", False, commission_minor, return_minor)
    assert brings(stake_minor, "banker", BANKER_WINS, in_force) == expected


BANKER_SIX = ended("banker", 5, 6)
BOTH = house(NO_COMMISSION, commission=5)


@pytest.mark.parametrize(
    ("rules", "end", "stake_minor", "rounding", "paid"),
    [
        (NO_COMMISSION, BANKER_SIX, 100, "exact_or_reject", (0, 150)),
        (NO_COMMISSION, BANKER_WINS, 100, "exact_or_reject", (0, 200)),
        (NO_COMMISSION, ended("banker", 6, 7), 100, "exact_or_reject", (0, 200)),  # Player's six is no exception
        (NO_COMMISSION, BANKER_SIX, 105, "up_to_unit", (0, 155)),  # half is 52.5: down, for the house
        (NO_COMMISSION, BANKER_SIX, 105, "down_to_unit", (0, 155)),
        (NO_COMMISSION, BANKER_SIX, 5, "up_to_unit", (0, 5)),  # half of one unit cannot be paid
        (BOTH, BANKER_SIX, 200, "up_to_unit", (5, 295)),  # 5 % of the half
        (BOTH, BANKER_SIX, 100, "up_to_unit", (5, 145)),
        (BOTH, BANKER_SIX, 100, "down_to_unit", (0, 150)),
        (BOTH, BANKER_WINS, 100, "down_to_unit", (5, 195)),
    ],
)
def test_article_18_an_exception_by_total_takes_the_place_of_the_odds(
    rules: HouseRules, end: RoundEnded, stake_minor: int, rounding: str, paid: tuple[int, int]
) -> None:
    in_force = terms(rules, commission_rounding=rounding)
    assert brings(stake_minor, "banker", end, in_force) == Payout("won", False, *paid)


def test_no_exception_and_no_commission_touch_a_player_stake() -> None:
    rules = house(commission=5, banker_exceptions=(BankerException(total=6, odds="1:2"),))
    assert brings(100, "player", ended("player", 7, 6), terms(rules)) == Payout("won", False, 0, 200)


@pytest.mark.parametrize(
    ("rules", "bet", "unit_minor", "exact", "not_exact"),
    [
        (MACAU, "banker", 5, [100, 200, 300_000], [105, 110, 195]),
        (MACAU, "banker", 1, [20, 100, 120], [1, 10, 101, 110]),
        (MACAU, "player", 5, [100, 105, 5], []),
        (MACAU, "tie", 5, [20, 105], []),
        (HALF, "half", 5, [100, 110], [105, 5]),
        (NO_COMMISSION, "banker", 5, [100, 110], [105, 115]),
        (NO_COMMISSION, "player", 5, [105], []),
        (BOTH, "banker", 5, [200, 400], [100, 300, 110]),
    ],
)
def test_a_stake_is_exact_when_all_it_can_win_is_paid_in_whole_units(
    rules: HouseRules, bet: str, unit_minor: int, exact: list[int], not_exact: list[int]
) -> None:
    in_force = terms(rules, unit_minor=unit_minor)
    found = {amount: in_force.is_exact(amount, bet) for amount in exact + not_exact}
    assert found == dict.fromkeys(exact, True) | dict.fromkeys(not_exact, False)


@pytest.mark.parametrize(
    ("rules", "bet", "total_minor", "expected"),
    [
        (MACAU, "player", 100, 200),
        (MACAU, "banker", 100, 200),
        (MACAU, "tie", 100, 900),
        (MACAU, "banker_pair", 100, 1_200),
        (NO_COMMISSION, "banker", 100, 200),
        (house(banker_exceptions=(BankerException(total=7, odds="40:1"),)), "banker", 100, 4_100),
        (MACAU, "tie", 0, 0),
    ],
)
def test_the_most_a_bet_can_bring_is_at_its_highest_odds(
    rules: HouseRules, bet: str, total_minor: int, expected: int
) -> None:
    assert possible_return_minor(total_minor, bet, rules) == expected
