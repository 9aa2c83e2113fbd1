"""What the shoe writes to `cards`: tables, shoes, rounds, cards."""

from typing import ClassVar, Literal

import msgspec

from schemas.cards import Card, Side
from schemas.events import Fact, Name, RoundFact
from schemas.facts.results import RoundResult
from schemas.house_rules import HouseRules
from schemas.limits import Limits


class TableOpened(Fact, frozen=True, kw_only=True):
    """A table is open, with the whole rules and limits in force; the hash is of the house file's bytes (SHA-256)."""

    type: ClassVar[str] = "table.opened"
    house_rules: HouseRules
    house_rules_sha256: str
    limits: Limits
    limits_version: int
    layouts: int
    seats: int
    gaming_day: str | None


class TableClosed(Fact, frozen=True, kw_only=True):
    """A table is closed; its numbers go on when it opens again."""

    type: ClassVar[str] = "table.closed"
    reason: str


class ShoeStarted(Fact, frozen=True, kw_only=True):
    """A shoe is in play. `burned` cards are out, of which `burn_card` was turned; `cut_card_depth` 0: no cut card.

    `key`: what a virtual shoe's burn card was drawn with (64 hex digits); null where none was drawn.
    """

    type: ClassVar[str] = "shoe.started"
    shoe_number: int
    kind: Literal["virtual", "physical"]
    decks: int
    cut_card_depth: int
    burned: int
    burn_card: Card | None
    cut_by: str | None
    cut_at: int | None
    shuffled_by: str | None
    deck_set: str | None
    key: str | None = None


class RoundOpened(RoundFact, frozen=True, kw_only=True):
    """A round takes bets. `cards_left` are in the shoe behind this round's `burned` ones.

    `commitment`: SHA-256 of the key from which its cards will be drawn, in hex; null for a physical shoe.
    """

    type: ClassVar[str] = "round.opened"
    demonstration: bool
    burned: int
    cards_left: int
    last_round: bool
    limits_version: int
    commitment: str | None = None


class CardDealt(RoundFact, frozen=True, kw_only=True):
    """One card to one side. `card_number` counts every card that left the shoe; `position` is 1 to 3 in the hand."""

    type: ClassVar[str] = "card.dealt"
    card_number: int
    side: Side
    position: int
    card: Card | None
    points: int | None


class CutCardReached(RoundFact, frozen=True, kw_only=True):
    """The cut card came out before card `card_number`; `last_round` is the number of the shoe's last round."""

    type: ClassVar[str] = "cut_card.reached"
    card_number: int
    last_round: int


class ScanMissed(RoundFact, frozen=True, kw_only=True):
    """The card at `ordinal` could not be read or cannot be in this shoe: enter it by hand under the same ordinal."""

    type: ClassVar[str] = "scan.missed"
    ordinal: int


class CardFoundFaceUp(RoundFact, frozen=True, kw_only=True):
    """The next card lay face up in the shoe: it stays valid (article 4)."""

    type: ClassVar[str] = "card.found_face_up"
    card_number: int


class MisdealDetected(Fact, frozen=True, kw_only=True):
    """A card that no hand takes, or an order that cannot be: the round waits for the console (between rounds: null)."""

    type: ClassVar[str] = "misdeal.detected"
    shoe_number: int
    round_number: int | None
    ordinal: int
    expected_ordinal: int
    reason: str


class RoundVoided(RoundFact, frozen=True, kw_only=True):
    """The round does not count; every stake is returned. `player_pair` and `banker_pair`: pairs that stand, if any.

    `key`: as in `round.ended`; null also where the reason is `key_lost`, because nobody has it any more.
    """

    type: ClassVar[str] = "round.voided"
    revision: int
    reason: str
    player_pair: bool | None = None
    banker_pair: bool | None = None
    key: str | None = None


class RoundEnded(RoundResult, frozen=True, kw_only=True):
    """The round's result, on which settlement pays.

    `key`: the key of the round's `commitment` (64 hex digits), with which everybody can draw its cards again; null for
    a physical shoe.
    """

    type: ClassVar[str] = "round.ended"
    key: str | None = None


class LimitsChanged(Fact, frozen=True, kw_only=True):
    """Other limits are in force from the next `round.opened` on, which names their version."""

    type: ClassVar[str] = "limits.changed"
    limits: Limits
    limits_version: int


class HouseRulesChanged(Fact, frozen=True, kw_only=True):
    """Another rule set is in force; carried stakes are returned."""

    type: ClassVar[str] = "house_rules.changed"
    house_rules: HouseRules
    house_rules_sha256: str


class CardOpened(RoundFact, frozen=True, kw_only=True):
    """A held card shows its face; `opened_by` is the holder, or null for the dealer or a card found face up."""

    type: ClassVar[str] = "card.opened"
    card_number: int
    side: Side
    position: int
    card: Card
    points: int
    opened_by: Name | None


class CardCorrected(RoundFact, frozen=True, kw_only=True):
    """Where a card of the round really belongs, and what it is: it replaces every earlier fact about `card_number`.

    A null side: in no hand (surplus, or not a card at all when `card` is null too). `revision` is the one to come.
    """

    type: ClassVar[str] = "card.corrected"
    revision: int
    card_number: int
    side: Side | None
    position: int | None
    card: Card | None
    points: int | None


class CardDamaged(Fact, frozen=True, kw_only=True):
    """A card is damaged: the shoe ends behind round `last_round` (its last one played when none is open)."""

    type: ClassVar[str] = "card.damaged"
    shoe_number: int
    card_number: int | None
    last_round: int


class HolderPassed(RoundFact, frozen=True, kw_only=True):
    """A side's held cards are in other hands; null is the dealer."""

    type: ClassVar[str] = "holder.passed"
    side: Side
    from_holder: Name | None
    to_holder: Name | None


class TableHeld(Fact, frozen=True, kw_only=True):
    """The table stands still."""

    type: ClassVar[str] = "table.held"
    reason: str


class TableReleased(Fact, frozen=True, kw_only=True):
    """The table goes on where it stood."""

    type: ClassVar[str] = "table.released"


class ShoeSuspect(Fact, frozen=True, kw_only=True):
    """A physical shoe's order is not that of shuffled cards: which pattern, noticed at which card, and the evidence."""

    type: ClassVar[str] = "shoe.suspect"
    shoe_number: int
    card_number: int
    pattern: str
    evidence: str


class ShoeEnded(Fact, frozen=True, kw_only=True):
    """A shoe is out of play; the counts of its cards add up to all of them (dealing `shoe`).

    `missing` (physical, dealing `shoe`): the cards that nobody read, and how many. They have to be those that are left,
    were burned face down, or failed.
    """

    type: ClassVar[str] = "shoe.ended"
    shoe_number: int
    reason: str
    rounds: int
    dealt: int
    burned_seen: int
    burned_unseen: int
    surplus: int
    left: int
    missing: dict[Card, int] = msgspec.field(default_factory=dict)
