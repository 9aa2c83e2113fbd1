"""Cards that a test gives to virtual shoes, in place of those that the keys give."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from schemas.cards import CARDS, Composition, without
from services.shoe.core import Wanted

# Gives so many cards for the entry at this place, of those that are left.
Pick = Callable[[str, Composition, int], Sequence[str]]


class GivenCards:
    """Remembers the cards of each table's round: those that lie face down are asked for again."""

    def __init__(self, pick: Pick) -> None:
        self._pick = pick
        self._rounds: dict[str, tuple[Any, list[str]]] = {}

    def of(self, place: str, table: str, wants: Wanted) -> tuple[str, ...]:
        """The cards that are wanted: those of before, and behind them new ones."""
        if not wants.cards:
            return ()
        here = (wants.purpose, wants.shoe_number, wants.round_number, wants.entry_id)
        known, cards = self._rounds.get(table, (None, []))
        if known != here:
            cards = []
        unseen = wants.unseen
        for card in cards[len(wants.known) :]:
            unseen = without(unseen, card)
        if wants.cards > len(cards):
            cards = [*cards, *self._pick(place, unseen, wants.cards - len(cards))]
        self._rounds[table] = (here, cards)
        return tuple(cards[: wants.cards])


def by_chance(unseen: Composition, count: int, chance: random.Random) -> list[str]:
    """So many of these cards, one after the other, none put back."""
    return chance.sample(CARDS, count, counts=unseen) if count else []
