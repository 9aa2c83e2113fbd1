"""What settlement writes to `bets`: every stake from its placing to its end."""

from typing import ClassVar, Literal

import msgspec

from schemas.cards import Result
from schemas.events import Fact, Name, RoundFact


class StakeFact(RoundFact, frozen=True, kw_only=True):
    """About one stake, by the name its sender gave it."""

    bet_id: Name
    bettor_id: Name


class WagerTaken(StakeFact, frozen=True, kw_only=True):
    """A wager did what it asked: the stake as it stands now, and the amount that was asked for."""

    bet: Name
    seat: int | None
    amount_minor: int
    requested_minor: int
    revision: int


class BetAccepted(WagerTaken, frozen=True, kw_only=True):
    """A stake is on the layout."""

    type: ClassVar[str] = "bet.accepted"


class BetChanged(WagerTaken, frozen=True, kw_only=True):
    """A stake is another one; the amounts are the whole stake's, after and before."""

    type: ClassVar[str] = "bet.changed"
    before_minor: int


class BetCancelled(WagerTaken, frozen=True, kw_only=True):
    """A stake is taken back whole (`amount_minor` 0)."""

    type: ClassVar[str] = "bet.cancelled"
    before_minor: int


class BetRejected(RoundFact, frozen=True, kw_only=True):
    """A wager changed nothing, and why; fields that the wager did not have are null."""

    type: ClassVar[str] = "bet.rejected"
    bet_id: Name
    bettor_id: Name | None
    bet: Name | None
    amount_minor: int | None
    revision: int | None
    reason: str
    detail: str


class StakedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat whose bettor has a stake on a side."""

    seat: int
    bettor_id: Name


class BettingClosed(RoundFact, frozen=True, kw_only=True):
    """No stake changes any more: how many there are and their sums by bet, carried ones included."""

    type: ClassVar[str] = "betting.closed"
    stakes: int
    totals: dict[str, int]
    player_holder: str | None
    banker_holder: str | None
    player_seats: tuple[StakedSeat, ...] = ()
    banker_seats: tuple[StakedSeat, ...] = ()


class StakeHandedBack(StakeFact, frozen=True, kw_only=True):
    """Money of a stake goes back outside any settlement."""

    before_minor: int
    after_minor: int
    reason: str


class StakeReduced(StakeHandedBack, frozen=True, kw_only=True):
    """Part of a stake is handed back as betting closes."""

    type: ClassVar[str] = "stake.reduced"


class StakeReturned(StakeHandedBack, frozen=True, kw_only=True):
    """A stake is handed back whole: as betting closes, or between rounds in the name of the one that carried it."""

    type: ClassVar[str] = "stake.returned"


class SettledBet(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one stake: `return_minor` is all that is handed back; carried: it stays on the layout."""

    bet_id: Name
    bettor_id: Name
    bet: Name
    stake_minor: int
    outcome: Literal["won", "lost", "push", "returned"]
    carried: bool
    commission_minor: int
    return_minor: int


class BetsSettled(RoundFact, frozen=True, kw_only=True):
    """Each stake on the layout, once per round and revision; at most 128 to a fact."""

    type: ClassVar[str] = "bets.settled"
    revision: int
    bets: tuple[SettledBet, ...]


class RoundSettled(RoundFact, frozen=True, kw_only=True):
    """The books of the round: placed + carried in = returned + carried out + house. A null result is a void round."""

    type: ClassVar[str] = "round.settled"
    revision: int
    result: Result | None
    stakes: int
    placed_minor: int
    carried_in_minor: int
    returned_minor: int
    carried_out_minor: int
    house_minor: int
    commission_minor: int


class SeatTaken(Fact, frozen=True, kw_only=True):
    """A bettor sits at a seat."""

    type: ClassVar[str] = "seat.taken"
    bettor_id: Name
    seat: int


class SeatLeft(Fact, frozen=True, kw_only=True):
    """A seat is free again."""

    type: ClassVar[str] = "seat.left"
    bettor_id: Name
    seat: int


class SettlementAdjusted(StakeFact, frozen=True, kw_only=True):
    """What a stake got is put right by hand, outside any round's books: above 0 to the bettor, below 0 from him."""

    type: ClassVar[str] = "settlement.adjusted"
    amount_minor: int
    reason: str
    operator: Name
    approved_by: Name | None
