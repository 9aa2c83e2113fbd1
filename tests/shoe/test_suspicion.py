"""Decks that were never shuffled are noticed, and shuffled ones are not (measured over 10,000 shuffles)."""

import random
from collections.abc import Callable
from itertools import pairwise, permutations
from typing import Any

import pytest

from schemas import facts
from schemas.cards import CARDS, RANKS
from services.shoe.decisions.suspecting import new_deck_order, repeated_sequence
from tests.shoe.asking import hold, release
from tests.shoe.table import TABLE, Table, house_rules, types

Check = Callable[[str], str | None]
DECKS = 8
KINGS_FIRST = RANKS[::-1]
PAIRS = {a + suit + b + suit for order in (RANKS, KINGS_FIRST) for a, b in pairwise(order) for suit in "CDHS"}
SUIT_ORDERS = ["".join(order) for order in permutations("CDHS")]


def fires_at(cards: list[str], *checks: Check) -> int | None:
    """At which card one of the checks first finds something."""
    text = "".join(cards)
    for number in range(1, len(cards) + 1):
        if any(check(text[: 2 * number]) for check in checks):
            return number
    return None


def new_decks(suits: str = "SDCH", ranks: tuple[str, ...] = (RANKS,) * 4) -> list[str]:
    """Eight decks as they come out of their boxes: each suit by ranks in this order."""
    return [rank + suit for suit, order in zip(suits, ranks, strict=True) for rank in order] * DECKS


def cut(cards: list[str], at: int) -> list[str]:
    return cards[at:] + cards[:at]


def riffled(cards: list[str], generator: random.Random) -> list[str]:
    """One riffle by Gilbert, Shannon and Reeds: a cut as coins fall, then each card from a packet by its size."""
    packet = sum(generator.random() < 0.5 for _ in cards)
    left, right = cards[:packet][::-1], cards[packet:][::-1]
    return [
        (left if generator.random() * (len(left) + len(right)) < len(left) else right).pop() for _ in range(len(cards))
    ]


# --- the patterns


@pytest.mark.parametrize("suits", SUIT_ORDERS)
@pytest.mark.parametrize(
    "ranks", [(RANKS,) * 4, (KINGS_FIRST,) * 4, (RANKS, RANKS, KINGS_FIRST, KINGS_FIRST), (KINGS_FIRST, RANKS) * 2]
)
def test_new_decks_are_noticed_at_the_tenth_card(suits: str, ranks: tuple[str, ...]) -> None:
    """Nine of the first ten cards follow the one before."""
    assert fires_at(new_decks(suits, ranks), new_deck_order) == 10


def test_new_decks_with_any_cut_are_noticed_at_the_tenth_card_or_behind_a_suits_end_at_the_eleventh() -> None:
    for at in range(52 * DECKS):
        within_one_suit = 13 - at % 13 >= 10
        assert fires_at(cut(new_decks(), at), new_deck_order) == (10 if within_one_suit else 11), at


def test_new_decks_cut_and_riffled_once_are_noticed_by_the_median_at_card_19_and_always_by_card_120() -> None:
    generator = random.Random(1955)
    found = []
    for _ in range(1_000):
        at = fires_at(riffled(cut(new_decks(), generator.randrange(52 * DECKS)), generator), new_deck_order)
        assert at is not None
        found.append(at)
    assert sorted(found)[500] == 19
    assert max(found) <= 120


@pytest.mark.parametrize("period", [60, 74, 90])
def test_cards_that_come_again_are_noticed_at_the_sixth_of_them(period: int) -> None:
    shuffled = random.Random(period).sample(list(CARDS) * DECKS, period)
    assert fires_at(shuffled + shuffled, repeated_sequence) == period + 6
    evidence = f"the last 6 cards came in the same order {period} cards before"
    assert repeated_sequence("".join(shuffled + shuffled[:6])) == evidence


