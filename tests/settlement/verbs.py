"""A table with everything that its floor may do beside betting: seats, corrections, adjustments, holds, other rules."""

from typing import Any, Final

from schemas.cards import Result
from schemas.events import Fact
from schemas.facts import HouseRulesChanged, RoundSettled, RoundVoided, TableHeld, TableReleased
from schemas.house_rules import HouseRules
from schemas.requests import SeatLeave, SeatTake, SettlementAdjust
from tests.settlement.drive import MACAU, TABLE, Table, ended

_SUMS: Final = ("placed_minor", "carried_in_minor", "returned_minor", "carried_out_minor", "house_minor")


class Floor(Table):
    """The same table with more verbs."""

    def play(self, result: Result, player_total: int = 7, banker_total: int = 7) -> list[Fact]:
        """The books of the open round close and the round ends so."""
        self.close_betting()
        return self.end_round(result, player_total, banker_total)

    def seat(self, bettor_id: str, number: int) -> Fact:
        return self.send(SeatTake(table=TABLE, operator="dealer-1", bettor_id=bettor_id, seat=number))

    def unseat(self, bettor_id: str, number: int) -> Fact:
        return self.send(SeatLeave(table=TABLE, operator="dealer-1", bettor_id=bettor_id, seat=number))

    def adjust(self, bet_id: str, amount_minor: int, **other: Any) -> Fact:
        """An adjustment of the last round's stake, approved, unless told otherwise."""
        fields: dict[str, Any] = {"operator": "dealer-1", "approved_by": "pit-boss", "reason": "dispute"}
        return self.send(
            SettlementAdjust(table=TABLE, bet_id=bet_id, amount_minor=amount_minor, **fields | self._about() | other)
        )

    def correct(
        self,
        round_number: int,
        revision: int,
        result: Result,
        *,
        player_total: int = 7,
        banker_total: int = 7,
        pairs: str = "",
        demonstration: bool = False,
    ) -> list[Fact]:
        """The shoe tells this round of the present shoe anew."""
        return self.tell(
            ended(
                result,
                player_total,
                banker_total,
                pairs,
                shoe_number=self.shoe_number,
                round_number=round_number,
                revision=revision,
                demonstration=demonstration,
            )
        )

    def void(
        self, round_number: int, revision: int = 0, player_pair: bool | None = None, banker_pair: bool | None = None
    ) -> list[Fact]:
        return self.tell(
            RoundVoided(
                table=TABLE,
                shoe_number=self.shoe_number,
                round_number=round_number,
                revision=revision,
                reason="misdeal",
                player_pair=player_pair,
                banker_pair=banker_pair,
            )
        )

    def hold(self) -> list[Fact]:
        return self.tell(TableHeld(table=TABLE, reason="dispute"))

    def release(self) -> list[Fact]:
        return self.tell(TableReleased(table=TABLE))

    def change_rules(self, rules: HouseRules) -> list[Fact]:
        return self.tell(HouseRulesChanged(table=TABLE, house_rules=rules, house_rules_sha256="1" * 64))


def playing(rules: HouseRules = MACAU) -> Floor:
    """A floor whose first round is open."""
    floor = Floor(rules)
    floor.open_round()
    return floor


def books(facts: list[Fact]) -> tuple[int, ...]:
    """placed, carried in, returned, carried out, house: of the round that these facts settle; they balance."""
    settled = facts[-1]
    assert isinstance(settled, RoundSettled)
    placed, carried_in, returned, carried_out, house = (getattr(settled, name) for name in _SUMS)
    assert placed + carried_in == returned + carried_out + house
    return placed, carried_in, returned, carried_out, house
