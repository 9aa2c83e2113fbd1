"""Which entries a step takes, in which order, and where it stops."""

import pytest

from schemas.facts import BetAccepted, BettingClosed
from services.runtime.step import READ_COUNT, STEP_FACTS_MAX
from tests.runtime.toy import BREAKS, bet, cancel, close, new_steps, numbered, opened, packed


def test_a_step_takes_all_that_one_read_gave() -> None:
    steps = new_steps()
    assert steps.take({"cards": numbered(*opened(2)), "wagers": numbered(packed(bet()), packed(bet()))})
    assert [type(fact) for fact in steps.facts] == [BetAccepted, BetAccepted]
    assert steps.positions == {"cards": "2-0", "console": "0-0", "wagers": "2-0"}


def test_lower_streams_wait_while_a_higher_one_was_not_read_to_its_end() -> None:
    steps = new_steps()
    assert not steps.take({"cards": numbered(*opened(READ_COUNT)), "wagers": numbered(packed(bet()))})
    assert steps.positions == {"cards": f"{READ_COUNT}-0", "console": "0-0", "wagers": "0-0"}
    assert not steps.has_effect
    assert steps.has_moved


def test_a_step_stops_at_its_limit_and_lower_streams_with_it() -> None:
    steps = new_steps()
    many = [packed(bet()) for _ in range(STEP_FACTS_MAX - 1)]
    assert steps.take({"wagers": numbered(*many)})
    assert not steps.take({"console": numbered(packed(close("0-0")), packed(close("0-0"))), "wagers": []})
    assert (len(steps.facts), steps.positions["console"]) == (STEP_FACTS_MAX, "1-0")


def test_a_close_takes_the_wagers_it_names_first_and_leaves_later_ones_behind() -> None:
    steps = new_steps()
    wagers = numbered(*(packed(bet()) for _ in range(5)))
    assert steps.take({"console": numbered(packed(close("3-0"))), "wagers": wagers})
    assert [type(fact) for fact in steps.facts] == [BetAccepted] * 3 + [BettingClosed]
    assert steps.positions["wagers"] == "5-0"


@pytest.mark.parametrize("through", ["3-0", "99999999999999-0"])
def test_a_close_that_names_lost_wagers_does_not_wait_for_them(through: str) -> None:
    steps = new_steps()
    assert steps.take({"console": numbered(packed(close(through))), "wagers": numbered(packed(bet()))})
    assert [type(fact) for fact in steps.facts] == [BetAccepted, BettingClosed]


def test_a_close_under_a_flood_waits_for_the_end_that_the_wagers_had() -> None:
    steps = new_steps()
    flood = numbered(*(packed(cancel()) for _ in range(READ_COUNT)))
    console = numbered(packed(close(f"{READ_COUNT + 9}-0")))
    assert not steps.take({"console": console, "wagers": flood})
    assert (steps.end_wanted, steps.positions["wagers"]) == ("wagers", "0-0")
    steps.end_known("wagers", f"{READ_COUNT + 2}-0")
    assert not steps.take({"console": console, "wagers": flood})
    assert (steps.end_wanted, steps.positions["wagers"]) == (None, f"{READ_COUNT}-0")
    more = numbered(*(packed(bet()) for _ in range(READ_COUNT)), first=READ_COUNT + 1)
    assert not steps.take({"console": console, "wagers": more})
    assert [type(fact) for fact in steps.facts] == [BetAccepted] * 2 + [BettingClosed]


def test_an_error_of_ours_stops_at_the_guilty_entry_and_keeps_what_came_before() -> None:
    steps = new_steps()
    wagers = numbered(packed(bet()), packed(bet(amount_minor=BREAKS)), packed(bet()))
    assert not steps.take({"wagers": wagers})
    assert steps.guilty is not None
    assert (steps.guilty.place, steps.guilty.table) == ("wagers/2-0", "t")
    assert "told to break" in str(steps.guilty)
    assert (len(steps.facts), steps.positions["wagers"]) == (1, "1-0")


