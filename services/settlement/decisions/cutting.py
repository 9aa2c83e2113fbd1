"""Cutting: which stakes are handed back, in part or whole, when betting closes.

What was accepted last goes first. Each cut is a fact of its own. A carried stake that nobody changed is not checked
again for minimum, multiple and commission. Maximum, total and differential bind it like others (articles 12, 14).
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from services.settlement.books.stakes import Stake, accepted_last, orders, reduced
from services.settlement.books.terms import OTHER_SIDE, PAIR_BETS, Terms
from services.settlement.money import largest_amount_minor


class Cut(NamedTuple):
    """A stake is less than it was, for this reason. Nothing of it is left when `after_minor` is 0."""

    bet_id: str
    before_minor: int
    after_minor: int
    reason: str


def cut_at_closing(stakes: Mapping[str, Stake], terms: Terms) -> tuple[dict[str, Stake], list[Cut]]:
    """The stakes for which the round is played, in their order, and each cut that led to them."""
    left, cuts = dict(stakes), []
    for cuts_for_a_reason in (_above_maximum, _above_total, _above_differential, _pairs_without_main):
        for cut in cuts_for_a_reason(left, terms):
            left[cut.bet_id] = reduced(left[cut.bet_id], cut.after_minor)
            cuts.append(cut)
        left = {bet_id: stake for bet_id, stake in left.items() if stake.amount_minor}
    return left, cuts


# --- the reasons ---


def _above_maximum(stakes: Mapping[str, Stake], terms: Terms) -> list[Cut]:
    """One bettor's stakes on one bet, over all seats. Only after new limits are carried stakes above it."""
    of_bettor: dict[tuple[str, str], dict[str, Stake]] = defaultdict(dict)
    for bet_id, stake in stakes.items():
        of_bettor[stake.bettor_id, stake.bet][bet_id] = stake
    bounds = terms.limits.bets
    return [
        cut
        for (_, bet_name), theirs in of_bettor.items()
        if bet_name in bounds
        for cut in _down_to(bounds[bet_name].maximum_minor, theirs, terms, "above_maximum")
    ]


def _above_total(stakes: Mapping[str, Stake], terms: Terms) -> list[Cut]:
    return [
        cut
        for bet_name, bounds in terms.limits.bets.items()
        if bounds.total_minor
        for cut in _down_to(bounds.total_minor, _on_bet(bet_name, stakes), terms, "above_total")
    ]


def _above_differential(stakes: Mapping[str, Stake], terms: Terms) -> list[Cut]:
    """The table differential (article 14): the heavier side is cut until it is within the limit.

    A stake may lose more than is needed for the limit. Then the other side may be the heavier one, and that is cut too.
    """
    limit_minor = terms.limits.differential_limit_minor
    if not limit_minor:
        return []
    sides = {side: _LastFirst(_on_bet(side, stakes)) for side in OTHER_SIDE}
    cuts: list[Cut] = []
    while True:
        heavier = max(sides.values(), key=lambda side: side.sum_minor)
        lighter = min(sides.values(), key=lambda side: side.sum_minor)
        excess_minor = heavier.sum_minor - lighter.sum_minor - limit_minor
        if excess_minor <= 0:
            return cuts
        cuts.append(heavier.cut(excess_minor, terms, "differential"))


def _pairs_without_main(stakes: Mapping[str, Stake], terms: Terms) -> list[Cut]:
    """A pair is bet in addition to Player or Banker (article 13). It goes back when nothing of those is left."""
    if not terms.house_rules.pair_requires_main:
        return []
    with_main = {stake.bettor_id for stake in stakes.values() if stake.bet in OTHER_SIDE}
    return [
        Cut(bet_id, stake.amount_minor, 0, "pair_without_main")
        for bet_id, stake in stakes.items()
        if stake.bet in PAIR_BETS and stake.bettor_id not in with_main
    ]


# --- how it is cut ---


def _on_bet(bet_name: str, stakes: Mapping[str, Stake]) -> dict[str, Stake]:
    return {bet_id: stake for bet_id, stake in stakes.items() if stake.bet == bet_name}


def _down_to(bound_minor: int, stakes: Mapping[str, Stake], terms: Terms, reason: str) -> list[Cut]:
    if sum([stake.amount_minor for stake in stakes.values()]) <= bound_minor:
        return []
    last_first, cuts = _LastFirst(stakes), []
    while last_first.sum_minor > bound_minor:
        cuts.append(last_first.cut(last_first.sum_minor - bound_minor, terms, reason))
    return cuts


class _LastFirst:
    """Stakes that share a bound. They are cut in reverse order of acceptance, each increase by itself."""

    def __init__(self, stakes: Mapping[str, Stake]) -> None:
        self._stakes = dict(stakes)
        self.sum_minor = sum([stake.amount_minor for stake in stakes.values()])
        self._orders = sorted([(order, bet_id) for bet_id, stake in stakes.items() for order in orders(stake)])

    def cut(self, excess_minor: int, terms: Terms, reason: str) -> Cut:
        """Take off the excess, but no more than what was accepted last.

        What is left of the stake is the largest amount that a stake may have. It may be 0.
        """
        bet_id = self._last()
        stake = self._stakes[bet_id]
        at_most_minor = stake.amount_minor - min(excess_minor, accepted_last(stake).amount_minor)
        after_minor = largest_amount_minor(at_most_minor, stake.bet, terms)
        self._stakes[bet_id] = reduced(stake, after_minor)
        self.sum_minor -= stake.amount_minor - after_minor
        return Cut(bet_id, stake.amount_minor, after_minor, reason)

    def _last(self) -> str:
        """The stake of which something was accepted last. Orders of what is cut away already are dropped."""
        while True:
            order, bet_id = self._orders[-1]
            stake = self._stakes[bet_id]
            if stake.amount_minor and accepted_last(stake).order == order:
                return bet_id
            self._orders.pop()
