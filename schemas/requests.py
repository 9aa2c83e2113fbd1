"""Requests: what floor systems write to `console`, `scans` and `wagers`.

Numbers are bounded by the rules and not by their JSON type, so that a bad one is answered by a fact with its reason.
"""

from typing import ClassVar, Literal

import msgspec

from schemas.cards import Card, Side
from schemas.events import EntryId, Name, Request, Text
from schemas.limits import Limits


class ConsoleRequest(Request, frozen=True, kw_only=True):
    """Written by dealer consoles and pit management: `operator` asks, `approved_by` (another person) approves."""

    operator: Name
    approved_by: Name | None = None


class RoundRequest(ConsoleRequest, frozen=True, kw_only=True):
    """A console's request about one round, by the shoe's number and the round's in it."""

    shoe_number: int
    round_number: int


class TableOpen(ConsoleRequest, frozen=True, kw_only=True):
    """Open a table under a house rule set (its file's name) and limits; null layouts and seats take the house's."""

    type: ClassVar[str] = "table.open"
    house_rules: Name
    limits: Limits
    layouts: int | None = None
    seats: int | None = None
    gaming_day: Text | None = None


class TableClose(ConsoleRequest, frozen=True, kw_only=True):
    """Close a table between rounds; carried stakes are returned."""

    type: ClassVar[str] = "table.close"


class ShoeLoad(ConsoleRequest, frozen=True, kw_only=True):
    """Start a shoe: who shuffled, who cut at which card; `burned` (physical): so many cards are out unseen."""

    type: ClassVar[str] = "shoe.load"
    shoe_number: int
    kind: Literal["virtual", "physical"]
    shuffled_by: Text | None
    cut_by: Text | None
    cut_at: int | None
    deck_set: Text | None = None
    burned: int = 0


class ShoeEnd(ConsoleRequest, frozen=True, kw_only=True):
    """End the shoe between rounds, before its cut card says so."""

    type: ClassVar[str] = "shoe.end"
    shoe_number: int
    reason: Text


class RoundOpen(RoundRequest, frozen=True, kw_only=True):
    """Open the shoe's next round for bets, after burning `burn` cards."""

    type: ClassVar[str] = "round.open"
    burn: int = 0
    demonstration: bool = False


class BettingClose(RoundRequest, frozen=True, kw_only=True):
    """Close the books; bets up to `wagers_through` (the last id of `wagers` the sender saw) are still taken."""

    type: ClassVar[str] = "betting.close"
    wagers_through: EntryId


class RoundVoid(RoundRequest, frozen=True, kw_only=True):
    """Void the round. `next_ordinal`: where a physical shoe goes on (null: behind the last scan)."""

    type: ClassVar[str] = "round.void"
    reason: Text
    next_ordinal: int | None = None


class CardOpen(RoundRequest, frozen=True, kw_only=True):
    """Open a held card: by the side's holder, or by the dealer (`opened_by` null), who may open any (article 16)."""

    type: ClassVar[str] = "card.open"
    side: Side
    position: int
    opened_by: Name | None = None


class HolderPass(RoundRequest, frozen=True, kw_only=True):
    """Hand a side's held cards to another staked seat's bettor, or to the dealer (null)."""

    type: ClassVar[str] = "holder.pass"
    side: Side
    to: Name | None


class SeatTake(ConsoleRequest, frozen=True, kw_only=True):
    """A bettor sits down: the seat's position is his alone (article 15)."""

    type: ClassVar[str] = "seat.take"
    bettor_id: Name
    seat: int


class SeatLeave(ConsoleRequest, frozen=True, kw_only=True):
    """A bettor without a live stake there leaves a seat."""

    type: ClassVar[str] = "seat.leave"
    bettor_id: Name
    seat: int


class LimitsSet(ConsoleRequest, frozen=True, kw_only=True):
    """Other limits from the next round on."""

    type: ClassVar[str] = "limits.set"
    limits: Limits


class HouseRulesChange(ConsoleRequest, frozen=True, kw_only=True):
    """Another rule set (its file's name), between rounds; what the shoe is made of changes only with a new shoe."""

    type: ClassVar[str] = "house_rules.change"
    house_rules: Name


class CorrectedCard(msgspec.Struct, frozen=True, kw_only=True):
    """What really left a physical shoe at an ordinal: a card, or none (null: one card was read twice)."""

    ordinal: int
    card: Card | None


class CardCorrect(RoundRequest, frozen=True, kw_only=True):
    """Deal a physical round's cards out again, in the order they left the shoe, with these readings put right.

    Without any, the order is as scanned: what was missing has been entered by hand (article 10).
    """

    type: ClassVar[str] = "card.correct"
    cards: tuple[CorrectedCard, ...] = ()
    reason: Text


class DamageReport(ConsoleRequest, frozen=True, kw_only=True):
    """A card of the shoe is damaged (its number, if known): the shoe ends behind the round in play (article 3)."""

    type: ClassVar[str] = "damage.report"
    shoe_number: int
    card_number: int | None = None
    reason: Text


class SettlementAdjust(RoundRequest, frozen=True, kw_only=True):
    """Put right what a stake got, where a correction can't any more: `amount_minor` to the bettor, below 0 from him."""

    type: ClassVar[str] = "settlement.adjust"
    bet_id: Name
    amount_minor: int
    reason: Text


class TableHold(ConsoleRequest, frozen=True, kw_only=True):
    """Stop the table for a dispute: nothing is opened, dealt, closed or bet until it is released."""

    type: ClassVar[str] = "table.hold"
    reason: Text


class TableRelease(ConsoleRequest, frozen=True, kw_only=True):
    """Let a held table go on."""

    type: ClassVar[str] = "table.release"


class KeyLost(RoundRequest, frozen=True, kw_only=True):
    """The key of a virtual round in play is lost for ever: the round is void, and its shoe ends (`approved_by` needed).

    Written by the command `key-lost`. It is refused while any replica of the shoe has the key.
    """

    type: ClassVar[str] = "key.lost"
    reason: Text


class CardScan(Request, frozen=True, kw_only=True):
    """By an electronic shoe or by hand: the shoe's `ordinal`-th card left it; null is a card it could not read."""

    type: ClassVar[str] = "card.scan"
    shoe_number: int
    ordinal: int
    card: Card | None
    face_up: bool = False


class CutCardScan(Request, frozen=True, kw_only=True):
    """Written by an electronic shoe: the cut card came out; `ordinal` is the next card's."""

    type: ClassVar[str] = "cut_card.scan"
    shoe_number: int
    ordinal: int


class WagerRequest(Request, frozen=True, kw_only=True):
    """Written by gateways of betting terminals, about one stake of one round. `bet_id` is a UUID of the sender's."""

    shoe_number: int
    round_number: int
    bet_id: Name


class BetPlace(WagerRequest, frozen=True, kw_only=True):
    """Place a stake of `amount_minor`; the gateway holds the money. A standing bettor has no seat."""

    type: ClassVar[str] = "bet.place"
    bettor_id: Name
    bet: Name
    amount_minor: int
    currency: Text
    seat: int | None = None


class BetChange(WagerRequest, frozen=True, kw_only=True):
    """Replace `revision` of a stake by this bet and whole amount."""

    type: ClassVar[str] = "bet.change"
    revision: int
    bet: Name
    amount_minor: int


class BetCancel(WagerRequest, frozen=True, kw_only=True):
    """Take a stake back whole."""

    type: ClassVar[str] = "bet.cancel"
    revision: int