@pytest.mark.parametrize(
    ("index", "value", "cause"),
    [
        (5, b"round.renamed", "unknown_type"),
        (15, b"{", "not_json"),
        (13, b"7", "sequence 7"),
    ],
)
def test_a_fact_that_cannot_be_read_stops_the_pit(index: int, value: bytes, cause: str) -> None:
    fact = opened(1)[0]
    position = {5: fact.index(b"type") + 1, 15: fact.index(b"data") + 1, 13: fact.index(b"sequence") + 1}[index]
    fact[position] = value
    steps = new_steps()
    assert not steps.take({"cards": numbered(fact), "wagers": numbered(packed(bet()))})
    assert steps.guilty is not None
    assert cause in steps.guilty.cause
    assert not steps.has_moved


def test_a_missing_fact_of_a_sister_service_stops_the_pit() -> None:
    steps = new_steps()
    assert not steps.take({"cards": numbered(*opened(1), *opened(1, first=3))})
    assert steps.guilty is not None
    assert steps.guilty.place == "cards/2-0"


def test_an_undecodable_request_is_rejected_once_and_the_next_is_taken() -> None:
    steps = new_steps()
    assert steps.take({"wagers": numbered([b"type", b"bet.place", b"data", b"{"], packed(bet()))})
    assert (steps.reject_count, len(steps.facts)) == (1, 1)


def test_what_another_service_decides_is_passed_over_in_silence() -> None:
    steps = new_steps()
    assert steps.take({"console": numbered([b"type", b"table.open", b"data", b"{"], [b"no", b"type"])})
    assert not steps.has_effect
    assert steps.positions["console"] == "2-0"


def test_entries_of_a_table_that_is_set_aside_are_rejected_and_others_taken() -> None:
    steps = new_steps(frozenset({"bad"}))
    wagers = numbered(packed(bet("bad", BREAKS)), packed(bet("good")))
    assert steps.take({"wagers": wagers})
    assert (steps.guilty, steps.reject_count, [fact.table for fact in steps.facts]) == (None, 1, ["good"])


def test_a_close_that_names_lost_wagers_does_not_wait_for_a_flood_that_comes_behind_it() -> None:
    steps = new_steps()
    wagers = numbered(*(packed(bet()) for _ in range(READ_COUNT - 1)))
    console = numbered(packed(close("0-0", "a")), packed(close("0-0", "b")), packed(close("99999999999999-0")))
    assert not steps.take({"console": console, "wagers": wagers})
    assert (len(steps.facts), steps.positions["wagers"]) == (STEP_FACTS_MAX, f"{READ_COUNT - 2}-0")
    steps.seal("2026-01-01T00:00:00.000000Z")
    steps.acknowledged()
    flood = numbered(*(packed(bet()) for _ in range(READ_COUNT - 1)), first=READ_COUNT)
    assert not steps.take({"console": console[2:], "wagers": [*wagers[-1:], *flood]})
    assert [type(fact) for fact in steps.facts] == [BetAccepted, BettingClosed]


def test_an_unreadable_fact_of_a_table_that_is_set_aside_is_rejected_and_the_next_taken() -> None:
    first, second = opened(2)
    first[first.index(b"type") + 1] = b"round.renamed"
    steps = new_steps(frozenset({"t"}))
    assert steps.take({"cards": numbered(first, second)})
    assert (steps.guilty, steps.reject_count, steps.positions["cards"]) == (None, 2, "2-0")


@pytest.mark.parametrize("field", ["sequence", "type"])
def test_a_gap_stops_the_pit_whatever_table_is_set_aside_and_names_none_to_set_aside(field: str) -> None:
    (fact,) = opened(1, first=2)
    fact[fact.index(field.encode()) + 1] = b"3"
    steps = new_steps(frozenset({"t"}))
    assert not steps.take({"cards": numbered(fact)})
    assert steps.guilty is not None
    assert (steps.guilty.place, steps.guilty.table) == ("cards/1-0", "")
