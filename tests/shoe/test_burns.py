"""What a virtual shoe burns at its start and before a round (articles 2 and 8)."""

from typing import Any

import pytest

from schemas import facts
from tests.shoe.table import assert_counts_are_whole, reason, types, unseen_of
from tests.shoe.virtual import loaded, of_cards


@pytest.mark.parametrize(
    ("fields", "turned", "burned", "burn_card"),
    [
        ({"burn": "none"}, (), 0, None),
        ({"burn": "deck_count", "decks": 2}, (), 2, None),
        ({"burn": "deck_count", "decks": 12}, (), 12, None),
        ({"burn": "fixed", "burn_fixed": 1}, (), 1, None),
        ({"burn": "fixed", "burn_fixed": 8}, (), 8, None),
        ({"burn": "first_card"}, ("AS",), 1, "AS"),
        ({"burn": "first_card"}, ("5D",), 5, "5D"),
        ({"burn": "first_card"}, ("9C",), 9, "9C"),
        ({"burn": "first_card"}, ("TH",), 10, "TH"),
        ({"burn": "first_card"}, ("KH",), 10, "KH"),
        ({"burn": "first_card", "burn_face_value": 0}, ("QH",), 1, "QH"),
        ({"burn": "first_card", "burn_face_value": 3}, ("JH",), 3, "JH"),
        ({"burn": "first_card", "burn_includes_indicator": False}, ("AS",), 2, "AS"),
        ({"burn": "first_card", "burn_includes_indicator": False}, ("9S",), 10, "9S"),
        ({"burn": "first_card", "burn_includes_indicator": False}, ("JS",), 11, "JS"),
        ({"burn": "first_card", "burn_includes_indicator": False, "burn_face_value": 0}, ("TS",), 1, "TS"),
    ],
)
def test_a_shoe_starts_with_the_burn_of_the_house(
    fields: dict[str, Any], turned: tuple[str, ...], burned: int, burn_card: str | None
) -> None:
    table = loaded((*turned, "2C", "2D", "2H", "2S"), **fields)
    decks = fields.get("decks", 1)
    (started,) = table.of(facts.ShoeStarted)
    assert (started.burned, started.burn_card) == (burned, burn_card)
    assert table.state.unseen == unseen_of(decks, *turned)
    (opened,) = table.open_round(1)
    assert isinstance(opened, facts.RoundOpened)
    assert opened.cards_left == 52 * decks - burned
    assert [fact.card_number for fact in of_cards(table.close_betting(1))] == [burned + n for n in (1, 2, 3, 4)]
    table.void(1)
    table.settle(1)
    table.end_shoe()
    ended = assert_counts_are_whole(table, decks)
    assert (ended.burned_seen, ended.burned_unseen) == (len(turned), burned - len(turned))


@pytest.mark.parametrize(("standing", "asked", "burned"), [(0, 0, 0), (0, 3, 3), (2, 0, 2), (2, 3, 5)])
def test_a_round_burns_the_standing_count_and_what_is_asked(standing: int, asked: int, burned: int) -> None:
    table = loaded(burn_each_round=standing, cut_card_depth=16)
    (opened,) = table.open_round(1, burn=asked)
    assert isinstance(opened, facts.RoundOpened)
    assert (opened.burned, opened.cards_left) == (burned, 52 - burned)
    assert of_cards(table.close_betting(1))[0].card_number == burned + 1
    assert table.state.unseen == unseen_of(1, *[card.card or "" for card in of_cards(table.facts)])


def test_a_burn_may_leave_just_the_cards_of_one_round() -> None:
    table = loaded(burn_each_round=2, cut_card_depth=16)
    assert reason(table.open_round(1, burn=45)) == "out_of_range"
    (opened, cut_card) = table.open_round(1, burn=44)
    assert isinstance(opened, facts.RoundOpened)
    assert opened.cards_left == 6
    assert isinstance(cut_card, facts.CutCardReached)


@pytest.mark.parametrize("dealing", ["continuous_shuffler", "shuffle_every_round"])
def test_no_burn_is_asked_of_a_shuffler(dealing: str) -> None:
    table = loaded(dealing=dealing, cut_card_depth=0)
    assert reason(table.open_round(1, burn=1)) == "out_of_range"
    assert types(table.open_round(1)) == ["round.opened"]
