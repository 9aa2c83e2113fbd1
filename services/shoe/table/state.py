"""What the shoe remembers of one table."""

from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from schemas.cards import Composition, Side
from schemas.facts import RoundDecided
from schemas.house_rules import HouseRules
from schemas.limits import Limits
from services.decider.memory import RequestMemory
from services.decider.part import Part

IDENTITIES_KEPT: Final = 256
WAITING_MAX: Final = 6
IN_FORCE: Final = "in_force"

# The two characters in `Shoe.faces` of a card that nobody has read, of one whose scan failed, and of an ordinal at
# which no card came out because another one was read twice.
UNSEEN: Final = "--"
FAILED: Final = "??"
NO_CARD: Final = "xx"

Phase = Literal["betting", "dealing", "calling", "misdealt", "over", "settled"]


class RoundCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card out of the shoe for a round. Without a side it is in no hand: it waits, or never was one (NO_CARD).

    `told`: a fact has put it into a hand before; `shown`: everybody knows its face; its scan stands at `place`, as long
    as it waits. A FAILED one is to be entered by hand.
    """

    number: int
    face: str
    side: Side | None = None
    position: int | None = None
    told: bool = False
    shown: bool = False
    face_up: bool = False
    place: str = ""


class Reading(msgspec.Struct, frozen=True):
    """What a physical shoe said of one ordinal, or what it should have said."""

    ordinal: int
    face: str


class Holding(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who opens each side's closed cards (null: the dealer) and who else may be handed them (article 16)."""

    player: str | None = None
    banker: str | None = None
    player_bettors: tuple[str, ...] = ()
    banker_bettors: tuple[str, ...] = ()


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round. Cards from number `first` on are burned for it, from `hands_from` on dealt; `cards` are in that order.

    `closed`: its books are. `due`: the sides that get the next cards. `card_facts`: what a call's `through` must equal.
    `holding`: its cards are dealt closed. `doubted_from`: from this ordinal on a second scan said something else.
    `overruled`: readings that a correction put right. `void`: it never came to a result.
    """

    number: int
    first: int
    hands_from: int
    demonstration: bool = False
    phase: Phase = "betting"
    closed: bool = False
    due: tuple[Side, ...] = ()
    cards: tuple[RoundCard, ...] = ()
    card_facts: int = 0
    holding: Holding | None = None
    doubted_from: int | None = None
    overruled: tuple[Reading, ...] = ()
    revision: int = 0
    surplus: int = 0
    carried_out: bool = False
    void: bool = False

    @property
    def in_play(self) -> bool:
        """Whether neither `round.ended` nor `round.voided` is written."""
        return self.phase not in ("over", "settled")

    @property
    def waiting(self) -> tuple[RoundCard, ...]:
        """The cards that are out and not in a hand."""
        return tuple(card for card in self.cards if card.side is None and card.face != NO_CARD)

    def hand(self, side: Side) -> tuple[RoundCard, ...]:
        """The cards of one side."""
        return tuple(card for card in self.cards if card.side == side)

    @property
    def player(self) -> int:
        """How many cards Player has."""
        return len(self.hand("player"))

    @property
    def banker(self) -> int:
        """How many cards Banker has."""
        return len(self.hand("banker"))


class Shoe(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last shoe loaded. `next_ordinal` is the number of the next card out of it.

    `cut_card` is the number of the card behind the cut card, when that is known; `last_round` stands once it was seen.
    `damaged`: it ends behind the round in play. `suspected`: the patterns that its order was reported for.
    `faces` (physical) are two characters a card from `faces_from` on; they go on behind `next_ordinal` in a misdealt
    round, and between rounds where cards wait for the next one. `read_twice`: so many ordinals were no card.
    `demonstrations`: rounds so far without bets. What a round below `carried_until` carried out is settled or returned.
    `correcting`: a round that had ended and is decided anew.
    """

    number: int
    kind: Literal["virtual", "physical"]
    ended: bool = False
    next_ordinal: int = 1
    cut_card: int | None = None
    last_round: int | None = None
    damaged: bool = False
    suspected: tuple[str, ...] = ()
    dealt: int = 0
    burned_seen: int = 0
    burned_unseen: int = 0
    surplus: int = 0
    read_twice: int = 0
    demonstrations: int = 0
    carried_until: int = 0
    faces_from: int = 1
    faces: str = ""
    round: Round | None = None
    correcting: Round | None = None

    @property
    def round_number(self) -> int:
        """The last round's number, 0 before the first."""
        return self.round.number if self.round else 0

    @property
    def between_rounds(self) -> bool:
        """Whether no round is open: a card that comes out now belongs to none."""
        return self.round is None or not self.round.in_play

    @property
    def idle(self) -> bool:
        """Whether the last round is settled: only then a next round, a shoe's end or a table's close is possible."""
        return self.correcting is None and (self.round is None or self.round.phase == "settled")

    @property
    def at_work(self) -> Round | None:
        """The round that calls and cards are about: the one being corrected, or the last one."""
        return self.correcting or self.round

    @property
    def faces_to(self) -> int:
        """The ordinal behind the highest one that is known to be out (physical)."""
        return self.faces_from + len(self.faces) // 2

    def face(self, ordinal: int) -> str:
        """The card at this ordinal, UNSEEN or FAILED (physical)."""
        start = 2 * (ordinal - self.faces_from)
        return (self.faces[start : start + 2] or UNSEEN) if start >= 0 else UNSEEN


