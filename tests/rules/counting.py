"""Counts every way that six cards can leave a shoe, by points, and what the production drawing rules make of each."""

from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from math import perm

from services.rules.tableau import is_natural, side_to_draw

DECKS = 8
TOTAL = perm(52 * DECKS, 6)  # ordered sequences of six cards
CARDS_BY_POINTS = (16 * DECKS, *[4 * DECKS] * 9)

Hand = tuple[int, ...]
Ways = Callable[[Hand], int]  # the ways to draw these third cards, in this order, and any cards behind them


def count_every_deal() -> Counter[str]:
    """Full enumeration: each first four cards, then each card that the rules have drawn."""
    counts: Counter[str] = Counter()
    for first_four in product(range(10), repeat=4):
        left = list(CARDS_BY_POINTS)
        ways = _take(left, first_four)
        _count((first_four[0], first_four[2]), (first_four[1], first_four[3]), _ways_behind(left, ways), counts)
    return counts


def count_classes() -> Counter[str]:
    """The same from sums made once: 100 pairs of totals stand for the first four cards. Cheap enough to repeat."""
    counts: Counter[str] = Counter()
    for player, banker in product(range(10), repeat=2):
        _count((0, player), (0, banker), partial(_ways_of_class, player, banker), counts)
    return counts


def _ways_of_class(player: int, banker: int, thirds: Hand) -> int:
    return _classes()[player, banker, *thirds]


@cache
def _classes() -> Counter[Hand]:
    """The ways to each total of Player, total of Banker and none, one or two further cards."""
    classes: Counter[Hand] = Counter()
    for player_first, banker_first, player_second, banker_second in product(range(10), repeat=4):
        left = list(CARDS_BY_POINTS)
        ways = _take(left, (player_first, banker_first, player_second, banker_second))
        ways_behind = _ways_behind(left, ways)
        totals = ((player_first + player_second) % 10, (banker_first + banker_second) % 10)
        for thirds in ((), *product(range(10), repeat=1), *product(range(10), repeat=2)):
            classes[*totals, *thirds] += ways_behind(thirds)
    return classes


def _take(left: list[int], cards: Hand) -> int:
    """The ways to draw these cards one after another, which are then gone."""
    ways = 1
    for points in cards:
        ways *= left[points]
        left[points] -= 1
    return ways


def _ways_behind(left: list[int], ways: int) -> Ways:
    """What four cards, drawn in so many ways, leave for the fifth and sixth."""
    cards_left = sum(left)

    def ways_of(thirds: Hand) -> int:
        if not thirds:
            return ways * perm(cards_left, 2)
        if len(thirds) == 1:
            return ways * left[thirds[0]] * (cards_left - 1)
        return ways * left[thirds[0]] * (left[thirds[1]] - (thirds[0] == thirds[1]))

    return ways_of


def _count(player: Hand, banker: Hand, ways: Ways, counts: Counter[str]) -> None:
    """Draw as the production rules say, each possible card in turn, and count how the rounds end."""
    side = side_to_draw(player, banker)
    if side is not None:
        for points in range(10):
            drawn = (points,)
            if side == "player":
                _count(player + drawn, banker, ways, counts)
            else:
                _count(player, banker + drawn, ways, counts)
        return
    these = ways(player[2:] + banker[2:])
    player_total, banker_total = sum(player) % 10, sum(banker) % 10
    winner = "tie" if player_total == banker_total else "player" if player_total > banker_total else "banker"
    counts[winner] += these
    counts[f"{len(player) + len(banker)} cards"] += these
    if is_natural(player, banker):
        counts["natural"] += these
    if winner == "banker" and banker_total == 6:
        counts[f"banker wins with 6, {len(banker)} cards"] += these
