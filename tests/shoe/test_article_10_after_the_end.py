"""Article 10 behind a round's end: one of the last rounds of the shoe in play is decided anew, with a revision more."""

import pytest

from schemas import facts, requests
from tests.shoe.loop import NATURAL, Loop, R, dealing, physical, told, two_rounds
from tests.shoe.table import reason, types, unseen_of

TIE = ("9H", "9D", "KS", "QS")


def end(loop: Loop) -> facts.RoundEnded:
    fact = loop.of(facts.RoundEnded)[-1]
    assert isinstance(fact, facts.RoundEnded)
    return fact


def test_a_wrong_reading_of_the_last_round_is_put_right_under_the_next_revision() -> None:
    loop = two_rounds()
    written = loop.correct(2, {6: "4D"})  # Banker has 4D 5D: a natural 9, nobody draws
    assert told(written) == [
        ("corrected", 6, "banker", 1, "4D"),
        ("corrected", 9, None, None, "4C"),
        ("corrected", 10, None, None, "8C"),
    ]
    assert types(written)[3:] == ["round.ended"]
    assert {fact.revision for fact in loop.of(facts.CardCorrected)} == {1}
    last = end(loop)
    assert (last.round_number, last.revision, last.result) == (2, 1, "banker")
    assert (last.player_cards, last.banker_cards) == (("2C", "3C"), ("4D", "5D"))


def test_the_cards_of_a_round_before_are_told_with_its_own_number() -> None:
    loop = two_rounds()
    assert reason(loop.correct(1, {1: "8C"})) == "card_impossible"  # it came in round 2
    assert told(loop.correct(1, {1: "8D"})) == [("corrected", 1, "player", 1, "8D")]
    last = end(loop)
    assert (last.round_number, last.revision, last.result, last.player_total) == (1, 1, "player", 8)


def test_cards_are_drawn_again_from_those_that_left_the_shoe_for_the_round() -> None:
    loop = two_rounds()
    written = loop.correct(2, {7: "4D"})  # Player 6 stands, Banker 5 draws the card that Player had
    assert told(written) == [
        ("corrected", 7, "player", 2, "4D"),
        ("corrected", 9, None, None, "4C"),
        ("corrected", 10, None, None, "8C"),
        ("corrected", 9, "banker", 3, "4C"),
    ]
    last = end(loop)
    assert (last.player_cards, last.banker_cards) == (("2C", "4D"), ("KH", "5D", "4C"))
    loop.settled(2, 1)
    loop.end_shoe()
    (shoe_ended,) = loop.of(facts.ShoeEnded)
    assert (shoe_ended.dealt, shoe_ended.surplus, shoe_ended.left) == (9, 1, 42)


def test_where_a_card_is_needed_that_the_round_has_not_it_is_void() -> None:
    loop = physical()
    loop.play(1, 1, *NATURAL)
    written = loop.correct(1, {1: "4D"})  # Player 4 would have drawn
    assert types(written) == ["card.corrected", "round.voided"]
    (voided,) = loop.of(facts.RoundVoided)
    assert (voided.round_number, voided.revision) == (1, 1)


def test_fewer_than_four_cards_are_void_at_once() -> None:
    loop = physical()
    loop.play(1, 1, *NATURAL)
    written = loop.correct(1, {3: None})
    assert types(written)[-1] == "round.voided"
    loop.settled(1, 1)
    loop.end_shoe()
    (shoe_ended,) = loop.of(facts.ShoeEnded)
    assert shoe_ended.dealt + shoe_ended.surplus == 3
    assert shoe_ended.left == 49


def test_a_surplus_card_of_the_round_is_drawn_where_it_was_due() -> None:
    loop = dealing()
    loop.prompt = False
    loop.scan_all(1, *NATURAL, "2D", "3D")
    loop.take_calls()
    loop.prompt = True
    loop.settled(1)
    written = loop.correct(1, {1: "4D"})  # Player 4 draws 2D to 6, Banker 5 stands against a 2
    assert told(written) == [("corrected", 1, "player", 1, "4D"), ("corrected", 5, "player", 3, "2D")]
    assert end(loop).player_cards == ("4D", "KD", "2D")
    loop.settled(1, 1)
    shoe = loop.state.shoe_in_play
    assert (shoe.dealt, shoe.surplus) == (5, 1)
    written = loop.correct(1, {1: "9C"})  # the first reading was right: the card is surplus again, and was seen
    assert told(written) == [("corrected", 1, "player", 1, "9C"), ("corrected", 5, None, None, "2D")]
    loop.settled(1, 2)
    loop.end_shoe()
    (shoe_ended,) = loop.of(facts.ShoeEnded)
    assert (shoe_ended.dealt, shoe_ended.surplus, shoe_ended.left) == (4, 2, 46)


def test_the_shoe_waits_for_the_settlement_of_that_revision() -> None:
    loop = two_rounds()
    loop.correct(2, {6: "4D"})
    assert reason(loop.open_round(3)) == "round_running"
    assert reason(loop.end_shoe()) == "round_running"
    assert reason(loop.close()) == "round_running"
    assert reason(loop.correct(1)) == "round_running"
    assert loop.settled(2) == []
    assert loop.settled(1, 1) == []
    assert reason(loop.open_round(3)) == "round_running"
    loop.settled(2, 1)
    assert types(loop.open_round(3)) == ["round.opened"]


