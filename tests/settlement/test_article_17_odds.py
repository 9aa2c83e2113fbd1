"""Article 17: odds from bet to return. What one stake brings by itself stands in `test_money.py`."""

from typing import Any

import pytest

from tests.settlement.drive import opened
from tests.settlement.reading import rows


@pytest.mark.parametrize(
    ("bet", "result", "pairs", "return_minor"),
    [
        ("player", "player", "", 200),
        ("banker", "banker", "", 195),
        ("tie", "tie", "", 900),
        ("player_pair", "banker", "player", 1_200),
        ("banker_pair", "tie", "banker", 1_200),
    ],
)
def test_article_17_each_bet_returns_its_stake_and_its_odds(
    bet: str, result: Any, pairs: str, return_minor: int
) -> None:
    table = opened()
    table.place("n", bet, 100)
    table.close_betting()
    (row,) = rows(table.end_round(result, 5, 5, pairs))
    assert (row[2], row[5]) == ("won", return_minor)
