"""Counts all sequences of six cards from a whole shoe, by what matters to bets. The counts are exact integers.

A round takes at most six cards, and all sequences of six cards are equally likely. So each sequence decides one round.
When a round takes fewer cards, the others of its sequence stay in the shoe.

The number of cases stays small for three reasons. The rank of a card matters only among a hand's first two cards; later
cards count by their points. The order of these two cards does not matter. Suits matter only to perfect pairs, and the
part of the pairs that is perfect is an exact fraction.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import perm
from typing import Final, NamedTuple

from schemas.cards import POINTS, RANKS, SUITS, Result
from services.rules.tableau import is_natural, side_to_draw
from services.settlement.money import HandFacts

SEQUENCE_CARDS: Final = 6
_POINTS: Final = {rank: POINTS[rank + SUITS[0]] for rank in RANKS}

Ranks = tuple[str, ...]
Hand = tuple[int, ...]  # the points of its cards


class RoundClass(NamedTuple):
    """A class of rounds: no bet distinguishes between two rounds of one class."""

    facts: HandFacts
    natural: bool


class Pairs(NamedTuple):
    """Whether the first two cards of each hand are a pair. A perfect pair is a pair too."""

    player_pair: bool
    banker_pair: bool
    player_perfect_pair: bool
    banker_perfect_pair: bool


def count_sequences(decks: int) -> int:
    """The number of sequences of six cards, in their order, from this many decks."""
    return perm(52 * decks, SEQUENCE_CARDS)


def count_classes(decks: int) -> Mapping[RoundClass, int]:
    """For each class of rounds, the number of sequences that deal one."""
    ways_of: Counter[RoundClass] = Counter()
    for (player, banker), first_ways in _first_cards(decks).items():
        for hands, ways_behind in _deal_on(player, banker, _left(decks, player + banker)):
            for pairs, ways in first_ways.items():
                ways_of[_round_class(*hands, pairs)] += ways * ways_behind
    assert sum(ways_of.values()) == count_sequences(decks), "a sequence is counted twice or never"
    return ways_of


def _first_cards(decks: int) -> Mapping[tuple[Hand, Hand], Counter[Pairs]]:
    """The ways to deal each hand's first two cards: by the points of the four cards, and by the pairs among them.

    A hand's two cards are counted in both orders.
    """
    found: dict[tuple[Hand, Hand], Counter[Pairs]] = {}
    for player, banker in product(combinations_with_replacement(RANKS, 2), repeat=2):
        ways = len(set(player)) * len(set(banker))
        for cards in Counter(player + banker).values():
            ways *= perm(len(SUITS) * decks, cards)
        ways_by_pairs = found.setdefault((_points(player), _points(banker)), Counter())
        for pairs, part in _parts_by_suit(player, banker, decks):
            exact = ways * part
            assert exact.denominator == 1, "half a way"
            ways_by_pairs[pairs] += exact.numerator
    return found


def _points(ranks: Ranks) -> Hand:
    return tuple([_POINTS[rank] for rank in ranks])


def _parts_by_suit(player: Ranks, banker: Ranks, decks: int) -> Iterator[tuple[Pairs, Fraction]]:
    """Which part of the ways to deal these ranks has perfect pairs, and which has none.

    Of the other cards of a card's rank, `decks` - 1 have its suit. Two perfect pairs of the same rank depend on each
    other: after the first one, one suit has two cards fewer.
    """
    player_pair, banker_pair = len(set(player)) == 1, len(set(banker)) == 1
    of_rank = len(SUITS) * decks
    perfect = Fraction(decks - 1, of_rank - 1)
    player_perfect, banker_perfect = player_pair * perfect, banker_pair * perfect
    both_perfect = player_perfect * banker_perfect
    if both_perfect and player == banker:
        of_one_suit = perm(decks - 2, 2) + (len(SUITS) - 1) * perm(decks, 2)
        both_perfect = player_perfect * Fraction(of_one_suit, perm(of_rank - 2, 2))
    parts = {
        (False, False): 1 - player_perfect - banker_perfect + both_perfect,
        (True, False): player_perfect - both_perfect,
        (False, True): banker_perfect - both_perfect,
        (True, True): both_perfect,
    }
    for perfect_pairs, part in parts.items():
        if part:
            yield Pairs(player_pair, banker_pair, *perfect_pairs), part


def _left(decks: int, out: Hand) -> list[int]:
    """How many cards of each points, 0 to 9, are left when the cards in `out` are dealt."""
    left = [0] * 10
    for points in _POINTS.values():
        left[points] += len(SUITS) * decks
    for points in out:
        left[points] -= 1
    return left


def _deal_on(player: Hand, banker: Hand, left: list[int]) -> Iterator[tuple[tuple[Hand, Hand], int]]:
    """All pairs of final hands that these two hands can become by the rules service's code.

    Each comes with its ways: the ways to draw the cards in between, times the ways to the rest of the sequence.
    """
    side = side_to_draw(player, banker)
    if side is None:
        yield (player, banker), perm(sum(left), SEQUENCE_CARDS - len(player) - len(banker))
        return
    for points, cards in enumerate(left):
        if cards:
            behind = [*left[:points], cards - 1, *left[points + 1 :]]
            to_player, to_banker = ((points,), ()) if side == "player" else ((), (points,))
            for hands, ways in _deal_on(player + to_player, banker + to_banker, behind):
                yield hands, cards * ways


def _round_class(player: Hand, banker: Hand, pairs: Pairs) -> RoundClass:
    player_total, banker_total = sum(player) % 10, sum(banker) % 10
    facts = HandFacts(
        result=_result(player_total, banker_total),
        player_total=player_total,
        banker_total=banker_total,
        player_cards=len(player),
        banker_cards=len(banker),
        **pairs._asdict(),
    )
    return RoundClass(facts, is_natural(player, banker))


def _result(player_total: int, banker_total: int) -> Result:
    """The higher total wins; equal totals are a tie (articles 11 and 12)."""
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"
