"""Article 16: cards are dealt closed; a side's holder or the dealer opens them, or hands them on."""

from collections.abc import Callable
from typing import Any

import pytest

from schemas import facts
from tests.shoe.loop import Loop, physical, told
from tests.shoe.table import house_rules, reason, types, without_identities

FOUR = ("2C", "KC", "3C", "5D")


def held(*cards: str, player: tuple[str, ...] = ("ann", "bob"), banker: tuple[str, ...] = ("cem",)) -> Loop:
    """Round 1's first four cards are dealt closed: ann holds Player's, cem Banker's."""
    loop = physical(holding=True)
    loop.open_round(1)
    loop.close_with_holders(1, player, banker)
    loop.scan_all(1, *(cards or FOUR))
    return loop


def opened() -> Loop:
    """All four are open: Player 5 draws."""
    loop = held()
    for side, position in (("player", 1), ("player", 2), ("banker", 1), ("banker", 2)):
        loop.open_card(1, side, position)
    return loop


def test_cards_are_dealt_closed() -> None:
    loop = held()
    assert told(loop.facts) == [
        ("dealt", 1, "player", 1, None),
        ("dealt", 2, "banker", 1, None),
        ("dealt", 3, "player", 2, None),
        ("dealt", 4, "banker", 2, None),
    ]
    assert {fact.points for fact in loop.of(facts.CardDealt)} == {None}


def test_a_house_without_holding_deals_them_open() -> None:
    loop = physical()
    loop.open_round(1)
    loop.close_with_holders(1, ("ann",), ("cem",))
    assert told(loop.scan(1, "2C")) == [("dealt", 1, "player", 1, "2C")]


def test_a_holder_opens_a_card_of_his_side() -> None:
    loop = held()
    assert loop.open_card(1, "player", 2, "ann") == [
        facts.CardOpened(
            table="table-1",
            shoe_number=1,
            round_number=1,
            card_number=3,
            side="player",
            position=2,
            card="3C",
            points=3,
            opened_by="ann",
        )
    ]


@pytest.mark.parametrize("order", [(1, 2, 3, 0), (3, 2, 1, 0), (0, 1, 2, 3), (2, 0, 3, 1)])
def test_no_call_and_no_third_card_before_all_four_are_open_in_any_order(order: tuple[int, ...]) -> None:
    loop = held()
    places = [("player", 1), ("banker", 1), ("player", 2), ("banker", 2)]
    loop.scan(5, "4C")
    for index in order[:3]:
        assert types(loop.open_card(1, *places[index])) == ["card.opened"]
    assert types(loop.open_card(1, *places[order[3]])) == ["card.opened", "card.dealt"]
    assert told(loop.facts)[-1] == ("dealt", 5, "player", 3, None)


def test_players_third_is_open_before_bankers_call() -> None:
    loop = opened()
    loop.scan_all(5, "4C", "8C")
    assert told(loop.facts)[-1] == ("dealt", 5, "player", 3, None)
    assert told(loop.open_card(1, "player", 3, "ann")) == [
        ("opened", 5, "player", 3, "4C"),
        ("dealt", 6, "banker", 3, None),
    ]
    assert types(loop.open_card(1, "banker", 3, "cem")) == ["card.opened", "round.ended"]
    (ended,) = loop.of(facts.RoundEnded)
    assert (ended.player_cards, ended.banker_cards) == (("2C", "3C", "4C"), ("KC", "5D", "8C"))


def test_the_dealer_opens_any_card_and_holds_a_side_without_a_seated_stake() -> None:
    loop = held(player=())
    assert types(loop.open_card(1, "banker", 1)) == ["card.opened"]
    assert types(loop.open_card(1, "player", 1)) == ["card.opened"]
    assert reason(loop.open_card(1, "player", 2, "ann")) == "not_your_seat"


