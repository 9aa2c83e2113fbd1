"""Rounds dealt card by card, with drawing rules and counting of their own: nothing here is production code.

All six cards are always dealt, though a round may need four. Cards are told apart as far as a question needs it: by
rank (`A` to `K`, each so many times) or by rank and suit.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import product

RANKS = "A23456789TJQK"
CARDS = [rank + suit for rank in RANKS for suit in "CDHS"]
DRAWS_AGAINST = {0: "0123456789", 1: "0123456789", 2: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67"}

Two = tuple[str, str]
Totals = tuple[int, int, int, int]  # Player's and Banker's total, Player's and Banker's number of cards
Alike = Callable[[Two], bool]


def by_rank(decks: int) -> Mapping[str, int]:
    """Each rank and how many cards of it there are."""
    return dict.fromkeys(RANKS, 4 * decks)


def by_card(decks: int) -> Mapping[str, int]:
    """Each card and how many of it there are."""
    return dict.fromkeys(CARDS, decks)


def count(deck: Mapping[str, int], player: Alike, banker: Alike) -> Counter[Totals]:
    """The ways to each outcome among the sequences whose first two cards of each side are as asked."""
    cards = sum(deck.values())
    by_points = [0] * 10
    for kind, copies in deck.items():
        by_points[_points(kind)] += copies
    first_fours: Counter[tuple[int, ...]] = Counter()
    hands = [(first, second) for first in deck for second in deck]
    for players, bankers in product(filter(player, hands), filter(banker, hands)):
        four = players + bankers
        first_fours[tuple(_points(kind) for kind in four)] += _ways(four, deck)
    counts: Counter[Totals] = Counter()
    for (player_1, player_2, banker_1, banker_2), ways in first_fours.items():
        left = list(by_points)
        for points in (player_1, player_2, banker_1, banker_2):
            left[points] -= 1
        assert sum(left) == cards - 4
        for fifth, sixth in product(range(10), repeat=2):
            behind = left[fifth] * (left[sixth] - (fifth == sixth))
            counts[_played((player_1 + player_2) % 10, (banker_1 + banker_2) % 10, fifth, sixth)] += ways * behind
    return +counts


def _points(kind: str) -> int:
    return 0 if kind[0] in "TJQK" else RANKS.index(kind[0]) + 1


def _ways(four: Iterable[str], deck: Mapping[str, int]) -> int:
    """To draw these one after another, none put back."""
    left, ways = dict(deck), 1
    for kind in four:
        ways *= left[kind]
        left[kind] -= 1
    return ways


def _played(player: int, banker: int, fifth: int, sixth: int) -> Totals:
    """Article 9 in words: naturals; Player draws up to 5; Banker up to 5 if Player stood, else by Player's card."""
    if player >= 8 or banker >= 8:
        return player, banker, 2, 2
    if player >= 6:
        if banker <= 5:
            return player, (banker + fifth) % 10, 2, 3
        return player, banker, 2, 2
    if str(fifth) in DRAWS_AGAINST.get(banker, ""):
        return (player + fifth) % 10, (banker + sixth) % 10, 3, 3
    return (player + fifth) % 10, banker, 3, 2
