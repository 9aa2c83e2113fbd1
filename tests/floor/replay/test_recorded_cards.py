"""The cards that a shoe would have given for a recorded round."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import CARDS, INDEX_OF_CARD, full_composition, without
from services.floor.replay.recorded_rounds import (
    Hands,
    Record,
    cards_of,
    first_cards,
)
from tests.floor.replay.records import record

FULL = full_composition(8)


# What the record says, its pairs, cards already out of the shoe, and the cards: the copies least used, of several
# the first in the order of `CARDS`.
CHOSEN = [
    ("8H 9S", "TD AC 2C", None, "", "8H 9S | TD AC 2C"),
    ("8 9", "T A 2", None, "", "8C 9C | TC AC 2C"),
    ("8 8 8", "8 8", None, "", "8C 8D 8H | 8S 8C"),
    ("8 9", "T A", None, "8C 8D TC", "8H 9C | TD AC"),
    ("8 9", "8 9", None, "8C 8C 8D 8H", "8S 9C | 8D 9D"),
    ("1 5", "9 2", "", "AC", "AD 5C | 9C 2C"),
    ("0 0", "0 5", None, "", "TC TD | TH 5C"),
    ("0 0", "0 5", "", "", "TC JC | TD 5C"),
    ("0 0", "0 5", "P", "", "TC TD | TH 5C"),
    ("0 5", "0 0", "B", "", "TC 5C | TD TH"),
    ("0 0 0", "0 0 0", "PB", "", "TC TD TH | TS TC JC"),
    ("0 0", "0 0", "P", "TC TD TH TS JC JD JH JS QC QD QH QS KC", "KD KH | KS TC"),
    ("5 5", "4 4", "", "", "5C 5D | 4C 4D"),  # no choice could agree with such a record
    ("0 5", "4 0", "PB", "", "TC 5C | 4C TD"),
    ("4 2 A A", "6 3 7", None, "", "4C 2C AC | 6C 3C 7C"),  # no side is dealt a fourth card
    ("", "9", None, "", " | 9C"),
]


@pytest.mark.parametrize(("player", "banker", "pairs", "out", "cards"), CHOSEN)
def test_suits_and_ranks_are_the_copies_least_used(player: str, banker: str, pairs: Any, out: str, cards: str) -> None:
    left = FULL
    for card in out.split():
        left = without(left, card)
    player_cards, banker_cards = cards.split("|")
    hands = Hands(tuple(player_cards.split()), tuple(banker_cards.split()))
    assert cards_of(record(player, banker, pairs=pairs), left) == hands


def shoe_of(*cards: str) -> tuple[int, ...]:
    return tuple(cards.count(card) for card in CARDS)


NO_LONGER_THERE = [
    ("8 9", "T A", None, shoe_of("8C", "9C", "TC", "2C", "3C", "4C")),
    ("8H 9H", "T A", None, shoe_of("8C", "9H", "TC", "AC", "3C", "4C")),
    ("8 8", "8 9", None, shoe_of("8C", "8D", "9H", "TC", "AC", "3C")),
    ("0 0", "2 3", "P", shoe_of("KC", "QC", "JC", "TC", "2C", "3C")),
    ("0 0", "2 3", "", shoe_of("KC", "KD", "KH", "KS", "2C", "3C")),
    ("0 0", "0 0", "PB", shoe_of("KC", "KD", "KH", "QC", "2C", "3C")),
]


@pytest.mark.parametrize(("player", "banker", "pairs", "left"), NO_LONGER_THERE)
def test_a_shoe_without_the_record_s_cards_gives_none(player: str, banker: str, pairs: Any, left: Any) -> None:
    assert cards_of(record(player, banker, pairs=pairs), left) is None


def test_zeros_take_another_rank_where_the_least_used_would_leave_no_pair() -> None:
    left = shoe_of("KC", "KC", "QC", "QD", "JH", "2C", "3C")
    hands = cards_of(record("0 0", "0 0", pairs="B"), left)
    assert hands is not None
    assert hands.player[0][0] != hands.player[1][0]
    assert hands.banker[0][0] == hands.banker[1][0]


ANY_SYMBOL = st.sampled_from((*CARDS, *"A23456789TJQK01"))
ANY_HAND = st.lists(ANY_SYMBOL, max_size=5).map(tuple)
ANY_RECORD = st.builds(Record, player=ANY_HAND, banker=ANY_HAND, pairs=st.sampled_from((None, "", "P", "B", "PB")))


@given(st.lists(ANY_RECORD, max_size=30))
def test_cards_are_what_the_record_says_and_never_more_than_eight_of_one(records: list[Record]) -> None:
    left = FULL
    for each in records:
        hands = cards_of(each, left)
        assert hands is not None, "thirty rounds never use up a card here, but for one that repeats itself"
        for letter, symbols, cards in (("P", each.player, hands.player), ("B", each.banker, hands.banker)):
            assert len(cards) == min(len(symbols), 3)
            for symbol, card in zip(symbols, cards, strict=False):
                assert card[0] in {"0": "TJQK", "1": "A"}.get(symbol, symbol[0])
                assert card[1] in (symbol[1:] or "CDHS")
                left = without(left, card)
            if symbols[:2] == ("0", "0") and each.pairs is not None:
                assert (cards[0][0] == cards[1][0]) is (letter in each.pairs)
        if min(left) < 6:
            left = FULL


@given(st.lists(st.sampled_from("A23456789TJQK"), min_size=6, max_size=6), st.integers(1, 40))
def test_no_copy_of_a_rank_is_used_twice_more_than_another(ranks: list[str], rounds: int) -> None:
    each = Record(player=tuple(ranks[:3]), banker=tuple(ranks[3:]))
    left = FULL
    for _ in range(rounds):
        hands = cards_of(each, left)
        if hands is None:
            break
        for card in (*hands.player, *hands.banker):
            left = without(left, card)
    for rank in set(ranks):
        copies = [left[INDEX_OF_CARD[rank + suit]] for suit in "CDHS"]
        assert max(copies) - min(copies) <= 1


FIRST = [
    ("8H 9H KH", "2C 3C 4C", "8H 2C 9H 3C"),
    ("8H", "2C 3C", "8H 2C"),
    ("8H 9H", "2C", "8H 2C 9H"),
    ("8H 9H", "", "8H"),
    ("", "2C 3C", ""),
]


@pytest.mark.parametrize(("player", "banker", "first"), FIRST)
def test_the_first_cards_go_to_both_sides_in_turn_until_one_lacks(player: str, banker: str, first: str) -> None:
    assert first_cards(Hands(tuple(player.split()), tuple(banker.split()))) == tuple(first.split())
