"""What counts as the expected facts, and in which order."""

from typing import Any

import pytest

from services.floor.scenario.file_format import Expected, Step
from services.floor.scenario.matching import Heard, difference, matches

MATCHES: list[tuple[Any, Any, bool]] = [
    (1, 1, True),
    (1, 2, False),
    (None, None, True),
    (0, False, False),
    (None, 0, False),
    ({}, {"a": 1}, True),
    ({"a": 1}, {"a": 1, "b": 2}, True),
    ({"a": None}, {"b": 2}, False),
    ([{"a": 1}], [{"a": 1, "b": 2}], True),
    ([{"a": 1}], [{"a": 1}, {"a": 1}], False),
    (["8H", "9C"], ["9C", "8H"], False),
]


@pytest.mark.parametrize(("expected", "got", "same"), MATCHES)
def test_of_a_table_the_named_fields_count_and_of_a_list_all_items(expected: Any, got: Any, same: bool) -> None:
    assert matches(expected, got) is same


def heard(stream: str, number: int, kind: str, cause: str = "", **data: Any) -> Heard:
    return Heard(stream, f"{number}-0", kind, "t", cause, data)


CLOSED = heard("bets", 1, "betting.closed", "console/1-0", stakes=2)
FIRST = heard("cards", 1, "card.dealt", "bets/1-0", card="8H")
SECOND = heard("cards", 2, "card.dealt", "bets/1-0", card="9C")
CALL = heard("calls", 1, "draw.called", "cards/2-0")
OTHER = heard("bets", 2, "bet.rejected", "wagers/1-0")
ROUND = [CLOSED, FIRST, SECOND, CALL, OTHER]


def step(*expect: tuple[str, dict[str, Any]], absent: tuple[str, ...] = (), exactly: bool = False) -> Step:
    expected = tuple(Expected(kind, None, fields) for kind, fields in expect)
    return Step(number=3, line=9, sends="shoe", given=("8H",), expect=expected, absent=absent, exactly=exactly)


AGREE = [
    step(),
    step(("betting.closed", {}), ("card.dealt", {"card": "8H"}), ("card.dealt", {"card": "9C"}), ("draw.called", {})),
    step(("card.dealt", {"card": "9C"})),
    step(("bet.rejected", {}), ("card.dealt", {})),  # nothing says which came first
    step(("betting.closed", {}), absent=("round.ended",)),
    step(
        *[(kind, {}) for kind in ("betting.closed", "card.dealt", "card.dealt", "draw.called", "bet.rejected")],
        exactly=True,
    ),
]


@pytest.mark.parametrize("wanted", AGREE)
def test_expected_facts_may_have_others_between_them(wanted: Step) -> None:
    assert difference(wanted, ROUND) is None


DIFFER = [
    (step(("round.ended", {})), "expected: any round.ended", "got:      no round.ended"),
    (step(("betting.closed", {"stakes": 1})), "any betting.closed stakes=1", "got:      bets betting.closed stakes=2"),
    (step(("card.dealt", {"card": "9C"}), ("card.dealt", {"card": "8H"})), 'card="8H"', "only before card.dealt"),
    (step(("card.dealt", {}), ("betting.closed", {})), "any betting.closed", "betting.closed only before card.dealt"),
    (step(("draw.called", {}), ("betting.closed", {})), "any betting.closed", "betting.closed only before draw.called"),
    (step(absent=("card.dealt",)), "expected: no card.dealt", 'got:      cards card.dealt {"card":"8H"}'),
    (step(("betting.closed", {}), exactly=True), "expected: nothing else", 'got:      cards card.dealt {"card":"8H"}'),
]


@pytest.mark.parametrize(("wanted", "expected", "got"), DIFFER)
def test_a_difference_is_told_as_expected_and_got(wanted: Step, expected: str, got: str) -> None:
    said = difference(wanted, ROUND)
    assert said is not None
    first, second, third, *facts = said.splitlines()
    assert first == "step 3 (shoe 8H)"
    assert expected in second
    assert got in third
    assert len(facts) == len(ROUND)
