"""A physical shoe: scans by ordinal, what waits, what is missed, what is surplus, and where the console must decide."""

from typing import Any

import pytest

from schemas import facts
from schemas.cards import CARDS
from schemas.codec import Caused
from schemas.events import Fact
from tests.shoe.table import TABLE, Table, assert_counts_are_whole, house_rules, reason, types, unseen_of

DECK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def loaded(burned: int = 0, **fields: Any) -> Table:
    table = Table(house_rules(**fields))
    table.open()
    table.load("physical", burned=burned)
    return table


def betting(burn: int = 0, **fields: Any) -> Table:
    table = loaded(**fields)
    table.open_round(1, burn=burn)
    return table


def dealing(**fields: Any) -> Table:
    table = betting(**fields)
    table.close_betting(1)
    return table


def calling(**fields: Any) -> Table:
    """Four cards are dealt: AC and 3C to Player, 2C and 4C to Banker."""
    table = dealing(**fields)
    table.scan_all(1, *DECK[:4])
    return table


def over(**fields: Any) -> Table:
    table = calling(**fields)
    table.decide_round(1, 4)
    return table


def settled(**fields: Any) -> Table:
    table = over(**fields)
    table.settle(1)
    return table


def misdealt() -> Table:
    """Four cards are dealt, then ordinal 7 comes in place of 5."""
    table = calling()
    table.scan(7, "7C")
    return table


def the_misdeal(written: list[Fact]) -> facts.MisdealDetected:
    (fact,) = (fact for fact in written if isinstance(fact, facts.MisdealDetected))
    return fact


def dealt(table: Table) -> list[tuple[int, str, int, str | None]]:
    return [(fact.card_number, fact.side, fact.position, fact.card) for fact in table.of(facts.CardDealt)]


FIRST_FOUR = [(1, "player", 1, "AC"), (2, "banker", 1, "2C"), (3, "player", 2, "3C"), (4, "banker", 2, "4C")]


# --- in order ------------------------------------------------------------------------------------------------------


def test_cards_are_dealt_as_they_are_scanned_after_betting_closed() -> None:
    table = dealing()
    assert types(table.scan(1, "AC")) == ["card.dealt"]
    table.scan_all(2, *DECK[1:4])
    assert dealt(table) == FIRST_FOUR


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
    assert table.facts[2:] == virtual.facts[2:]
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


# --- waiting -------------------------------------------------------------------------------------------------------


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
    (note, card) = table.last_outcomes
    assert not isinstance(note, Fact)
    assert isinstance(card, Caused)
    assert card.causation == place
    table.scan(2, "2C")
    assert not any(isinstance(outcome, Caused) for outcome in table.last_outcomes)


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
    assert [outcome.causation for outcome in table.last_outcomes if isinstance(outcome, Caused)] == [place] * 2


# --- failed reads --------------------------------------------------------------------------------------------------


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
    assert [outcome.causation for outcome in table.last_outcomes if isinstance(outcome, Caused)] == [place]


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


# --- repeats and what is over --------------------------------------------------------------------------------------


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


# --- misdeals ------------------------------------------------------------------------------------------------------


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
    state = table.state
    assert table.close_betting(1) == []
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


# --- void ----------------------------------------------------------------------------------------------------------


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


# --- surplus -------------------------------------------------------------------------------------------------------


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


# --- burned cards --------------------------------------------------------------------------------------------------


def test_burned_cards_are_noted_and_their_absence_is_no_gap() -> None:
    table = betting(burn=3)
    assert table.scan(2, "2C") == []
    table.close_betting(1)
    assert types(table.scan(4, "4C")) == ["card.dealt"]
    assert table.scan(1, "AC") == []
    assert types(table.scan(2, "2C")) == ["request.repeated"]
    assert types(table.scan(5, "5C")) == ["card.dealt"]
    assert table.state.unseen == unseen_of(1, "AC", "2C", "4C", "5C")
    table.void(1)
    table.settle(1)
    table.end_shoe()
    ended = assert_counts_are_whole(table)
    assert (ended.burned_seen, ended.burned_unseen, ended.dealt, ended.left) == (2, 1, 2, 47)


def test_a_burned_card_that_could_not_be_read_holds_nothing_back() -> None:
    table = betting(burn=1)
    table.close_betting(1)
    assert types(table.scan(1, None)) == ["scan.missed"]
    assert types(table.scan(1, None)) == ["request.repeated"]
    assert types(table.scan(2, "2C")) == ["card.dealt"]
    assert table.scan(1, "AC") == []
    assert table.state.unseen == unseen_of(1, "AC", "2C")


