"""Cards that a test gives to virtual shoes, in place of those that the keys give."""

import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from schemas.cards import CARDS, Composition, without
from schemas.codec import Entry
from services.shoe.core import Drawn, House, Outcome, State, Wanted
from services.shoe.dealer import Dealer
from services.shoe.keys import MasterKey

# Gives so many cards for the entry at this place, of those that are left.
Pick = Callable[[str, Composition, int], Sequence[str]]


class GivingDealer(Dealer):
    """Has keys, and deals other cards. It remembers those of each table's round: face down, they are wanted again."""

    def __init__(self, keys: Sequence[MasterKey], pick: Pick) -> None:
        super().__init__(keys)
        self._pick = pick
        self._place = ""
        self._rounds: dict[str, tuple[Any, list[str]]] = {}

    def decide(self, pit: str, state: State, entry: Entry, house: House) -> list[Outcome]:
        """As a dealer does."""
        self._place = entry.place
        return super().decide(pit, state, entry, house)

    def give(self, pit: str, table: str, wants: Wanted) -> Drawn:
        """The key that is wanted, and the test's cards."""
        drawn = super().give(pit, table, wants._replace(cards=0))
        return drawn._replace(cards=self._cards(table, wants) if wants.cards else ())

    def _cards(self, table: str, wants: Wanted) -> tuple[str, ...]:
        here = (wants.purpose, wants.shoe_number, wants.round_number, wants.entry_id)
        known, cards = self._rounds.get(table, (None, []))
        if known != here:
            cards = []
        unseen = wants.unseen
        for card in cards[len(wants.known) :]:
            unseen = without(unseen, card)
        if wants.cards > len(cards):
            cards = [*cards, *self._pick(self._place, unseen, wants.cards - len(cards))]
        self._rounds[table] = (here, cards)
        return tuple(cards[: wants.cards])


def laid_in(cards: Iterable[str], chance: random.Random) -> Pick:
    """These cards, and when they are out what chance gives."""
    left = deque(cards)

    def pick(_: str, unseen: Composition, count: int) -> Sequence[str]:
        drawn: list[str] = []
        while left and len(drawn) < count:
            drawn.append(left.popleft())
            unseen = without(unseen, drawn[-1])
        rest = count - len(drawn)
        return [*drawn, *(chance.sample(CARDS, rest, counts=unseen) if rest else ())]

    return pick
