"""Article 18: commission, its rounding, exceptions as data, and the Banker multiple on every way to a stake."""

from collections.abc import Callable
from typing import Final

import pytest

from schemas.events import Fact
from schemas.house_rules import BankerException, HouseRules
from schemas.limits import BetLimits, impossible
from services.settlement.books.terms import make_terms
from services.settlement.money import largest_amount_minor
from tests.settlement.drive import LIMITS, MACAU, NO_COMMISSION, house, limits, opened, reason
from tests.settlement.reading import rows

FREE: Final = house(banker_multiple_of_minimum=False)
HALF_ON_SIX_AND_SEVEN: Final = house(
    commission=0, banker_exceptions=(BankerException(total=6, odds="1:2"), BankerException(total=7, odds="2:1"))
)


def test_article_18_commission_is_of_each_stake_by_itself() -> None:
    """5 % of 110 is 5.5: rounded up on each of two stakes it is 20, on their sum it would be 15."""
    table = opened(house(FREE, commission_rounding="up_to_unit"))
    table.place("a", "banker", 110)
    table.place("b", "banker", 110)
    table.close_betting()
    assert rows(table.end_round("banker", 1, 2)) == [
        ("a", 110, "won", False, 10, 210),
        ("b", 110, "won", False, 10, 210),
    ]


@pytest.mark.parametrize(
    ("rules", "amount_minor", "banker_total", "commission_minor", "return_minor"),
    [
        (FREE, 300, 6, 15, 585),
        (NO_COMMISSION, 300, 6, 0, 450),
        (NO_COMMISSION, 300, 5, 0, 600),
        (HALF_ON_SIX_AND_SEVEN, 300, 6, 0, 450),
        (HALF_ON_SIX_AND_SEVEN, 300, 7, 0, 900),
        (HALF_ON_SIX_AND_SEVEN, 300, 8, 0, 600),
    ],
)
def test_article_18_exceptions_are_data(
    rules: HouseRules, amount_minor: int, banker_total: int, commission_minor: int, return_minor: int
) -> None:
    table = opened(rules)
    table.place("n", "banker", amount_minor)
    table.close_betting()
    expected = ("n", amount_minor, "won", False, commission_minor, return_minor)
    assert rows(table.end_round("banker", 1, banker_total)) == [expected]


# --- a Banker stake is the minimum or a multiple of it ---

BY: Final[list[tuple[str, Callable[..., Fact]]]] = [
    ("placing", lambda table, amount: table.place("n", "banker", amount)),
    ("increasing or reducing", lambda table, amount: table.change("b", 0, "banker", amount)),
    ("switching", lambda table, amount: table.change("p", 0, "banker", amount)),
    ("moving from another bet", lambda table, amount: table.change("t", 0, "banker", amount)),
]


@pytest.mark.parametrize(("how", "ask"), BY, ids=[case[0] for case in BY])
@pytest.mark.parametrize(
    ("amount_minor", "expected"),
    [(100, None), (300, None), (800, None), (150, "not_a_multiple"), (505, "not_a_multiple"), (50, "below_minimum")],
)
def test_a_banker_stake_is_the_minimum_or_a_multiple_of_it(
    how: str, ask: Callable[..., Fact], amount_minor: int, expected: str | None
) -> None:
    table = opened()
    table.place("b", "banker", 500)
    table.place("p", "player", 105)
    table.place("t", "tie", 100)
    assert reason(ask(table, amount_minor)) == expected, how


@pytest.mark.parametrize("bet", ["player", "tie", "player_pair"])
def test_only_banker_stakes_are_multiples(bet: str) -> None:
    assert reason(opened().place("n", bet, 105)) is None


def test_a_house_may_take_any_exact_banker_stake() -> None:
    table = opened(house(FREE), limits(bets=LIMITS.bets | {"banker": BetLimits(minimum_minor=200, maximum_minor=900)}))
    assert reason(table.place("n", "banker", 300)) is None


# --- the largest amount that a stake may have ---


@pytest.mark.parametrize(
    ("rules", "bet", "at_most_minor", "expected"),
    [
        (MACAU, "banker", 499, 400),
        (MACAU, "banker", 500, 500),
        (MACAU, "banker", 99, 0),
        (MACAU, "banker", -5, 0),
        (MACAU, "player", 499, 495),
        (MACAU, "player", 99, 0),
        (MACAU, "tie", 24, 20),
        (FREE, "banker", 499, 400),  # 5 % is whole in fives for multiples of 100
        (house(FREE, commission_rounding="down_to_unit"), "banker", 499, 495),
        (house(NO_COMMISSION, banker_multiple_of_minimum=False), "banker", 499, 490),  # half of it in fives
        (house(NO_COMMISSION, banker_multiple_of_minimum=False, commission=5), "banker", 499, 400),  # 5 % of the half
    ],
)
def test_the_largest_amount_keeps_minimum_multiple_units_and_exact_winnings(
    rules: HouseRules, bet: str, at_most_minor: int, expected: int
) -> None:
    assert largest_amount_minor(at_most_minor, bet, make_terms(rules, LIMITS)) == expected


def test_the_largest_amount_on_a_bet_that_is_not_offered_any_more_has_no_minimum() -> None:
    offered = {name: bounds for name, bounds in LIMITS.bets.items() if name != "player"}
    assert largest_amount_minor(17, "player", make_terms(MACAU, limits(bets=offered))) == 15


# --- limits that could never be kept ---


@pytest.mark.parametrize(
    ("rules", "minimum_minor", "refused"),
    [
        (MACAU, 100, False),
        (MACAU, 150, True),  # 5 % of 150 is 7.5, and the unit is 5
        (FREE, 150, False),
        (house(commission_rounding="up_to_unit"), 150, False),
        (house(NO_COMMISSION), 150, False),
        (house(NO_COMMISSION), 155, True),  # half of it is 77.5
    ],
)
def test_a_banker_minimum_whose_multiples_are_not_paid_exactly_is_impossible(
    rules: HouseRules, minimum_minor: int, refused: bool
) -> None:
    bounds = limits(bets={"banker": BetLimits(minimum_minor=minimum_minor, maximum_minor=9_000)})
    why = impossible(bounds, rules)
    assert (why is not None) == refused
    if why:
        assert why.startswith("bets.banker.minimum_minor is not a multiple of ")
