"""Who opens the cards (article 16): on each side the seat with the largest stake there; nobody seated: the dealer."""

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

from schemas.cards import Side
from schemas.facts import StakedSeat
from services.settlement.parts import last_part
from services.settlement.records import Stake


class Holders(NamedTuple):
    """Each side's holder (None: the dealer) and its staked seats, lowest first."""

    player: str | None
    banker: str | None
    player_seats: tuple[StakedSeat, ...]
    banker_seats: tuple[StakedSeat, ...]


class _SeatedStake(NamedTuple):
    """A seat's stakes on one side; `reached` is the place of the last wager that made up the sum."""

    seat: int
    bettor_id: str
    amount_minor: int
    reached: int


NO_HOLDERS: Final = Holders(None, None, (), ())


def holders_of(stakes: Collection[Stake], tie_break: Literal["first_bet", "lowest_seat"]) -> Holders:
    """The holders of a betting round's cards, by the stakes on its layout when betting closes."""
    player, banker = _seated(stakes, "player"), _seated(stakes, "banker")
    return Holders(_holder(player, tie_break), _holder(banker, tie_break), _staked_seats(player), _staked_seats(banker))


def _seated(stakes: Collection[Stake], side: Side) -> list[_SeatedStake]:
    sums: dict[int, _SeatedStake] = {}
    for stake in stakes:
        if stake.bet == side and stake.seat is not None:
            before = sums.get(stake.seat, _SeatedStake(stake.seat, stake.bettor_id, 0, 0))
            sums[stake.seat] = before._replace(
                amount_minor=before.amount_minor + stake.amount_minor,
                reached=max(before.reached, last_part(stake).order),
            )
    return [sums[seat] for seat in sorted(sums)]


def _holder(seated: list[_SeatedStake], tie_break: Literal["first_bet", "lowest_seat"]) -> str | None:
    if not seated:
        return None
    most_minor = max(seat.amount_minor for seat in seated)
    first, *others = [seat for seat in seated if seat.amount_minor == most_minor]
    if tie_break == "first_bet":
        first = min(first, *others, key=lambda seat: seat.reached) if others else first
    return first.bettor_id


def _staked_seats(seated: list[_SeatedStake]) -> tuple[StakedSeat, ...]:
    return tuple(StakedSeat(seat=seat.seat, bettor_id=seat.bettor_id) for seat in seated)
