"""Article 10 in play: cards are dealt out again in the order in which they left the shoe, readings put right."""

import pytest

from schemas import facts, requests
from tests.shoe.loop import Loop, R, dealing, physical, told, waiting_for_bankers_third
from tests.shoe.physical import the_misdeal
from tests.shoe.table import reason, types, unseen_of


def ended(loop: Loop) -> facts.RoundEnded:
    fact = loop.of(facts.RoundEnded)[-1]
    assert isinstance(fact, facts.RoundEnded)
    return fact


def test_a_wrong_reading_is_put_right_and_a_third_card_that_was_not_due_is_surplus() -> None:
    loop = waiting_for_bankers_third()
    written = loop.correct(1, {2: "4D"})  # Banker 4D 5C: a natural 9, nobody draws
    assert told(written) == [
        ("corrected", 2, "banker", 1, "4D"),
        ("corrected", 5, None, None, "4C"),
    ]
    assert types(written)[2:] == ["round.ended", "misdeal.detected"]
    end = ended(loop)
    assert (end.player_cards, end.banker_cards, end.result, end.natural) == (("2C", "3C"), ("4D", "5C"), "banker", True)
    assert (end.revision, loop.of(facts.CardCorrected)[0].revision) == (0, 0)
    assert [(fact.ordinal, fact.reason) for fact in loop.of(facts.MisdealDetected)] == [(5, "surplus_card")]
    assert loop.state.unseen == unseen_of(1, "2C", "4D", "3C", "5C", "4C")


def test_third_cards_are_taken_back_and_dealt_again_upon_the_calls_that_follow() -> None:
    loop = waiting_for_bankers_third()
    written = loop.correct(1, {2: "QC"})  # Banker's total is the same: all is as it was
    assert told(written) == [
        ("corrected", 2, "banker", 1, "QC"),
        ("corrected", 5, None, None, "4C"),
        ("corrected", 5, "player", 3, "4C"),
    ]
    assert told(loop.scan(6, "KD")) == [("dealt", 6, "banker", 3, "KD")]
    assert ended(loop).banker_cards == ("QC", "5C", "KD")


def test_a_third_card_goes_to_the_other_side_where_the_right_readings_say_so() -> None:
    loop = waiting_for_bankers_third()
    written = loop.correct(1, {3: "4D"})  # Player 6 stands, Banker 5 draws
    assert told(written)[-1] == ("corrected", 5, "banker", 3, "4C")
    end = ended(loop)
    assert (end.player_cards, end.banker_cards, end.result) == (("2C", "4D"), ("KC", "5C", "4C"), "banker")


def test_a_card_read_twice_counts_once() -> None:
    loop = dealing(decks=2)
    loop.scan_all(1, "2C", "KC", "KC", "5C")  # ordinal 3 was the same king again
    written = loop.correct(1, {3: None})
    assert told(written) == [("corrected", 3, None, None, None), ("corrected", 4, "player", 2, "5C")]
    assert told(loop.scan(5, "8D")) == [("dealt", 5, "banker", 2, "8D")]
    end = ended(loop)
    assert (end.player_cards, end.banker_cards) == (("2C", "5C"), ("KC", "8D"))
    loop.settled(1)
    loop.end_shoe()
    (shoe_ended,) = loop.of(facts.ShoeEnded)
    assert (shoe_ended.dealt, shoe_ended.surplus, shoe_ended.left) == (4, 0, 100)


def test_a_card_that_was_taken_for_one_read_twice_comes_back_into_its_place() -> None:
    loop = dealing()
    loop.scan_all(1, "2C", "KC", "KD", "5C")
    loop.correct(1, {3: None})
    written = loop.correct(1, {3: "KD"})
    assert told(written)[:2] == [("corrected", 3, "player", 2, "KD"), ("corrected", 4, "banker", 2, "5C")]
    assert loop.state.unseen == unseen_of(1, "2C", "KC", "KD", "5C")
    assert types(loop.scan(5, "4C")) == ["card.dealt"]


def test_a_gap_is_entered_by_hand_and_the_cards_dealt_in_their_order() -> None:
    loop = dealing()
    loop.scan_all(1, "2C", "KC", "3C", "5C")
    misdeal = the_misdeal(loop.scan(6, "8C"))
    assert (misdeal.expected_ordinal, misdeal.ordinal, misdeal.reason) == (5, 6, "ordinal_gap")
    assert the_misdeal(loop.scan(5, "4C")).reason == "awaiting_console"
    written = loop.correct(1)
    assert told(written) == [
        ("corrected", 4, "banker", 2, "5C"),  # nothing was wrong: the last card is told again, and calls start anew
        ("dealt", 5, "player", 3, "4C"),
        ("dealt", 6, "banker", 3, "8C"),
    ]
    assert ended(loop).result == "player"


def test_a_missing_card_may_come_with_the_correction() -> None:
    loop = dealing()
    loop.scan_all(1, "2C", "KC", "3C", "5C")
    loop.scan(6, "8C")
    assert told(loop.correct(1, {5: "4C"}))[-2:] == [("dealt", 5, "player", 3, "4C"), ("dealt", 6, "banker", 3, "8C")]


@pytest.mark.parametrize(("right", "told_again"), [("KS", "KS"), ("3C", "3C")])
def test_a_second_reading_of_one_ordinal_waits_for_the_console_to_say_which_is_right(
    right: str, told_again: str
) -> None:
    loop = dealing()
    loop.scan_all(1, "2C", "KC", "3C")
    assert the_misdeal(loop.scan(3, "KS")).reason == "other_card"
    assert told(loop.correct(1, {3: right})) == [("corrected", 3, "player", 2, told_again)]
    assert types(loop.scan(4, "5C")) == ["card.dealt"]
    assert loop.state.unseen == unseen_of(1, "2C", "KC", right, "5C")