def test_a_virtual_shoes_cards_are_held_too_and_drawn_once() -> None:
    loop = Loop(house_rules(holding=True), seed=3)
    loop.open()
    loop.load()
    loop.open_round(1)
    loop.close_betting(1)
    assert [fact.card for fact in loop.of(facts.CardDealt)] == [None] * 4
    assert sum(loop.state.unseen) == 52
    assert {card.face for card in loop.state.round_in_play.cards} == {"--"}
    for side in ("player", "banker"):
        for position in (1, 2):
            loop.open_card(1, side, position)
    while loop.state.shoe_in_play.round.in_play:  # type: ignore[union-attr]  # a round was opened
        card = loop.state.round_in_play.cards[-1]
        loop.open_card(1, card.side, card.position or 0)
    (ended,) = loop.of(facts.RoundEnded)
    shown = [fact.card for fact in loop.of(facts.CardOpened)]
    assert sorted(shown) == sorted(ended.player_cards + ended.banker_cards)
    assert sum(loop.state.unseen) == 52 - len(shown)


# --- passing ----------------------------------------------------------------------------------------------------------


def test_a_holder_passes_to_another_staked_bettor_who_then_opens() -> None:
    loop = held()
    assert loop.pass_cards(1, "player", "bob") == [
        facts.HolderPassed(
            table="table-1", shoe_number=1, round_number=1, side="player", from_holder="ann", to_holder="bob"
        )
    ]
    assert reason(loop.open_card(1, "player", 1, "ann")) == "not_your_seat"
    assert types(loop.open_card(1, "player", 1, "bob")) == ["card.opened"]


def test_cards_are_passed_to_the_dealer_and_back() -> None:
    loop = held()
    assert types(loop.pass_cards(1, "banker", None)) == ["holder.passed"]
    assert reason(loop.open_card(1, "banker", 1, "cem")) == "not_your_seat"
    (passed,) = loop.pass_cards(1, "banker", "cem")
    assert isinstance(passed, facts.HolderPassed)
    assert (passed.from_holder, passed.to_holder) == (None, "cem")


def test_passing_one_side_leaves_the_other() -> None:
    loop = held()
    loop.pass_cards(1, "player", "bob")
    assert types(loop.open_card(1, "banker", 1, "cem")) == ["card.opened"]


# --- face up, corrections, demonstration ------------------------------------------------------------------------------


def test_a_card_found_face_up_counts_as_opened() -> None:
    loop = held("2C", "KC", "3C")
    written = loop.scan(4, "5D", face_up=True)
    assert types(written) == ["card.found_face_up", "card.dealt"]
    assert told(written) == [("dealt", 4, "banker", 2, "5D")]
    assert reason(loop.open_card(1, "banker", 2)) == "card_not_expected"
    loop.open_card(1, "player", 1)
    loop.open_card(1, "player", 2)
    loop.scan(5, "4C")
    assert told(loop.open_card(1, "banker", 1))[-1] == ("dealt", 5, "player", 3, None)


def test_four_cards_found_face_up_are_called_at_once() -> None:
    loop = held("2C")
    loop = physical(holding=True)
    loop.open_round(1)
    loop.close_with_holders(1)
    for ordinal, card in enumerate(("9C", "KC", "KD", "5C"), 1):
        loop.scan(ordinal, card, face_up=True)
    assert types(loop.facts)[-1] == "round.ended"


def test_a_corrected_card_stays_closed_or_open_as_it_was() -> None:
    loop = held()
    loop.open_card(1, "player", 1)
    assert told(loop.correct(1, {1: "2D", 2: "KD"})) == [
        ("corrected", 1, "player", 1, "2D"),
        ("corrected", 2, "banker", 1, None),
    ]
    assert told(loop.open_card(1, "banker", 1)) == [("opened", 2, "banker", 1, "KD")]


def test_a_third_card_that_was_open_is_dealt_again_open_and_a_closed_one_closed() -> None:
    loop = opened()
    loop.scan_all(5, "4C", "8C")
    loop.open_card(1, "player", 3)
    assert told(loop.correct(1)) == [
        ("corrected", 5, None, None, "4C"),
        ("corrected", 6, None, None, None),
        ("corrected", 5, "player", 3, "4C"),
        ("corrected", 6, "banker", 3, None),
    ]
    assert types(loop.open_card(1, "banker", 3)) == ["card.opened", "round.ended"]


