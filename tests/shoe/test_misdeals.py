"""Cards of a physical shoe in no knowable order, in no hand, or in no round; where a void goes on."""

from typing import Any

import pytest

from schemas import facts
from tests.shoe.physical import (
    DECK,
    betting,
    calling,
    dealing,
    loaded,
    misdealt,
    over,
    settled,
    the_misdeal,
)
from tests.shoe.table import TABLE, assert_counts_are_whole, reason, types, unseen_of

# --- misdeals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "ordinal", "card", "expected", "why"),
    [
        (dealing, 2, "KS", 1, "ordinal_gap"),
        (betting, 9, "KS", 1, "ordinal_gap"),
        (calling, 6, None, 5, "ordinal_gap"),
        (calling, 46, "KS", 5, "ordinal_gap"),
        (calling, 2, "KS", 5, "other_card"),
        (calling, 4, "KS", 5, "other_card"),
    ],
)
def test_an_order_that_cannot_be_is_a_misdeal_and_waits_for_the_console(
    given: Any, ordinal: int, card: str | None, expected: int, why: str
) -> None:
    table = given()
    assert table.scan(ordinal, card) == [
        facts.MisdealDetected(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            ordinal=ordinal,
            expected_ordinal=expected,
            reason=why,
        )
    ]
    assert table.close_betting(1) == []
    state = table.state
    assert table.call_draw(1, "player", 4) == []
    assert table.decide_round(1, 4) == []
    assert reason(table.open_round(2)) == "round_running"
    assert table.state.shoe == state.shoe
    assert types(table.void(1)) == ["round.voided"]
    assert table.settle(1) == []
    assert types(table.open_round(2)) == ["round.opened"]


@pytest.mark.parametrize(("ordinal", "card"), [(5, "5C"), (6, None), (8, "8C"), (9, "9C"), (3, "KS")])
def test_scans_that_come_while_a_misdeal_waits_are_misdeals_too(ordinal: int, card: str | None) -> None:
    table = misdealt()
    misdeal = the_misdeal(table.scan(ordinal, card))
    assert (misdeal.round_number, misdeal.ordinal, misdeal.expected_ordinal) == (1, ordinal, 5)
    assert misdeal.reason == "awaiting_console"


def test_a_repeat_while_a_misdeal_waits_is_a_repeat() -> None:
    table = misdealt()
    assert types(table.scan(3, "3C")) == ["request.repeated"]
    assert types(table.scan(7, "7C")) == ["request.repeated"]


# --- void -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("next_ordinal", "goes_on_with", "surplus"),
    [
        (None, 8, 3),  # behind the highest seen: 5, 6 and 7 are in no hand
        (8, 8, 3),
        (5, 5, 0),  # the scan of 7 was an error
        (6, 6, 1),
        (12, 12, 7),
        (53, 53, 48),
    ],
)
def test_a_void_says_where_the_shoe_goes_on(next_ordinal: int | None, goes_on_with: int, surplus: int) -> None:
    table = misdealt()
    assert types(table.void(1, next_ordinal=next_ordinal)) == ["round.voided"]
    shoe = table.state.shoe
    assert shoe is not None
    assert shoe.next_ordinal == goes_on_with
    seen = DECK[:4] + (["7C"] if goes_on_with >= 8 else [])
    assert table.state.unseen == unseen_of(1, *seen)
    if goes_on_with < 47:
        table.settle(1)
        table.open_round(2)
        table.close_betting(2)
        assert types(table.scan(goes_on_with, "KS")) == ["card.dealt"]
        table.void(2)
        table.settle(2)
        table.end_shoe()
    else:
        assert types(table.settle(1)) == ["shoe.ended"]
    assert assert_counts_are_whole(table).surplus == surplus


@pytest.mark.parametrize("next_ordinal", [-1, 0, 4, 54])
def test_a_shoe_cannot_go_on_before_a_dealt_card_or_behind_its_last(next_ordinal: int) -> None:
    assert reason(misdealt().void(1, next_ordinal=next_ordinal)) == "out_of_range"


