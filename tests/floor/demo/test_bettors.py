"""The demo's bettors: plausible, and the same for the same round."""

from collections import Counter

import pytest

from schemas.requests import BetCancel, BetChange, BetPlace
from services.floor.demo.bettors import PlannedWager, wagers_of_round
from services.floor.demo.tables import TABLES, limits_of


def wagers(round_number: int, table: str = "macau-1", seed: str = "demo") -> tuple[PlannedWager, ...]:
    return wagers_of_round(seed=seed, table=table, shoe_number=1, round_number=round_number, limits=limits_of(table))


def test_the_same_round_gets_the_same_wagers_and_another_others() -> None:
    assert wagers(1) == wagers(1)
    others = [wagers(2), wagers(1, table="sjm-1"), wagers(1, seed="other")]
    ids = [wager.id for planned in (wagers(1), *others) for wager in planned]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("table", TABLES)
def test_a_few_hundred_rounds_hold_nothing_that_a_table_must_refuse(table: str) -> None:
    limits = limits_of(table)
    types: Counter[str] = Counter()
    for round_number in range(1, 301):
        planned = wagers(round_number, table)
        assert 2 <= len([wager for wager in planned if isinstance(wager.request, BetPlace)]) <= 8
        assert [wager.moment for wager in planned] == sorted(wager.moment for wager in planned)
        placed: set[str] = set()
        for wager in planned:
            assert 0.0 < wager.moment < 1.0
            types[wager.request.type] += 1
            match wager.request:
                case (
                    BetPlace(bet=bet, amount_minor=amount_minor, bet_id=bet_id)
                    | BetChange(bet=bet, amount_minor=amount_minor, bet_id=bet_id)
                ):
                    bounds = limits.bets[bet]
                    assert bounds.minimum_minor <= amount_minor <= bounds.maximum_minor
                    # 5 % of it is in whole units of 5 dollars.
                    assert amount_minor % 10_000 == 0
                    assert isinstance(wager.request, BetPlace) or bet_id in placed
                    placed.add(bet_id)
                case BetCancel(bet_id=bet_id):
                    assert bet_id in placed
                case _:
                    pytest.fail("no other wager exists")
    assert set(types) == {"bet.place", "bet.change", "bet.cancel"}
    assert types["bet.place"] > 4 * (types["bet.change"] + types["bet.cancel"])
