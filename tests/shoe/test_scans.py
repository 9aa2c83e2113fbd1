"""Scans of a physical shoe: what is dealt, what waits, what could not be read, what is told again."""

from typing import Any

import pytest
from msgspec.structs import replace

from schemas import facts
from schemas.events import Fact
from services.decider.outcome import LateAnswer
from tests.shoe.physical import (
    DECK,
    FIRST_FOUR,
    betting,
    calling,
    dealing,
    dealt,
    loaded,
    over,
    settled,
)
from tests.shoe.table import TABLE, Table, house_rules, reason, types

# --- in order ---------------------------------------------------------------------------------------------------------


def test_cards_are_dealt_as_they_are_scanned_after_betting_closed() -> None:
    table = dealing()
    assert types(table.scan(1, "AC")) == ["card.dealt"]
    table.scan_all(2, *DECK[1:4])
    assert dealt(table) == FIRST_FOUR


def without_key(fact: Any) -> Any:
    """The fact without what a virtual shoe alone has."""
    match fact:
        case facts.RoundOpened():
            return replace(fact, commitment=None)
        case facts.RoundEnded():
            return replace(fact, key=None)
        case _:
            return fact


def test_a_physical_shoe_gives_the_facts_of_a_virtual_one() -> None:
    virtual = Table(house_rules(), DECK[:6])
    virtual.open()
    virtual.load()
    virtual.play_round(1, cards=6)
    table = calling()
    table.call_draw(1, "player", 4)
    table.scan(5, DECK[4])
    table.call_draw(1, "banker", 5)
    table.scan(6, DECK[5])
    table.decide_round(1, 6)
    table.settle(1)
    assert table.facts[2:] == [without_key(fact) for fact in virtual.facts[2:]]
    assert table.state.unseen == virtual.state.unseen


def test_the_houses_burn_is_not_done_for_a_physical_shoe() -> None:
    table = loaded(burned=3, burn="first_card")
    (started,) = table.of(facts.ShoeStarted)
    assert (started.burned, started.burn_card) == (3, None)


def test_the_first_ordinal_is_behind_the_burned_cards() -> None:
    table = loaded(burned=3)
    table.open_round(1)
    table.close_betting(1)
    assert reason(table.scan(3, "8H")) == "expired"
    assert types(table.scan(4, "8H")) == ["card.dealt"]


# --- waiting ----------------------------------------------------------------------------------------------------------


def test_cards_before_the_close_wait_and_show_nothing() -> None:
    table = betting()
    assert table.scan_all(1, *DECK[:6]) == []
    assert types(table.close_betting(1)) == ["card.dealt"] * 4
    assert dealt(table) == FIRST_FOUR
    assert [fact.card for fact in table.of(facts.CardDealt)] == DECK[:4]
    assert types(table.call_draw(1, "banker", 4)) == ["card.dealt"]
    assert dealt(table)[4:] == [(5, "banker", 3, "5C")]


def test_a_card_that_waited_is_caused_by_its_scan() -> None:
    table = betting()
    table.scan(1, "AC")
    place = f"scans/{table.entries}-0"
    table.close_betting(1)
    *notes, card = table.last_outcomes
    assert not any(isinstance(note, Fact) for note in notes)
    assert isinstance(card, LateAnswer)
    assert card.place == place
    table.scan(2, "2C")
    assert not any(isinstance(outcome, LateAnswer) for outcome in table.last_outcomes)


def test_two_cards_that_come_before_the_call_wait_for_it() -> None:
    table = calling()
    assert table.scan_all(5, "5C", "6C") == []
    assert types(table.call_draw(1, "player", 4)) == ["card.dealt"]
    assert types(table.call_draw(1, "banker", 5)) == ["card.dealt"]
    assert dealt(table)[4:] == [(5, "player", 3, "5C"), (6, "banker", 3, "6C")]


@pytest.mark.parametrize("given", [betting, calling])
def test_a_seventh_waiting_card_is_a_misdeal(given: Any) -> None:
    table = given()
    first = table.state.shoe.next_ordinal
    assert table.scan_all(first, *DECK[first - 1 : first + 5]) == []
    assert table.scan(first + 6, DECK[first + 5]) == [
        facts.MisdealDetected(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            ordinal=first + 6,
            expected_ordinal=first + 6,
            reason="too_many_waiting",
        )
    ]
    assert table.close_betting(1) == []
    assert table.call_draw(1, "player", 4) == []