def test_waiting_cards_of_a_void_round_are_surplus() -> None:
    table = betting()
    table.scan_all(1, *DECK[:3])
    assert types(table.void(1)) == ["round.voided"]
    table.settle(1)
    assert types(table.scan(2, "2C")) == ["request.repeated"]
    table.end_shoe()
    ended = assert_counts_are_whole(table)
    assert (ended.dealt, ended.surplus, ended.left) == (0, 3, 49)


def test_waiting_cards_below_the_next_ordinal_are_surplus_and_the_others_unseen_again() -> None:
    table = betting()
    table.scan_all(1, *DECK[:3])
    table.void(1, next_ordinal=2)
    table.settle(1)
    assert table.state.unseen == unseen_of(1, "AC")
    table.open_round(2)
    table.close_betting(2)
    assert types(table.scan(2, "2C")) == ["card.dealt"]


def test_a_card_of_a_void_round_stays_dealt() -> None:
    table = calling()
    table.void(1)
    table.settle(1)
    table.end_shoe()
    assert assert_counts_are_whole(table).dealt == 4


# --- surplus ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "first"), [(loaded, 1), (over, 5), (settled, 5)])
def test_a_card_while_no_round_is_open_is_surplus_and_play_goes_on(given: Any, first: int) -> None:
    table = given()
    assert table.scan(first, "KS") == [
        facts.MisdealDetected(
            table=TABLE,
            shoe_number=1,
            round_number=None,
            ordinal=first,
            expected_ordinal=first,
            reason="surplus_card",
        )
    ]
    assert types(table.scan(first, "KS")) == ["request.repeated"]
    assert reason(table.scan(first, "QS")) == "expired"
    if given is over:
        table.settle(1)
    table.open_round(1 if given is loaded else 2)
    table.close_betting(1 if given is loaded else 2)
    assert types(table.scan(first + 1, "QS")) == ["card.dealt"]


def test_a_gap_between_rounds_makes_what_lies_in_it_surplus_too() -> None:
    table = settled()
    misdeal = the_misdeal(table.scan(8, "KS"))
    assert (misdeal.round_number, misdeal.ordinal, misdeal.expected_ordinal) == (None, 8, 5)
    assert reason(table.scan(6, "QS")) == "expired"
    table.end_shoe()
    ended = assert_counts_are_whole(table)
    assert (ended.dealt, ended.surplus, ended.left) == (4, 4, 44)


def test_a_failed_read_between_rounds_is_surplus_too() -> None:
    table = settled()
    assert the_misdeal(table.scan(5, None)).reason == "surplus_card"
    assert types(table.scan(5, None)) == ["request.repeated"]
    table.end_shoe()
    assert assert_counts_are_whole(table).surplus == 1


def test_what_still_waits_when_the_round_is_decided_is_surplus() -> None:
    table = calling()
    table.scan_all(5, "5C", "6C")
    table.scan(7, None)
    ended, *misdeals = table.decide_round(1, 4)
    assert isinstance(ended, facts.RoundEnded)
    assert [
        (fact.ordinal, fact.round_number, fact.reason) for fact in misdeals if isinstance(fact, facts.MisdealDetected)
    ] == [
        (5, None, "surplus_card"),
        (6, None, "surplus_card"),
        (7, None, "surplus_card"),
    ]
    table.settle(1)
    table.open_round(2)
    table.close_betting(2)
    assert types(table.scan(8, "8C")) == ["card.dealt"]
    table.void(2)
    table.settle(2)
    table.end_shoe()
    assert assert_counts_are_whole(table).surplus == 3


def test_surplus_cards_may_leave_too_few_for_a_round() -> None:
    table = settled()
    assert types(table.scan(46, "KS")) == ["misdeal.detected"]
    assert types(table.scan(47, "QS")) == ["misdeal.detected", "shoe.ended"]
    ended = assert_counts_are_whole(table)
    assert (ended.reason, ended.left, ended.surplus) == ("too_few_cards", 5, 43)


def test_a_shoe_does_not_end_before_the_round_is_settled() -> None:
    table = over()
    assert types(table.scan(52, "KS")) == ["misdeal.detected"]
    assert types(table.settle(1)) == ["shoe.ended"]
    assert_counts_are_whole(table)