def test_another_card_at_a_burned_ordinal_is_a_misdeal() -> None:
    table = betting(burn=1)
    table.scan(1, "AC")
    assert the_misdeal(table.scan(1, "KS")).reason == "other_card"


def test_a_burned_card_seen_while_a_misdeal_waits_is_counted_as_burned() -> None:
    table = betting(burn=2)
    table.scan(5, "5C")
    assert the_misdeal(table.scan(1, "AC")).reason == "awaiting_console"
    table.void(1)
    table.settle(1)
    table.end_shoe()
    ended = assert_counts_are_whole(table)
    assert (ended.burned_seen, ended.burned_unseen, ended.surplus, ended.left) == (1, 1, 3, 47)


def test_a_standing_burn_counts_ordinals_too() -> None:
    table = betting(burn=1, burn_each_round=2, cut_card_depth=16)
    (opened,) = table.of(facts.RoundOpened)
    assert (opened.burned, opened.cards_left) == (3, 49)
    table.close_betting(1)
    assert types(table.scan(4, "4C")) == ["card.dealt"]


# --- shufflers -----------------------------------------------------------------------------------------------------


def test_a_physical_shufflers_ordinals_go_on_and_each_round_may_show_every_card_again() -> None:
    table = loaded(dealing="continuous_shuffler", cut_card_depth=0)
    for number in range(1, 31):
        first = 4 * number - 3
        table.open_round(number)
        table.close_betting(number)
        assert types(table.scan_all(first, "AC", "2C", "3C", "4C")) == ["card.dealt"] * 4
        assert types(table.scan(first + 3, "4C")) == ["request.repeated"]
        if number > 1:
            assert reason(table.scan(first - 1, "4C")) == "expired"
        table.decide_round(number, 4)
        table.settle(number)
    shoe = table.state.shoe
    assert shoe is not None
    assert shoe.next_ordinal == 121
    assert len(shoe.faces) == 8
    (ended,) = table.end_shoe()
    assert isinstance(ended, facts.ShoeEnded)
    assert (ended.dealt, ended.left) == (120, 52)


# --- whole shoes and secrecy ---------------------------------------------------------------------------------------


def test_a_whole_physical_shoe_counts_every_card_once() -> None:
    """Five cards a round, each fifth round void with a card in no hand, the second last card of the shoe is seen."""
    table = loaded(burned=2, decks=2, cut_card_depth=14)
    ordinal, number, pack = 3, 0, DECK[2:] + DECK
    cards = dict(enumerate(pack, 3))
    while not table.of(facts.ShoeEnded):
        number += 1
        table.open_round(number)
        table.close_betting(number)
        table.scan_all(ordinal, *(cards[ordinal + index] for index in range(4)))
        if number % 5 == 0:
            table.scan(ordinal + 4, cards[ordinal + 4])
            table.void(number)
        else:
            table.call_draw(number, "banker", 4)
            table.scan(ordinal + 4, cards[ordinal + 4])
            table.decide_round(number, 5)
        ordinal += 5
        table.settle(number)
    ended = assert_counts_are_whole(table, 2)
    assert (ended.rounds, ended.dealt, ended.surplus, ended.burned_unseen, ended.left) == (20, 96, 4, 2, 2)
    assert ended.reason == "too_few_cards"


def test_the_face_of_a_card_that_is_not_dealt_is_in_no_fact() -> None:
    """Four cards of clubs are dealt; spades are scanned where they cannot be."""
    table = betting(burn=1)
    table.scan(1, "KS")  # burned
    table.scan_all(2, "AC", "2C", "3C", "4C", "QS", "JS")
    table.close_betting(1)
    table.scan(8, "AC")  # impossible
    table.decide_round(1, 4)  # QS and JS are surplus
    table.scan(9, "TS")  # no round is open
    table.settle(1)
    table.open_round(2)
    table.scan(12, "9S")  # a gap
    table.scan(13, "8S")  # awaiting the console
    table.scan(1, "7S")  # expired
    table.void(2)
    shown = {card for card in CARDS for fact in table.facts if f"'{card}'" in repr(fact) and not is_decision(fact)}
    assert shown == {"AC", "2C", "3C", "4C"}


def is_decision(fact: Fact) -> bool:
    """The test's own decision names cards of its own."""
    return isinstance(fact, facts.RoundEnded)