class Terms(msgspec.Struct, frozen=True):
    """What a table is open with."""

    rules: HouseRules
    limits: Limits


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table. Closed while `terms` is empty; never opened while `limits_version` is 0.

    `unseen` is what cards are drawn from: all cards of the shoe that nobody has seen, those burned face down and those
    behind the cut card too; between shoes the whole of the next one. `terms` has a record of its own because it is
    large and seldom written. `memory`: the last requests answered, of `requests` so far. While the table is `held`,
    cards stay due and what was `decided` waits. `past`: the rounds of a physical shoe that can still be corrected, by
    number.
    """

    table: str
    limits_version: int = 0
    terms: Part[Terms] = Part()
    layouts: int = 0
    seats: int = 0
    held: bool = False
    decided: RoundDecided | None = None
    unseen: Composition = ()
    shoe: Shoe | None = None
    past: Part[Round] = Part()
    memory: RequestMemory = RequestMemory()
    requests: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the table is open."""
        return bool(self.terms)

    @property
    def rules_in_force(self) -> HouseRules:
        """The rules of a table that is open."""
        return self.terms[IN_FORCE].rules

    @property
    def limits_in_force(self) -> Limits:
        """The limits of a table that is open."""
        return self.terms[IN_FORCE].limits

    @property
    def shoe_in_play(self) -> Shoe:
        """The shoe of a table that has one in play."""
        assert self.shoe is not None, "the table has had no shoe"
        assert not self.shoe.ended, "the shoe has ended"
        return self.shoe

    @property
    def round_in_play(self) -> Round:
        """The round of a shoe that has one in play, or is correcting one."""
        played = self.shoe_in_play.at_work
        assert played is not None, "the shoe has had no round"
        assert played.in_play, "the round is over"
        return played

    def with_round(self, played: Round) -> "State":
        """The state with another round in play, or being corrected."""
        shoe = self.shoe_in_play
        shoe = replace(shoe, correcting=played) if shoe.correcting else replace(shoe, round=played)
        return replace(self, shoe=shoe)

    @property
    def cards_left(self) -> int:
        """How many cards the shoe in play holds; a shuffler has all of them back (article 7)."""
        cards, shoe = 52 * self.rules_in_force.decks, self.shoe_in_play
        return cards - shoe.next_ordinal + 1 + shoe.read_twice if self.rules_in_force.dealing == "shoe" else cards