def test_five_cards_that_come_again_are_chance() -> None:
    shuffled = random.Random(5).sample(CARDS, 40)
    assert fires_at(shuffled[:20] + shuffled[:5] + shuffled[20:], repeated_sequence) is None


def test_ten_thousand_proper_shuffles_raise_no_false_alarm() -> None:
    """1,000,000 shuffles gave 5 false alarms of `new_deck_order`; 2 of `repeated_sequence` are to be expected."""
    generator = random.Random(10_000)
    cards = list(CARDS) * DECKS
    alarms = 0
    for _ in range(10_000):
        generator.shuffle(cards)
        text = "".join(cards)
        # Only where it can be is each check asked: all of them would take ten times as long.
        alarms += any(new_deck_order(text[:end]) for end in range(4, len(text) + 2, 2) if text[end - 4 : end] in PAIRS)
        sixes = {text[start : start + 12] for start in range(0, len(text) - 10, 2)}
        alarms += len(sixes) < len(cards) - 5 and fires_at(cards, repeated_sequence) is not None
    assert alarms == 0


@pytest.mark.parametrize(
    ("cards", "follow"),
    [("AC2C", True), ("2CAC", True), ("QHKH", True), ("TDJD", True), ("KCAC", False), ("AC2D", False), ("3S5S", False)],
)
def test_a_card_follows_by_one_rank_in_its_suit(cards: str, follow: bool) -> None:
    """Eight pairs that follow, and this one: nine of the last ten cards, or not."""
    before = "".join(rank + "D" for rank in KINGS_FIRST[4:])
    assert bool(new_deck_order(before + cards)) == follow


# --- the facts


def play(table: Table, cards: list[str], rounds: range, shoe: int = 1) -> None:
    """Rounds of five cards each; those of round n are scanned as `cards` has them from 5 x (n - 1) on."""
    for number in rounds:
        first = 5 * (number - 1) + 1
        table.open_round(number, shoe)
        table.close_betting(number, shoe)
        for ordinal in range(first, first + 4):
            table.scan(ordinal, cards[ordinal - 1], shoe=shoe)
        table.call_draw(number, "player", 4, shoe)
        table.scan(first + 4, cards[first + 3], shoe=shoe)
        table.decide_round(number, 5, shoe)
        table.settle(number, shoe)


def physical(**fields: Any) -> Table:
    table = Table(house_rules(**{"decks": DECKS, **fields}))
    table.open()
    table.load("physical")
    return table


def test_new_decks_are_told_with_the_end_of_the_round_in_which_they_are_noticed() -> None:
    table = physical()
    play(table, new_decks(), range(1, 2))
    assert table.of(facts.ShoeSuspect) == []
    play(table, new_decks(), range(2, 3))
    (suspect,) = table.of(facts.ShoeSuspect)
    assert suspect == facts.ShoeSuspect(
        table=TABLE,
        shoe_number=1,
        card_number=10,
        pattern="new_deck_order",
        evidence="9 of the last 9 cards follow the one before them in suit and rank, ace to king or back: "
        "in new decks 12 of 13 do, after one riffle about half, in shuffled decks 1 of 28",
    )
    assert types(table.facts)[-2:] == ["round.ended", "shoe.suspect"]


def test_rounds_that_come_again_after_fifteen_are_told_with_the_seventeenth() -> None:
    """The sixth card of the repetition is the first of its second round."""
    table = physical()
    shuffled = random.Random(15).sample(list(CARDS) * DECKS, 75)
    play(table, shuffled * 2, range(1, 17))
    assert table.of(facts.ShoeSuspect) == []
    play(table, shuffled * 2, range(17, 31))
    (suspect,) = table.of(facts.ShoeSuspect)
    assert (suspect.pattern, suspect.card_number) == ("repeated_sequence", 81)
    assert suspect.evidence == "the last 6 cards came in the same order 75 cards before"