def test_a_reading_that_was_put_right_is_a_repeat_when_it_comes_again() -> None:
    loop = waiting_for_bankers_third()
    loop.correct(1, {2: "QC"})
    assert types(loop.scan(2, "KC")) == ["request.repeated"]
    assert types(loop.scan(2, "QC")) == ["request.repeated"]
    assert types(loop.scan(2, "JC")) == ["misdeal.detected"]


def test_too_many_waiting_cards_are_dealt_as_far_as_they_are_due() -> None:
    loop = physical()
    loop.open_round(1)
    loop.scan_all(1, "2C", "KC", "3C", "7C", "4C", "8C")
    assert the_misdeal(loop.scan(7, "9C")).reason == "too_many_waiting"
    loop.close_betting(1)
    assert [word for word, *_ in told(loop.correct(1))] == ["dealt"] * 5
    assert ended(loop).player_cards == ("2C", "3C", "4C")
    assert [fact.ordinal for fact in loop.of(facts.MisdealDetected)] == [7, 6, 7]


def test_books_that_close_while_the_console_is_awaited_let_the_corrected_round_go_on() -> None:
    loop = physical()
    loop.open_round(1)
    loop.scan(2, "KC")
    loop.close_betting(1)
    loop.scan(1, "2C")
    assert told(loop.correct(1)) == [("dealt", 1, "player", 1, "2C"), ("dealt", 2, "banker", 1, "KC")]


def test_before_the_books_close_a_reading_is_put_right_and_no_face_is_told() -> None:
    loop = physical()
    loop.open_round(1)
    loop.scan_all(1, "2C", "KC")
    assert told(loop.correct(1, {2: "QC"})) == [("corrected", 2, None, None, None)]
    assert told(loop.close_betting(1)) == [("dealt", 1, "player", 1, "2C"), ("dealt", 2, "banker", 1, "QC")]


def test_a_call_from_before_the_correction_is_dropped() -> None:
    loop = Loop(prompt=False)
    loop.open()
    loop.load("physical")
    loop.open_round(1)
    loop.close_betting(1)
    loop.scan_all(1, "2C", "KC", "3C", "5C")
    (stale,) = loop.calls
    loop.scan(5, "4C")
    loop.correct(1, {2: "4D"})
    assert loop.take(stale) == []
    loop.calls.pop(0)
    assert types(loop.take_calls()) == ["round.ended", "misdeal.detected"]


def test_a_call_that_came_while_the_console_was_awaited_is_made_again() -> None:
    loop = Loop(prompt=False)
    loop.open()
    loop.load("physical")
    loop.open_round(1)
    loop.close_betting(1)
    loop.scan_all(1, "2C", "KC", "3C", "5C")
    loop.scan(2, "QC")
    assert loop.take_calls() == []
    loop.correct(1)
    assert loop.take_calls() == []
    assert types(loop.scan(5, "4C")) == ["card.dealt"]


def test_a_card_drawn_for_a_player_that_stands_is_bankers_third_if_banker_draws() -> None:
    loop = dealing()
    loop.scan_all(1, "2C", "KC", "4C", "5C", "8C")
    assert told(loop.facts)[-1] == ("dealt", 5, "banker", 3, "8C")


def test_a_correction_twice_is_a_repeat() -> None:
    loop = waiting_for_bankers_third()
    asked = requests.CardCorrect(
        **R, shoe_number=1, round_number=1, cards=(requests.CorrectedCard(ordinal=2, card="QC"),), reason="seen"
    )
    entry = loop.entry(asked)
    loop.take_entry(entry)
    state = loop.state
    (again,) = loop.take_entry(entry)
    assert isinstance(again, facts.RequestRepeated)
    assert again.first == entry.place
    assert loop.state == state


def test_two_readings_may_be_each_others() -> None:
    loop = waiting_for_bankers_third()
    assert told(loop.correct(1, {1: "3C", 3: "2C"}))[:2] == [
        ("corrected", 1, "player", 1, "3C"),
        ("corrected", 3, "player", 2, "2C"),
    ]


def test_a_void_instead_goes_on_behind_the_cards_of_the_corrected_hands() -> None:
    loop = dealing()
    loop.scan_all(1, "2C", "KC", "KC", "5C")
    loop.correct(1, {3: None})
    assert reason(loop.void(1, next_ordinal=4)) == "out_of_range"
    assert types(loop.void(1)) == ["round.voided"]
    loop.settled(1)
    loop.end_shoe()
    (shoe_ended,) = loop.of(facts.ShoeEnded)
    assert (shoe_ended.dealt, shoe_ended.surplus, shoe_ended.left) == (3, 0, 49)


def test_a_void_takes_back_scans_of_a_corrected_round_that_were_errors() -> None:
    loop = physical()
    loop.open_round(1)
    loop.scan_all(1, "2C", "2C", "KC")
    loop.correct(1, {2: None})
    assert types(loop.void(1, next_ordinal=1)) == ["round.voided"]
    loop.settled(1)
    assert loop.state.unseen == unseen_of(1)
    loop.end_shoe()
    (shoe_ended,) = loop.of(facts.ShoeEnded)
    assert (shoe_ended.dealt, shoe_ended.surplus, shoe_ended.left) == (0, 0, 52)


def test_the_last_ordinal_goes_one_further_for_each_that_was_no_card() -> None:
    table = dealing(decks=1)
    table.scan_all(1, "2C", "KC", "KC")
    table.correct(1, {3: None})
    assert reason(table.scan(54, "8H")) == "out_of_range"
    assert types(table.scan(53, "8H")) == ["misdeal.detected"]