def test_behind_its_end_a_round_is_corrected_with_open_cards() -> None:
    loop = opened()
    loop.scan_all(5, "4C", "8C")
    loop.open_card(1, "player", 3)
    loop.open_card(1, "banker", 3)
    loop.settled(1)
    assert told(loop.correct(1, {2: "4D"})) == [
        ("corrected", 2, "banker", 1, "4D"),
        ("corrected", 5, None, None, "4C"),
        ("corrected", 6, None, None, "8C"),
    ]


def test_a_demonstration_round_is_dealt_open() -> None:
    loop = physical(holding=True, demonstration_rounds=1)
    loop.open_round(1, demonstration=True)
    assert told(loop.scan(1, "2C")) == [("dealt", 1, "player", 1, "2C")]


def test_holders_of_books_that_closed_while_the_console_was_awaited_open_the_cards() -> None:
    loop = physical(holding=True)
    loop.open_round(1)
    loop.scan(2, "KC")
    loop.close_with_holders(1, ("ann",), ("cem",))
    loop.scan(1, "2C")
    loop.correct(1)
    assert types(loop.open_card(1, "player", 1, "ann")) == ["card.opened"]


# --- refused ----------------------------------------------------------------------------------------------------------


def betting() -> Loop:
    loop = physical(holding=True)
    loop.open_round(1)
    return loop


def without_holding() -> Loop:
    loop = physical()
    loop.open_round(1)
    loop.close_betting(1)
    loop.scan_all(1, *FOUR)
    return loop


def demonstration() -> Loop:
    loop = physical(holding=True, demonstration_rounds=1)
    loop.open_round(1, demonstration=True)
    loop.scan(1, "2C")
    return loop


def over() -> Loop:
    loop = held()
    loop.void(1)
    return loop


def no_shoe() -> Loop:
    loop = Loop(house_rules(holding=True))
    loop.open()
    return loop


Ask = Callable[[Loop], list[Any]]


@pytest.mark.parametrize(
    ("expected", "given", "ask"),
    [
        ("not_your_seat", held, lambda loop: loop.open_card(1, "player", 1, "bob")),
        ("not_your_seat", held, lambda loop: loop.open_card(1, "player", 1, "cem")),
        ("not_your_seat", held, lambda loop: loop.open_card(1, "banker", 1, "nobody")),
        ("card_not_expected", held, lambda loop: loop.open_card(1, "player", 3)),
        ("card_not_expected", held, lambda loop: loop.open_card(1, "player", 0)),
        ("card_not_expected", opened, lambda loop: loop.open_card(1, "player", 1)),
        ("card_not_expected", betting, lambda loop: loop.open_card(1, "player", 1)),
        ("card_not_expected", demonstration, lambda loop: loop.open_card(1, "player", 1)),
        ("not_offered", without_holding, lambda loop: loop.open_card(1, "player", 1)),
        ("round_over", over, lambda loop: loop.open_card(1, "player", 1)),
        ("wrong_round", held, lambda loop: loop.open_card(2, "player", 1)),
        ("wrong_round", physical, lambda loop: loop.open_card(1, "player", 1)),
        ("wrong_shoe", held, lambda loop: loop.open_card(1, "player", 1, shoe=2)),
        ("no_shoe", no_shoe, lambda loop: loop.open_card(1, "player", 1)),
        ("no_stake", held, lambda loop: loop.pass_cards(1, "player", "cem")),
        ("no_stake", held, lambda loop: loop.pass_cards(1, "player", "nobody")),
        ("out_of_range", held, lambda loop: loop.pass_cards(1, "player", "ann")),
        ("card_not_expected", betting, lambda loop: loop.pass_cards(1, "player", None)),
        ("card_not_expected", demonstration, lambda loop: loop.pass_cards(1, "player", None)),
        ("not_offered", without_holding, lambda loop: loop.pass_cards(1, "player", None)),
        ("round_over", over, lambda loop: loop.pass_cards(1, "player", "bob")),
        ("wrong_round", held, lambda loop: loop.pass_cards(2, "player", "bob")),
        ("wrong_shoe", held, lambda loop: loop.pass_cards(1, "player", "bob", shoe=2)),
    ],
)
def test_what_article_16_does_not_offer_is_refused(expected: str, given: Callable[[], Loop], ask: Ask) -> None:
    loop = given()
    before = loop.state
    assert reason(ask(loop)) == expected
    assert without_identities(loop.state) == without_identities(before)