def test_a_round_is_corrected_again_and_a_void_one_comes_to_a_result() -> None:
    loop = physical()
    loop.play(1, 1, *NATURAL)
    loop.correct(1, {1: "4D"})
    loop.settled(1, 1)
    written = loop.correct(1, {1: "9C"})
    assert told(written) == [("corrected", 1, "player", 1, "9C")]
    last = end(loop)
    assert (last.revision, last.result) == (2, "player")
    loop.settled(1, 2)
    assert loop.state.unseen == unseen_of(1, *NATURAL)


def test_without_readings_the_round_is_decided_anew_from_the_same_cards() -> None:
    loop = two_rounds()
    loop.correct(2)
    first, again = loop.of(facts.RoundEnded)[-2:]
    assert (again.revision, again.player_cards, again.banker_cards) == (1, first.player_cards, first.banker_cards)
    loop.settled(2, 1)
    loop.correct(1)
    assert end(loop).revision == 1


def test_calls_of_a_revision_before_are_dropped() -> None:
    loop = two_rounds()
    loop.prompt = False
    loop.correct(2, {7: "4D"})
    stale, *_, call = loop.calls
    assert loop.take(stale) == []
    assert types(loop.take(call)) == ["card.corrected"]
    loop.calls = loop.calls[-1:]
    assert types(loop.take_calls()) == ["round.ended"]


def test_a_card_scanned_meanwhile_is_surplus() -> None:
    loop = two_rounds()
    loop.correct(2, {6: "4D"})
    assert types(loop.scan(11, "TS")) == ["misdeal.detected"]
    assert loop.settled(2, 1) == []
    loop.open_round(3)
    loop.close_betting(3)
    assert told(loop.scan(12, "JS")) == [("dealt", 12, "player", 1, "JS")]


def test_a_reading_of_a_settled_round_is_known_as_it_was_put_right() -> None:
    loop = two_rounds()
    loop.correct(2, {6: "4D"})
    loop.settled(2, 1)
    assert types(loop.scan(6, "4D")) == ["request.repeated"]
    assert reason(loop.scan(6, "KH")) == "expired"


@pytest.mark.parametrize(("rounds", "answers"), [(3, ["2", "3", "4"]), (1, ["4"]), (0, [])])
def test_the_house_says_how_many_rounds_can_be_corrected(rounds: int, answers: list[str]) -> None:
    loop = physical(correctable_rounds=rounds)
    loop.play(1, 1, "9C", "KC", "KD", "5C")
    loop.play(2, 5, "9D", "JC", "JD", "5D")
    loop.play(3, 9, "9H", "QC", "QD", "5H")
    loop.play(4, 13, "9S", "TC", "TD", "5S")
    taken = []
    for number in (1, 2, 3, 4):
        written = loop.correct(number)
        if [fact.type for fact in written] == ["request.refused"]:
            assert reason(written) == "expired"
        else:
            taken.append(str(number))
            loop.settled(number, 1)
    assert taken == answers
    assert {*loop.state.past} == {*answers}


def test_a_shufflers_earlier_round_is_corrected_from_its_own_cards() -> None:
    loop = physical(dealing="continuous_shuffler", cut_card_depth=0)
    loop.play(1, 1, *NATURAL)
    loop.play(2, 5, *NATURAL)
    before = loop.state.unseen
    assert told(loop.correct(1, {1: "8D"})) == [("corrected", 1, "player", 1, "8D")]
    loop.settled(1, 1)
    assert loop.state.unseen == before
    assert reason(loop.correct(1, {1: "KC"})) == "card_impossible"
    assert told(loop.correct(2, {5: "8D"})) == [("corrected", 5, "player", 1, "8D")]
    assert loop.state.unseen == unseen_of(1, "8D", "KC", "KD", "5C")


# --- carried stakes ---------------------------------------------------------------------------------------------------


def carried(later: bool) -> Loop:
    loop = physical()
    loop.play(1, 1, *TIE, carried_out_minor=1000)
    if later:
        loop.play(2, 5, *NATURAL)
    return loop


def test_a_tie_is_corrected_while_its_stakes_are_still_on_the_layout() -> None:
    loop = carried(later=False)
    loop.correct(1, {1: "8H"})
    last = end(loop)
    assert (last.revision, last.result) == (1, "banker")


def test_a_tie_whose_stakes_are_in_later_books_is_refused() -> None:
    loop = carried(later=True)
    assert reason(loop.correct(1, {1: "8H"})) == "carried"
    assert types(loop.correct(2, {5: "8D"})) == ["card.corrected", "round.ended"]


def test_a_tie_that_carried_nothing_is_corrected_behind_later_rounds() -> None:
    loop = physical()
    loop.play(1, 1, *TIE)
    loop.play(2, 5, *NATURAL)
    assert types(loop.correct(1, {1: "8H"})) == ["card.corrected", "round.ended"]


def test_what_a_correction_carries_out_counts_and_what_it_ends_does_not() -> None:
    loop = carried(later=False)
    loop.correct(1, {1: "8H"})
    loop.settled(1, 1, carried_out_minor=0)
    loop.play(2, 5, *NATURAL)
    assert types(loop.correct(1, {1: "9H"})) == ["card.corrected", "round.ended"]
    loop.settled(1, 2, carried_out_minor=1000)
    assert reason(loop.correct(1, {1: "8H"})) == "carried"


def test_stakes_that_a_change_of_house_rules_returned_are_not_settled_again() -> None:
    loop = carried(later=False)
    loop.take(requests.HouseRulesChange(**R, house_rules="test"))
    assert reason(loop.correct(1, {1: "8H"})) == "carried"


def test_a_round_before_the_open_one_is_corrected_when_that_is_settled() -> None:
    loop = two_rounds()
    loop.open_round(3)
    loop.void(3)
    loop.settled(3)
    assert types(loop.correct(2))[-1] == "round.ended"
