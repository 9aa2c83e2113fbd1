"""Article 10: what no hand takes is surplus: burned or, where the house says so and unseen, the next round's first."""

from schemas import facts
from tests.shoe.loop import Loop, dealing, physical, told
from tests.shoe.physical import the_misdeal
from tests.shoe.table import reason, types, unseen_of

NATURAL = ("9C", "KC", "KD", "5C")


def with_two_cards_too_many(**fields: str | int) -> Loop:
    """Two cards wait when the round is decided."""
    loop = dealing(**fields)
    loop.prompt = False
    loop.scan_all(1, *NATURAL, "2D", "3D")
    loop.take_calls()
    loop.prompt = True
    return loop


def test_surplus_cards_are_burned_by_default() -> None:
    loop = with_two_cards_too_many()
    assert [fact.reason for fact in loop.of(facts.MisdealDetected)] == ["surplus_card"] * 2
    loop.settled(1)
    loop.open_round(2)
    loop.close_betting(2)
    assert told(loop.scan(7, "4D")) == [("dealt", 7, "player", 1, "4D")]


def test_cards_whose_faces_nobody_saw_are_the_next_rounds_first() -> None:
    loop = with_two_cards_too_many(surplus_card="next_round")
    assert [(fact.ordinal, fact.reason) for fact in loop.of(facts.MisdealDetected)] == [
        (5, "next_round"),
        (6, "next_round"),
    ]
    loop.settled(1)
    (opened,) = loop.open_round(2)
    assert isinstance(opened, facts.RoundOpened)
    assert opened.cards_left == 48
    assert told(loop.close_betting(2)) == [("dealt", 5, "player", 1, "2D"), ("dealt", 6, "banker", 1, "3D")]
    assert told(loop.scan(7, "4D")) == [("dealt", 7, "player", 2, "4D")]
    loop.void(2)
    loop.settled(2)
    loop.end_shoe()
    (shoe_ended,) = loop.of(facts.ShoeEnded)
    assert (shoe_ended.dealt, shoe_ended.surplus, shoe_ended.left) == (7, 0, 45)


def test_a_card_whose_face_was_seen_is_burned() -> None:
    loop = dealing(surplus_card="next_round")
    loop.scan_all(1, "2C", "KC", "3C", "5C", "4C")  # Player's third is dealt and seen
    loop.correct(1, {2: "4D"})  # Banker has a natural
    assert the_misdeal(loop.facts).reason == "surplus_card"
    loop.settled(1)
    loop.open_round(2)
    loop.close_betting(2)
    assert told(loop.scan(6, "6D")) == [("dealt", 6, "player", 1, "6D")]
    assert loop.state.shoe_in_play.surplus == 1


def test_a_card_that_came_face_up_is_burned() -> None:
    loop = dealing(surplus_card="next_round")
    loop.prompt = False
    loop.scan_all(1, *NATURAL)
    loop.scan(5, "2D", face_up=True)
    loop.take_calls()
    assert the_misdeal(loop.facts).reason == "surplus_card"


def test_what_lies_before_a_card_that_was_seen_is_burned_with_it() -> None:
    loop = dealing(surplus_card="next_round")
    loop.prompt = False
    loop.scan_all(1, *NATURAL, "3D")
    loop.scan(6, "2D", face_up=True)
    loop.scan(7, "4D")
    loop.take_calls()
    assert [fact.reason for fact in loop.of(facts.MisdealDetected)] == ["surplus_card", "surplus_card", "next_round"]


def test_a_card_between_rounds_waits_for_the_next_one_too() -> None:
    loop = physical(surplus_card="next_round")
    loop.play(1, 1, *NATURAL)
    first, second = the_misdeal(loop.scan(5, "2D")), the_misdeal(loop.scan(6, "3D"))
    assert (first.reason, first.ordinal, first.expected_ordinal) == ("next_round", 5, 5)
    assert (second.reason, second.ordinal, second.expected_ordinal) == ("next_round", 6, 6)
    assert types(loop.scan(5, "2D")) == ["request.repeated"]
    assert reason(loop.scan(5, "8D")) == "expired"
    loop.open_round(2)
    assert told(loop.close_betting(2)) == [("dealt", 5, "player", 1, "2D"), ("dealt", 6, "banker", 1, "3D")]


