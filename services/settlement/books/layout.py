"""The layout: the stakes that the present round will settle, carried ones included."""

from collections.abc import Mapping
from typing import TypeVar

import immutables

from services.decider.part import Part
from services.settlement.books.stakes import Stake

KeyT = TypeVar("KeyT")


class Layout(Part[Stake]):
    """The stakes in play by bet_id, and the sums that a wager is checked against. `sum_minor`: of all stakes.

    Each change keeps the sums right. So a wager counts no stakes, and it costs the same however many there are.
    """

    def __init__(self, items: Mapping[str, Stake] | None = None) -> None:
        self.sum_minor = 0
        self._by_bet: immutables.Map[str, int] = immutables.Map()
        self._by_bettor: immutables.Map[tuple[str, str], int] = immutables.Map()
        super().__init__(items)

    @property
    def totals_minor(self) -> Mapping[str, int]:
        """The sum of all bettors on each bet that has a stake."""
        return self._by_bet

    def total_minor(self, bet_name: str) -> int:
        """The sum of all bettors on this bet."""
        return self._by_bet.get(bet_name, 0)

    def own_minor(self, bettor_id: str, bet_name: str) -> int:
        """The sum of one bettor on this bet, over all seats."""
        return self._by_bettor.get((bettor_id, bet_name), 0)

    def without(self, bet_id: str) -> "Layout":
        """The layout as it would be if this stake were not there."""
        return self.with_changes({bet_id: None})

    def _replaced(self, key: str, before: Stake | None, after: Stake | None) -> None:
        for stake, sign in ((before, -1), (after, 1)):
            if stake is not None:
                added_minor = sign * stake.amount_minor
                self.sum_minor += added_minor
                self._by_bet = _with_added(self._by_bet, stake.bet, added_minor)
                self._by_bettor = _with_added(self._by_bettor, (stake.bettor_id, stake.bet), added_minor)


def _with_added(sums: immutables.Map[KeyT, int], key: KeyT, added_minor: int) -> immutables.Map[KeyT, int]:
    """A sum of 0 is left out. Its bet may be one that the house does not offer any more, and then it has no odds."""
    sum_minor = sums.get(key, 0) + added_minor
    return sums.set(key, sum_minor) if sum_minor else sums.delete(key)
