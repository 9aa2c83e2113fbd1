"""Cutting stakes back when betting closes: what was accepted last goes first, and each cut is told by itself."""

from collections.abc import Mapping
from typing import NamedTuple

from services.settlement.amounts import largest_amount_minor
from services.settlement.parts import last_part, places, reduced
from services.settlement.records import Stake, Terms


class Cut(NamedTuple):
    """A stake is less than it was, for this reason; nothing remains when `after_minor` is 0."""

    bet_id: str
    before_minor: int
    after_minor: int
    reason: str


class LastFirst:
    """Stakes that share a bound, with the one whose last part was accepted last on top."""

    def __init__(self, stakes: Mapping[str, Stake]) -> None:
        self._stakes = dict(stakes)
        self.sum_minor = sum([stake.amount_minor for stake in stakes.values()])
        self._orders = sorted([(place, bet_id) for bet_id, stake in stakes.items() for place in places(stake)])

    def cut(self, excess_minor: int, terms: Terms, reason: str) -> Cut:
        """Take the excess off the part accepted last, or that whole part when it is less.

        What remains of its stake is the largest amount that a stake may have; without any it is returned whole.
        """
        bet_id = self._last()
        stake = self._stakes[bet_id]
        at_most_minor = stake.amount_minor - min(excess_minor, last_part(stake).amount_minor)
        after_minor = largest_amount_minor(at_most_minor, stake.bet, terms)
        self._stakes[bet_id] = reduced(stake, after_minor)
        self.sum_minor -= stake.amount_minor - after_minor
        return Cut(bet_id, stake.amount_minor, after_minor, reason)

    def _last(self) -> str:
        """A part that was cut away whole still has its place here and is passed over."""
        while True:
            order, bet_id = self._orders[-1]
            stake = self._stakes[bet_id]
            if stake.amount_minor and last_part(stake).order == order:
                return bet_id
            self._orders.pop()