def test_a_card_seen_between_rounds_is_burned_with_what_waits() -> None:
    loop = physical(surplus_card="next_round")
    loop.play(1, 1, *NATURAL)
    loop.scan(5, "2D")
    assert the_misdeal(loop.scan(6, "3D", face_up=True)).reason == "surplus_card"
    assert loop.state.shoe_in_play.surplus == 2
    loop.open_round(2)
    assert loop.close_betting(2) == []


def test_a_gap_between_rounds_is_burned() -> None:
    loop = physical(surplus_card="next_round")
    loop.play(1, 1, *NATURAL)
    assert the_misdeal(loop.scan(7, "2D")).reason == "surplus_card"
    assert loop.state.shoe_in_play.surplus == 3


def test_a_seventh_waiting_card_is_burned_with_the_six() -> None:
    loop = physical(surplus_card="next_round")
    loop.play(1, 1, *NATURAL)
    loop.scan_all(5, "AD", "2D", "3D", "4D", "6D", "7D")
    assert the_misdeal(loop.scan(11, "8D")).reason == "surplus_card"
    assert loop.state.shoe_in_play.surplus == 7


def test_a_failed_read_waits_too_and_is_entered_by_hand() -> None:
    loop = physical(surplus_card="next_round")
    loop.play(1, 1, *NATURAL)
    assert the_misdeal(loop.scan(5, None)).reason == "next_round"
    assert loop.scan(5, "2D") == []
    assert loop.state.unseen == unseen_of(1, *NATURAL, "2D")
    loop.open_round(2)
    assert told(loop.close_betting(2)) == [("dealt", 5, "player", 1, "2D")]


def test_a_failed_read_that_waited_is_entered_in_the_next_round() -> None:
    loop = physical(surplus_card="next_round")
    loop.play(1, 1, *NATURAL)
    loop.scan(5, None)
    loop.open_round(2)
    loop.close_betting(2)
    assert told(loop.scan(5, "2D")) == [("dealt", 5, "player", 1, "2D")]


def test_cards_that_wait_are_the_first_to_be_burned() -> None:
    loop = physical(surplus_card="next_round", burn_each_round=1)
    loop.open_round(1)
    loop.scan(1, "7S")
    loop.close_betting(1)
    loop.scan_all(2, *NATURAL)
    loop.settled(1)
    loop.scan_all(6, "2D", "3D")
    loop.open_round(2)
    assert told(loop.close_betting(2)) == [("dealt", 7, "player", 1, "3D")]
    shoe = loop.state.shoe_in_play
    assert (shoe.burned_seen, shoe.burned_unseen, shoe.surplus, shoe.dealt) == (2, 0, 0, 5)


def test_more_burned_cards_than_wait_are_still_to_come() -> None:
    loop = physical(surplus_card="next_round")
    loop.play(1, 1, *NATURAL)
    loop.scan(5, "2D")
    loop.open_round(2, burn=2)
    loop.scan(6, "3D")
    loop.close_betting(2)
    assert told(loop.scan(7, "4D")) == [("dealt", 7, "player", 1, "4D")]
    shoe = loop.state.shoe_in_play
    assert (shoe.burned_seen, shoe.burned_unseen) == (2, 0)


def test_a_void_round_burns_what_waits() -> None:
    loop = physical(surplus_card="next_round")
    loop.open_round(1)
    loop.scan_all(1, *NATURAL)
    loop.void(1)
    loop.settled(1)
    assert loop.state.shoe_in_play.surplus == 4
    loop.open_round(2)
    assert loop.close_betting(2) == []


def test_one_card_too_many_in_a_correction_is_surplus_of_its_round() -> None:
    loop = dealing()
    loop.scan_all(1, "2C", "KC", "3C", "5C", "4C")
    loop.correct(1, {2: "4D"})
    loop.settled(1)
    loop.end_shoe()
    (shoe_ended,) = loop.of(facts.ShoeEnded)
    assert (shoe_ended.dealt, shoe_ended.surplus, shoe_ended.left) == (4, 1, 47)
