"""A stake is made of parts: what was accepted at once, and each increase since, which is later and goes first."""

from msgspec.structs import replace

from services.settlement.records import Increase, Stake


def last_part(stake: Stake) -> Increase:
    """The part of a stake that was accepted last, with its place among all wagers taken."""
    return stake.increases[-1] if stake.increases else Increase(_place(stake), stake.amount_minor)


def places(stake: Stake) -> list[int]:
    """Where all parts of a stake stand among all wagers taken, the first accepted first."""
    return [_place(stake), *[increase.order for increase in stake.increases]]


def changed(stake: Stake, *, bet: str, amount_minor: int, order: int) -> Stake:
    """The stake on this bet and with this amount. On another bet it is accepted anew, and so is what is added."""
    if bet != stake.bet:
        carried_minor = min(stake.carried_minor, amount_minor)
        return replace(
            stake, bet=bet, amount_minor=amount_minor, moved=order, carried_minor=carried_minor, increases=()
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


def _place(stake: Stake) -> int:
    return stake.order if stake.moved is None else stake.moved