def test_each_pattern_is_told_once_a_shoe() -> None:
    table = physical()
    play(table, new_decks(), range(1, 20))
    assert [(suspect.pattern, suspect.card_number) for suspect in table.of(facts.ShoeSuspect)] == [
        ("new_deck_order", 10),
        ("repeated_sequence", 58),
    ]
    table.end_shoe()
    table.load("physical", number=2)
    play(table, new_decks(), range(1, 4), shoe=2)
    assert [suspect.shoe_number for suspect in table.of(facts.ShoeSuspect)] == [1, 1, 2]


def test_shuffled_cards_raise_nothing() -> None:
    table = physical()
    play(table, random.Random(1).sample(list(CARDS) * DECKS, 400), range(1, 41))
    assert table.of(facts.ShoeSuspect) == []


@pytest.mark.parametrize("dealing", ["continuous_shuffler", "shuffle_every_round"])
def test_a_shuffler_that_takes_cards_back_has_no_order_to_check(dealing: str) -> None:
    table = physical(dealing=dealing, cut_card_depth=0)
    play(table, new_decks(), range(1, 6))
    assert table.of(facts.ShoeSuspect) == []


def test_a_virtual_shoe_is_drawn_and_not_checked() -> None:
    table = Table(house_rules(), stacked=[card + "C" for card in RANKS])
    table.open()
    table.load()
    table.play_round(1, cards=6)
    table.play_round(2, cards=6)
    assert table.of(facts.ShoeSuspect) == []


@pytest.mark.parametrize("failed", [False, True])
def test_a_burned_card_that_was_not_read_hides_no_repetition(failed: bool) -> None:
    """Card 5 is burned, cards 10 to 17 are those around it: the sixth of them is card 15."""
    table = physical()
    cards = random.Random(5).sample(CARDS, 8)
    for number, first, burn in ((1, 1, 0), (2, 6, 1), (3, 10, 0), (4, 14, 0)):
        table.open_round(number, burn=burn)
        if burn and failed:
            table.scan(5, None)
        table.close_betting(number)
        table.scan_all(first, *(cards[:4] if number % 2 else cards[4:]))
        table.decide_round(number, 4)
        table.settle(number)
    (suspect,) = table.of(facts.ShoeSuspect)
    assert (suspect.pattern, suspect.card_number) == ("repeated_sequence", 15)


def test_a_card_that_no_hand_takes_counts_with_the_next_round() -> None:
    """The tenth card waits when round 2 is decided: nothing is said of it before the next round ends."""
    table = physical()
    cards = new_decks()
    play(table, cards, range(1, 2))
    table.open_round(2)
    table.close_betting(2)
    table.scan_all(6, *cards[5:10])
    table.decide_round(2, 4)
    table.settle(2)
    assert table.of(facts.ShoeSuspect) == []
    table.open_round(3)
    table.close_betting(3)
    table.scan_all(11, *cards[10:14])
    table.decide_round(3, 4)
    (suspect,) = table.of(facts.ShoeSuspect)
    assert suspect.card_number == 11


def test_closed_cards_raise_nothing() -> None:
    """Cards that wait while bets are taken are in no fact, so neither is what they look like."""
    table = physical()
    cards = new_decks()
    play(table, cards, range(1, 2))
    table.open_round(2)
    assert table.scan_all(6, *cards[5:11]) == []
    table.void(2)
    assert table.of(facts.ShoeSuspect) == []


def test_what_a_held_table_decides_is_checked_when_it_is_released() -> None:
    table = physical()
    cards = new_decks()
    play(table, cards, range(1, 2))
    table.open_round(2)
    table.close_betting(2)
    table.scan_all(6, *cards[5:9])
    table.call_draw(2, "player", 4)
    table.scan(10, cards[9])
    hold(table)
    assert table.decide_round(2, 5) == []
    assert types(release(table)) == ["table.released", "round.ended", "shoe.suspect"]
