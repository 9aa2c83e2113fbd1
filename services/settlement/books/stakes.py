"""Stakes: the amount that a bettor has on one bet, and how it changes.

A stake grows by increases. What was accepted last goes first when a stake is cut. So each increase has its own `order`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace


class Increase(NamedTuple):
    """An amount that was added to a stake. `order`: how many wagers the table had taken before it."""

    order: int
    amount_minor: int


class Stake(Struct, frozen=True, omit_defaults=True):
    """One stake, stored under its bet_id.

    `order`: how many wagers the table had taken before this stake. `moved_order`: the same for the change that brought
    it to its present bet. All `increases` are later than that.
    `carried_minor`: what a tie left on the layout. The tie options bind this amount and no more.
    `accepted_in`: the generation of its first round. `adjusted_minor`: the sum of its adjustments by hand.
    """

    bettor_id: str
    bet: str
    amount_minor: int
    order: int
    revision: int = 0
    seat: int | None = None
    moved_order: int | None = None
    carried_minor: int = 0
    increases: tuple[Increase, ...] = ()
    accepted_in: int = 0
    adjusted_minor: int = 0


class EndedStake(Struct, frozen=True):
    """A stake that is no longer in play, stored under its bet_id.

    `ended_in`: the generation of its last round. The amount is 0 when the stake was cancelled, or cut to nothing.
    """

    stake: Stake
    ended_in: int


def in_order(stakes: Mapping[str, Stake]) -> dict[str, Stake]:
    """These stakes in the order in which they were accepted."""
    return dict(sorted(stakes.items(), key=lambda item: item[1].order))


def accepted_last(stake: Stake) -> Increase:
    """What was accepted last of a stake: its last increase, or all of it."""
    return stake.increases[-1] if stake.increases else Increase(_first_order(stake), stake.amount_minor)


def orders(stake: Stake) -> list[int]:
    """The order of the stake and of each increase, the first accepted first."""
    return [_first_order(stake), *[increase.order for increase in stake.increases]]


def changed(stake: Stake, *, bet: str, amount_minor: int, order: int) -> Stake:
    """The stake on this bet and with this amount. On another bet all of it counts as accepted now."""
    if bet != stake.bet:
        carried_minor = min(stake.carried_minor, amount_minor)
        return replace(
            stake, bet=bet, amount_minor=amount_minor, moved_order=order, carried_minor=carried_minor, increases=()
        )
    if amount_minor > stake.amount_minor:
        added = Increase(order, amount_minor - stake.amount_minor)
        return replace(stake, amount_minor=amount_minor, increases=(*stake.increases, added))
    return reduced(stake, amount_minor)


def reduced(stake: Stake, amount_minor: int) -> Stake:
    """The stake cut back to this amount: what was accepted last is taken off first."""
    off_minor = stake.amount_minor - amount_minor
    increases = list(stake.increases)
    while increases and off_minor >= increases[-1].amount_minor:
        off_minor -= increases.pop().amount_minor
    if increases and off_minor:
        increases[-1] = Increase(increases[-1].order, increases[-1].amount_minor - off_minor)
    return replace(
        stake,
        amount_minor=amount_minor,
        carried_minor=min(stake.carried_minor, amount_minor),
        increases=tuple(increases),
    )


def _first_order(stake: Stake) -> int:
    return stake.order if stake.moved_order is None else stake.moved_order
