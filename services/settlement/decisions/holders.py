"""Holders (article 16): who opens the cards. On each side it is the seat with the largest stake there.

Where nobody who stakes on a side is seated, the dealer opens its cards.
"""

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

from schemas.cards import Side
from schemas.facts import StakedSeat
from services.settlement.books.stakes import Stake, accepted_last


class Holders(NamedTuple):
    """Each side's holder (None: the dealer) and its staked seats, the lowest first."""

    player: str | None
    banker: str | None
    player_seats: tuple[StakedSeat, ...]
    banker_seats: tuple[StakedSeat, ...]


class _SeatSum(NamedTuple):
    """A seat's stakes on one side. `order`: that of the last wager that made up the sum."""

    seat: int
    bettor_id: str
    amount_minor: int
    order: int


NO_HOLDERS: Final = Holders(None, None, (), ())


def holders_of(stakes: Collection[Stake], tie_break: Literal["first_bet", "lowest_seat"]) -> Holders:
    """The holders of a betting round's cards, by the stakes on its layout when betting closes."""
    player, banker = _seat_sums(stakes, "player"), _seat_sums(stakes, "banker")
    return Holders(_holder(player, tie_break), _holder(banker, tie_break), _staked_seats(player), _staked_seats(banker))


def _seat_sums(stakes: Collection[Stake], side: Side) -> list[_SeatSum]:
    sums: dict[int, _SeatSum] = {}
    for stake in stakes:
        if stake.bet == side and stake.seat is not None:
            before = sums.get(stake.seat, _SeatSum(stake.seat, stake.bettor_id, 0, 0))
            sums[stake.seat] = before._replace(
                amount_minor=before.amount_minor + stake.amount_minor,
                order=max(before.order, accepted_last(stake).order),
            )
    return [sums[seat] for seat in sorted(sums)]


def _holder(seats: list[_SeatSum], tie_break: Literal["first_bet", "lowest_seat"]) -> str | None:
    if not seats:
        return None
    most_minor = max(seat.amount_minor for seat in seats)
    largest = [seat for seat in seats if seat.amount_minor == most_minor]
    if tie_break == "first_bet":
        return min(largest, key=lambda seat: seat.order).bettor_id
    return largest[0].bettor_id


def _staked_seats(seats: list[_SeatSum]) -> tuple[StakedSeat, ...]:
    return tuple(StakedSeat(seat=seat.seat, bettor_id=seat.bettor_id) for seat in seats)
