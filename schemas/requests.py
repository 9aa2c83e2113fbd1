"""Requests: what floor systems write to `console`, `scans` and `wagers`.

Numbers are bounded by the rules and not by their JSON type, so that a bad one is answered by a fact with its reason.
"""

from typing import ClassVar, Literal

from schemas.cards import Card
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


class NotBuiltYet(Request, frozen=True, kw_only=True):
    """A request whose name is reserved: it is refused (`not_supported`) and never passed over."""

    type: ClassVar[str] = ""
