"""Article 10: a void round returns every stake, but for bets on pairs that stand."""

import pytest

from schemas.facts import RoundSettled
from tests.settlement.reading import rows
from tests.settlement.verbs import books, playing


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ({}, [("pp", "returned", 20), ("bp", "returned", 30)]),
        ({"player_pair": True}, [("pp", "won", 240), ("bp", "returned", 30)]),
        ({"player_pair": False}, [("pp", "lost", 0), ("bp", "returned", 30)]),
        ({"banker_pair": True}, [("pp", "returned", 20), ("bp", "won", 360)]),
        ({"player_pair": True, "banker_pair": False}, [("pp", "won", 240), ("bp", "lost", 0)]),
    ],
)
def test_a_void_round_settles_the_pairs_that_stand_and_returns_all_else(
    pairs: dict[str, bool], told: list[tuple[str, str, int]]
) -> None:
    floor = playing()
    floor.place("c", "player", 100)
    floor.play("tie")
    floor.open_round()
    floor.place("pp", "player_pair", 20)
    floor.place("bp", "banker_pair", 30)
    floor.place("t", "tie", 40)
    floor.close_betting()
    facts = floor.void(2, **pairs)
    found = {bet_id: (outcome, returned) for bet_id, _, outcome, _, _, returned in rows(facts)}
    assert found == {"c": ("returned", 100), "t": ("returned", 40)} | {
        name: (outcome, got) for name, outcome, got in told
    }
    returned = 140 + sum(got for _, _, got in told)
    assert books(facts) == (90, 100, returned, 0, 190 - returned)
    last = facts[-1]
    assert isinstance(last, RoundSettled)
    assert last.result is None