def test_a_card_found_face_up_is_told_right_before_it_is_dealt() -> None:
    table = dealing()
    assert table.scan(1, "AC", face_up=True) == [
        facts.CardFoundFaceUp(table=TABLE, shoe_number=1, round_number=1, card_number=1),
        facts.CardDealt(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            card_number=1,
            side="player",
            position=1,
            card="AC",
            points=1,
        ),
    ]


def test_a_card_face_up_counts_for_through() -> None:
    table = dealing()
    table.scan(1, "AC", face_up=True)
    table.scan_all(2, *DECK[1:4])
    assert table.call_draw(1, "player", 4) == []
    assert table.decide_round(1, 4) == []
    assert types(table.decide_round(1, 5)) == ["round.ended"]


def test_a_waiting_card_is_found_face_up_by_its_own_scan() -> None:
    table = betting()
    table.scan(1, "AC", face_up=True)
    place = f"scans/{table.entries}-0"
    assert types(table.close_betting(1)) == ["card.found_face_up", "card.dealt"]
    assert [outcome.place for outcome in table.last_outcomes if isinstance(outcome, LateAnswer)] == [place] * 2


# --- failed reads -----------------------------------------------------------------------------------------------------


def test_a_failed_read_is_told_and_holds_back_what_follows() -> None:
    table = dealing()
    assert table.scan(1, None) == [facts.ScanMissed(table=TABLE, shoe_number=1, round_number=1, ordinal=1)]
    assert table.scan_all(2, "2C", "3C") == []
    assert types(table.scan(1, "AC")) == ["card.dealt"] * 3
    assert dealt(table) == FIRST_FOUR[:3]


def test_two_failed_reads_are_entered_in_any_order() -> None:
    table = dealing()
    assert types(table.scan_all(1, "AC", "2C")) == ["card.dealt"] * 2
    assert types(table.scan(3, None) + table.scan(4, None)) == ["scan.missed"] * 2
    assert table.scan(4, "4C") == []
    assert types(table.scan(3, "3C")) == ["card.dealt"] * 2
    assert dealt(table) == FIRST_FOUR


def test_a_card_entered_by_hand_is_not_caused_by_the_failed_scan() -> None:
    table = betting()
    table.scan(1, None)
    table.scan(1, "AC")
    place = f"scans/{table.entries}-0"
    table.close_betting(1)
    assert [outcome.place for outcome in table.last_outcomes if isinstance(outcome, LateAnswer)] == [place]


@pytest.mark.parametrize("decks", [1, 2])
def test_one_copy_more_than_there_are_decks_is_a_failed_read(decks: int) -> None:
    table = dealing(decks=decks)
    table.scan_all(1, *["8H"] * decks)
    before = table.state.unseen
    assert types(table.scan(decks + 1, "8H")) == ["scan.missed"]
    assert table.state.unseen == before
    assert types(table.scan(decks + 1, "8H")) == ["request.repeated"]
    assert types(table.scan(decks + 1, "9H")) == ["card.dealt"]


def test_a_failed_read_repeated_is_a_repeat() -> None:
    table = dealing()
    table.scan(1, None)
    state = table.state
    assert types(table.scan(1, None)) == ["request.repeated"]
    assert table.state == state


# --- repeats and what is over -----------------------------------------------------------------------------------------


def test_the_same_ordinal_and_card_is_a_repeat_whenever_it_comes() -> None:
    table = settled()
    table.open_round(2)
    table.scan(5, "5C")
    state = table.state
    for ordinal in (1, 4, 5):
        (fact,) = table.scan(ordinal, DECK[ordinal - 1])
        assert isinstance(fact, facts.RequestRepeated)
        assert (fact.first, fact.request_type) == (None, "card.scan")
    assert table.state == state


@pytest.mark.parametrize("given", [over, settled])
def test_another_card_at_an_ordinal_of_an_ended_round_is_expired(given: Any) -> None:
    table = given()
    state = table.state
    assert reason(table.scan(3, "KS")) == "expired"
    assert table.state == state


def test_another_card_at_an_ordinal_of_an_earlier_round_is_expired_in_the_next() -> None:
    table = settled()
    table.open_round(2)
    assert reason(table.scan(4, "KS")) == "expired"


def test_a_failed_read_of_a_card_that_was_read_says_nothing_new() -> None:
    table = calling()
    state = table.state
    assert types(table.scan(2, None)) == ["request.repeated"]
    assert table.state == state


def test_no_round_open_and_an_ordinal_that_is_out_but_unseen_is_expired() -> None:
    table = loaded(burned=3)
    assert reason(table.scan(2, "8H")) == "expired"
