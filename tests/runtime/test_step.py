"""Which entries a step takes, in which order, and where it stops."""

import pytest

from schemas.facts import BetAccepted, BettingClosed
from services.runtime.step import READ_COUNT, STEP_FACTS_MAX
from tests.runtime.toy import BREAKS, bet, cancel, close, new_stepper, numbered, opened, packed


def test_a_step_takes_all_that_one_read_gave() -> None:
    stepper = new_stepper()
    assert stepper.take({"cards": numbered(*opened(2)), "wagers": numbered(packed(bet()), packed(bet()))})
    assert [type(fact) for fact in stepper.facts] == [BetAccepted, BetAccepted]
    assert stepper.positions == {"cards": "2-0", "console": "0-0", "wagers": "2-0"}


def test_lower_streams_wait_while_a_higher_one_was_not_read_to_its_end() -> None:
    stepper = new_stepper()
    assert not stepper.take({"cards": numbered(*opened(READ_COUNT)), "wagers": numbered(packed(bet()))})
    assert stepper.positions == {"cards": f"{READ_COUNT}-0", "console": "0-0", "wagers": "0-0"}
    assert not stepper.has_effect
    assert stepper.has_moved


def test_a_step_stops_at_its_limit_and_lower_streams_with_it() -> None:
    stepper = new_stepper()
    many = [packed(bet()) for _ in range(STEP_FACTS_MAX - 1)]
    assert stepper.take({"wagers": numbered(*many)})
    assert not stepper.take({"console": numbered(packed(close("0-0")), packed(close("0-0"))), "wagers": []})
    assert (len(stepper.facts), stepper.positions["console"]) == (STEP_FACTS_MAX, "1-0")


def test_a_close_takes_the_wagers_it_names_first_and_leaves_later_ones_behind() -> None:
    stepper = new_stepper()
    wagers = numbered(*(packed(bet()) for _ in range(5)))
    assert stepper.take({"console": numbered(packed(close("3-0"))), "wagers": wagers})
    assert [type(fact) for fact in stepper.facts] == [BetAccepted] * 3 + [BettingClosed]
    assert stepper.positions["wagers"] == "5-0"


@pytest.mark.parametrize("through", ["3-0", "99999999999999-0"])
def test_a_close_that_names_lost_wagers_does_not_wait_for_them(through: str) -> None:
    stepper = new_stepper()
    assert stepper.take({"console": numbered(packed(close(through))), "wagers": numbered(packed(bet()))})
    assert [type(fact) for fact in stepper.facts] == [BetAccepted, BettingClosed]


def test_a_close_under_a_flood_waits_for_the_end_that_the_wagers_had() -> None:
    stepper = new_stepper()
    flood = numbered(*(packed(cancel()) for _ in range(READ_COUNT)))
    console = numbered(packed(close(f"{READ_COUNT + 9}-0")))
    assert not stepper.take({"console": console, "wagers": flood})
    assert (stepper.end_wanted, stepper.positions["wagers"]) == ("wagers", "0-0")
    stepper.end_known("wagers", f"{READ_COUNT + 2}-0")
    assert not stepper.take({"console": console, "wagers": flood})
    assert (stepper.end_wanted, stepper.positions["wagers"]) == (None, f"{READ_COUNT}-0")
    more = numbered(*(packed(bet()) for _ in range(READ_COUNT)), first=READ_COUNT + 1)
    assert not stepper.take({"console": console, "wagers": more})
    assert [type(fact) for fact in stepper.facts] == [BetAccepted] * 2 + [BettingClosed]


def test_an_error_of_ours_stops_at_the_guilty_entry_and_keeps_what_came_before() -> None:
    stepper = new_stepper()
    wagers = numbered(packed(bet()), packed(bet(amount_minor=BREAKS)), packed(bet()))
    assert not stepper.take({"wagers": wagers})
    assert stepper.impassable is not None
    assert (stepper.impassable.place, stepper.impassable.table) == ("wagers/2-0", "t")
    assert "told to break" in str(stepper.impassable)
    assert (len(stepper.facts), stepper.positions["wagers"]) == (1, "1-0")


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
    stepper = new_stepper()
    assert not stepper.take({"cards": numbered(fact), "wagers": numbered(packed(bet()))})
    assert stepper.impassable is not None
    assert cause in stepper.impassable.cause
    assert not stepper.has_moved


def test_a_missing_fact_of_a_sister_service_stops_the_pit() -> None:
    stepper = new_stepper()
    assert not stepper.take({"cards": numbered(*opened(1), *opened(1, first=3))})
    assert stepper.impassable is not None
    assert stepper.impassable.place == "cards/2-0"


def test_an_undecodable_request_is_rejected_once_and_the_next_is_taken() -> None:
    stepper = new_stepper()
    assert stepper.take({"wagers": numbered([b"type", b"bet.place", b"data", b"{"], packed(bet()))})
    assert (stepper.reject_count, len(stepper.facts)) == (1, 1)


def test_what_another_service_decides_is_passed_over_in_silence() -> None:
    stepper = new_stepper()
    assert stepper.take({"console": numbered([b"type", b"table.open", b"data", b"{"], [b"no", b"type"])})
    assert not stepper.has_effect
    assert stepper.positions["console"] == "2-0"


def test_entries_of_a_table_that_is_set_aside_are_rejected_and_others_taken() -> None:
    stepper = new_stepper(frozenset({"bad"}))
    wagers = numbered(packed(bet("bad", BREAKS)), packed(bet("good")))
    assert stepper.take({"wagers": wagers})
    assert (stepper.impassable, stepper.reject_count, [fact.table for fact in stepper.facts]) == (None, 1, ["good"])


def test_a_close_that_names_lost_wagers_does_not_wait_for_a_flood_that_comes_behind_it() -> None:
    stepper = new_stepper()
    wagers = numbered(*(packed(bet()) for _ in range(READ_COUNT - 1)))
    console = numbered(packed(close("0-0", "a")), packed(close("0-0", "b")), packed(close("99999999999999-0")))
    assert not stepper.take({"console": console, "wagers": wagers})
    assert (len(stepper.facts), stepper.positions["wagers"]) == (STEP_FACTS_MAX, f"{READ_COUNT - 2}-0")
    stepper.seal("2026-01-01T00:00:00.000000Z")
    stepper.acknowledged()
    flood = numbered(*(packed(bet()) for _ in range(READ_COUNT - 1)), first=READ_COUNT)
    assert not stepper.take({"console": console[2:], "wagers": [*wagers[-1:], *flood]})
    assert [type(fact) for fact in stepper.facts] == [BetAccepted, BettingClosed]


def test_an_unreadable_fact_of_a_table_that_is_set_aside_is_rejected_and_the_next_taken() -> None:
    first, second = opened(2)
    first[first.index(b"type") + 1] = b"round.renamed"
    stepper = new_stepper(frozenset({"t"}))
    assert stepper.take({"cards": numbered(first, second)})
    assert (stepper.impassable, stepper.reject_count, stepper.positions["cards"]) == (None, 2, "2-0")


@pytest.mark.parametrize("field", ["sequence", "type"])
def test_a_gap_stops_the_pit_whatever_table_is_set_aside_and_names_none_to_set_aside(field: str) -> None:
    (fact,) = opened(1, first=2)
    fact[fact.index(field.encode()) + 1] = b"3"
    stepper = new_stepper(frozenset({"t"}))
    assert not stepper.take({"cards": numbered(fact)})
    assert stepper.impassable is not None
    assert (stepper.impassable.place, stepper.impassable.table) == ("cards/1-0", "")
