"""Limits change during the day and are in force from the next round on. Carried stakes: `test_article_12_ties.py`."""

from schemas.limits import BetLimits
from tests.settlement.drive import LIMITS, house, opened, reason
from tests.settlement.reading import rows


def test_other_limits_are_in_force_from_the_next_round_on() -> None:
    table = opened()
    other = LIMITS.bets | {"player": BetLimits(minimum_minor=500, maximum_minor=20_000)}
    table.set_limits(bets=other)
    assert reason(table.place("a", "player", 100)) is None
    assert reason(table.place("b", "player", 15_000)) == "above_maximum"
    table.close_betting()
    table.end_round("player")
    table.open_round()
    assert reason(table.place("c", "player", 100)) == "below_minimum"
    assert reason(table.place("d", "player", 15_000)) is None


def test_a_round_opened_under_the_old_version_keeps_the_old_limits() -> None:
    table = opened()
    table.close_betting()
    table.end_round("player")
    table.set_limits(bets={"player": BetLimits(minimum_minor=500, maximum_minor=20_000)})
    table.limits_version = 1
    table.open_round()
    assert reason(table.place("c", "player", 100)) is None
    table.close_betting()
    table.end_round("player")
    table.limits_version = 2
    table.open_round()
    assert reason(table.place("d", "player", 100)) == "below_minimum"


def test_of_limits_changed_twice_the_last_are_in_force() -> None:
    table = opened()
    table.close_betting()
    table.end_round("player")
    for minimum_minor in (500, 200):
        table.set_limits(bets={"player": BetLimits(minimum_minor=minimum_minor, maximum_minor=20_000)})
    table.open_round()
    assert reason(table.place("a", "player", 195)) == "below_minimum"
    assert reason(table.place("b", "player", 200)) is None


def test_a_round_is_paid_in_the_unit_that_it_was_bet_in() -> None:
    """A unit of 5 rounds 5.5 of commission up to 10; the unit of 1, set while the round runs, does not count."""
    table = opened(house(banker_multiple_of_minimum=False, commission_rounding="up_to_unit"))
    table.place("b", "banker", 110)
    table.close_betting()
    table.set_limits(unit_minor=1)
    assert rows(table.end_round("banker", 1, 2)) == [("b", 110, "won", False, 10, 210)]
