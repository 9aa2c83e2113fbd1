"""Virtual dealing has the distribution of a shuffled shoe: positions, pairs of neighbours, the last card.

Cards of the present state are drawn one entry at a time, as the shell does. Seeded: it cannot fail by chance.
"""

import random
from collections import Counter

import pytest

from schemas.cards import CARDS, Composition, full_composition, without
from schemas.facts import CardDealt
from services.shoe.dealer import Dealer
from services.shoe.draw import draw, draw_on
from tests.keys import key_from
from tests.shoe.table import Table, house_rules

# Four different cards, one of them twice: every order can be counted.
SMALL = tuple({"AC": 2, "2C": 1, "3C": 1, "4C": 1}.get(card, 0) for card in CARDS)
SMALL_CARDS = ("AC", "AC", "2C", "3C", "4C")
TRIALS = 20_000

# Quantiles of the chi-square distribution at 1 - 1e-6, by degrees of freedom.
CRITICAL = {1: 23.93, 3: 30.67, 12: 50.83, 51: 114.08, 59: 125.67}


def chi_square(observed: Counter[str], expected: dict[str, float]) -> float:
    assert set(observed) <= set(expected)
    return sum((observed[name] - count) ** 2 / count for name, count in expected.items())


def some(left: Composition, count: int, generator: random.Random) -> tuple[str, ...]:
    """So many cards under a key and a seed of their own."""
    return draw_on(generator.randbytes(32), generator.randbytes(32), (), count, left)


def dealt_out(sizes: tuple[int, ...], generator: random.Random) -> list[str]:
    """The small shoe dealt to its last card, in draws of these sizes."""
    left, cards = SMALL, list[str]()
    for size in sizes:
        drawn = some(left, size, generator)
        for card in drawn:
            left = without(left, card)
        cards += drawn
    return cards


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 1), (4, 1), (1, 4)])
def test_every_position_holds_each_card_as_often_as_in_a_shuffled_shoe(sizes: tuple[int, ...]) -> None:
    generator = random.Random(2)
    deals = [dealt_out(sizes, generator) for _ in range(TRIALS)]
    expected = {card: TRIALS * SMALL_CARDS.count(card) / 5 for card in set(SMALL_CARDS)}
    for position in range(5):  # the fifth is the last card of the shoe
        assert chi_square(Counter(deal[position] for deal in deals), expected) < CRITICAL[3]


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 1), (4, 1)])
def test_neighbours_are_as_independent_as_in_a_shuffled_shoe(sizes: tuple[int, ...]) -> None:
    generator = random.Random(3)
    deals = [dealt_out(sizes, generator) for _ in range(TRIALS)]
    pairs = Counter(
        a + b for index, a in enumerate(SMALL_CARDS) for b in SMALL_CARDS[:index] + SMALL_CARDS[index + 1 :]
    )
    assert len(pairs) == 13
    expected = {pair: TRIALS * count / 20 for pair, count in pairs.items()}
    for position in range(4):
        observed = Counter(deal[position] + deal[position + 1] for deal in deals)
        assert chi_square(observed, expected) < CRITICAL[12]


def test_every_order_is_as_likely_as_any_other() -> None:
    generator = random.Random(4)
    observed = Counter("".join(dealt_out((4, 1), generator)) for _ in range(TRIALS))
    assert len(observed) == 60
    assert chi_square(observed, dict.fromkeys(observed, TRIALS / 60)) < CRITICAL[59]


def test_a_full_shoe_gives_each_of_the_52_cards_as_often() -> None:
    generator = random.Random(5)
    shoe = full_composition(8)
    observed = Counter(card for _ in range(TRIALS // 4) for card in some(shoe, 4, generator))
    assert chi_square(observed, dict.fromkeys(CARDS, TRIALS / 52)) < CRITICAL[51]


def test_what_the_core_deals_behind_an_unseen_burn_is_any_card_of_the_deck() -> None:
    """Cards burned face down may still come: to those who have not seen them they are no less likely than others."""
    table = Table(house_rules(burn="fixed", burn_fixed=8), seed=6)
    table.open()
    table.load()
    table.open_round(1)
    bets_open = table.state
    deals = []
    for _ in range(TRIALS // 4):
        table.state, table.dealer = bets_open, Dealer([key_from(6)])
        deals.append([fact.card for fact in table.close_betting(1) if isinstance(fact, CardDealt)])
    for position in range(4):
        expected = dict.fromkeys(CARDS, TRIALS / 4 / 52)
        assert chi_square(Counter(str(deal[position]) for deal in deals), expected) < CRITICAL[51]
    same_rank = sum(str(deal[0])[0] == str(deal[1])[0] for deal in deals)
    pairs = {"yes": TRIALS / 4 * 3 / 51, "no": TRIALS / 4 * 48 / 51}
    assert chi_square(Counter({"yes": same_rank, "no": len(deals) - same_rank}), pairs) < CRITICAL[1]


def test_a_card_that_is_not_there_is_never_drawn() -> None:
    assert sorted(some(SMALL, 5, random.Random(7))) == sorted(SMALL_CARDS)


def test_what_is_known_is_not_drawn_again() -> None:
    key, seed = b"k" * 32, b"s" * 32
    whole = draw_on(key, seed, (), 5, SMALL)
    left = without(without(SMALL, whole[0]), whole[1])
    assert draw_on(key, seed, whole[:2], 5, left) == whole
    assert draw_on(key, seed, whole, 5, ()) == whole
    assert draw_on(key, seed, (), 0, SMALL) == ()


@pytest.mark.parametrize("card", SMALL_CARDS)
def test_the_last_card_of_a_shoe_is_the_one_that_is_left(card: str) -> None:
    left = tuple(int(name == card) for name in CARDS)
    assert draw(b"k" * 32, b"s" * 32, 6, left) == card
