"""Cards: points, totals, pairs and what a number of decks holds."""

import msgspec
import pytest

from schemas.cards import CARDS, POINTS, Card, full_composition, is_pair, total, without


def test_a_deck_has_52_different_cards_in_thirteen_ranks_of_four_suits() -> None:
    assert len(set(CARDS)) == len(CARDS) == 52
    assert CARDS[:5] == ("AC", "AD", "AH", "AS", "2C")
    assert CARDS[-1] == "KS"


@pytest.mark.parametrize(
    ("rank", "points"),
    [
        ("A", 1),
        ("2", 2),
        ("3", 3),
        ("4", 4),
        ("5", 5),
        ("6", 6),
        ("7", 7),
        ("8", 8),
        ("9", 9),
        ("T", 0),
        ("J", 0),
        ("Q", 0),
        ("K", 0),
    ],
)
def test_points_are_those_of_article_five_in_every_suit(rank: str, points: int) -> None:
    assert [POINTS[rank + suit] for suit in "CDHS"] == [points] * 4


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (("KS", "QH"), 0),
        (("AS", "TH"), 1),
        (("9S", "AH"), 0),
        (("9S", "9H"), 8),
        (("7S", "8H", "9D"), 4),
        (("2S", "2H", "5D"), 9),
    ],
)
def test_a_total_drops_the_tens(cards: tuple[str, ...], expected: int) -> None:
    assert total(cards) == expected


@pytest.mark.parametrize(
    ("cards", "pair"),
    [
        (("JS", "JH"), True),
        (("8S", "8S"), True),
        (("JS", "QH"), False),
        (("TS", "JH"), False),
        (("AS", "5H", "5D"), False),
        (("5S", "5H", "AD"), True),
    ],
)
def test_a_pair_is_one_rank_on_the_first_two_cards(cards: tuple[str, ...], *, pair: bool) -> None:
    assert is_pair(cards) is pair


def test_a_full_composition_holds_each_card_once_per_deck() -> None:
    assert full_composition(8) == (8,) * 52
    assert sum(full_composition(6)) == 312


@pytest.mark.parametrize(("card", "index"), [("AC", 0), ("2D", 5), ("KS", 51)])
def test_a_card_taken_out_is_one_less_of_it_and_of_no_other(card: str, index: int) -> None:
    left = without(full_composition(2), card)
    assert left == (2,) * index + (1,) + (2,) * (51 - index)


def test_a_card_that_is_not_there_cannot_be_taken_out() -> None:
    left = without(full_composition(1), "8H")
    with pytest.raises(AssertionError, match="no such card is left"):
        without(left, "8H")


@pytest.mark.parametrize("text", ["8H", "TC", "AS", "KD"])
def test_a_card_is_rank_and_suit(text: str) -> None:
    assert msgspec.convert(text, Card) == text


@pytest.mark.parametrize("text", ["", "8", "H", "10H", "1H", "8h", "0C", "8H ", " 8H", "8H\n", "8X", "XH", "8HH"])
def test_anything_else_is_no_card(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(text, Card)
