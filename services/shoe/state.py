"""What the shoe remembers of one table: the state, and the notes that change it without being written to a stream."""

from typing import Final, Literal

import msgspec

from schemas.cards import Composition, Side
from schemas.house_rules import HouseRules

IDENTITIES_KEPT: Final = 256
WAITING_MAX: Final = 6
IN_FORCE: Final = "in_force"

# The two characters of a card in `Shoe.faces` that nobody has read, and of one whose scan failed.
UNSEEN: Final = "--"
FAILED: Final = "??"

Phase = Literal["betting", "dealing", "calling", "misdealt", "over", "settled"]


class Seen(msgspec.Struct, frozen=True):
    """A console request that was answered: who it is, what it said, where its first copy stands."""

    identity: str
    digest: str
    place: str


class Waiting(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card out of a physical shoe, not dealt yet; its scan stands at `place`. FAILED: to be entered by hand."""

    ordinal: int
    face: str
    place: str
    face_up: bool = False


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last round opened. Cards from number `first` on are burned for it, from `hands_from` on dealt.

    `due`: the sides that get the next cards. `card_facts`: what a call's `through` must equal.
    """

    number: int
    first: int
    hands_from: int
    phase: Phase = "betting"
    due: tuple[Side, ...] = ()
    player: int = 0
    banker: int = 0
    card_facts: int = 0
    waiting: tuple[Waiting, ...] = ()

    @property
    def in_play(self) -> bool:
        """Whether neither `round.ended` nor `round.voided` is written."""
        return self.phase not in ("over", "settled")


class Shoe(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last shoe loaded. `next_ordinal` is the number of the next card out of it.

    `cut_card` is the number of the card behind the cut card, when that is known; `last_round` stands once it was seen.
    `faces` (physical) are two characters a card from `faces_from` on, longer than the cards pulled in order only in
    a misdealt round.
    """

    number: int
    kind: Literal["virtual", "physical"]
    ended: bool = False
    next_ordinal: int = 1
    cut_card: int | None = None
    last_round: int | None = None
    dealt: int = 0
    burned_seen: int = 0
    burned_unseen: int = 0
    surplus: int = 0
    faces_from: int = 1
    faces: str = ""
    round: Round | None = None

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
        return self.round is None or self.round.phase == "settled"

    @property
    def faces_to(self) -> int:
        """The ordinal behind the highest one that is known to be out (physical)."""
        return self.faces_from + len(self.faces) // 2

    def face(self, ordinal: int) -> str:
        """The card at this ordinal, UNSEEN or FAILED (physical)."""
        start = 2 * (ordinal - self.faces_from)
        return (self.faces[start : start + 2] or UNSEEN) if start >= 0 else UNSEEN


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table. Closed while `rules` is empty; never opened while `limits_version` is 0.

    `unseen` is what cards are drawn from: all cards of the shoe that nobody has seen, those burned face down and those
    behind the cut card too; between shoes the whole of the next one. `rules` has a record of its own because it is
    large and seldom written; `identities` is a ring of the last requests answered, `requests` of them so far.
    """

    table: str
    limits_version: int = 0
    rules: dict[str, HouseRules] = {}
    unseen: Composition = ()
    shoe: Shoe | None = None
    identities: dict[str, Seen] = {}
    requests: int = 0

    @property
    def rules_in_force(self) -> HouseRules:
        """The rules of a table that is open."""
        return self.rules[IN_FORCE]

    @property
    def shoe_in_play(self) -> Shoe:
        """The shoe of a table that has one in play."""
        assert self.shoe is not None, "the table has had no shoe"
        assert not self.shoe.ended, "the shoe has ended"
        return self.shoe

    @property
    def round_in_play(self) -> Round:
        """The round of a shoe that has one in play."""
        played = self.shoe_in_play.round
        assert played is not None, "the shoe has had no round"
        assert played.in_play, "the round is over"
        return played

    @property
    def cards_left(self) -> int:
        """How many cards the shoe in play holds; a shuffler has all of them back (article 7)."""
        cards = 52 * self.rules_in_force.decks
        return cards - self.shoe_in_play.next_ordinal + 1 if self.rules_in_force.dealing == "shoe" else cards


# --- notes: evolved like facts, never written ----------------------------------------------------------------------


class RequestAnswered(msgspec.Struct, frozen=True):
    """A console request got its answer; another copy will be told."""

    seen: Seen


class CardsDue(msgspec.Struct, frozen=True):
    """These sides get the next cards."""

    sides: tuple[Side, ...]


class BooksSettled(msgspec.Struct, frozen=True):
    """The last round is settled."""


class CutCardNoted(msgspec.Struct, frozen=True):
    """The cut card came out of a physical shoe, before the card `ordinal`."""

    ordinal: int


class CardWaits(msgspec.Struct, frozen=True):
    """The round's next card is out of a physical shoe, or a failed scan among those is entered by hand."""

    ordinal: int
    face: str
    place: str
    face_up: bool


class BurnedCardSeen(msgspec.Struct, frozen=True):
    """One of the cards burned at the round's start was scanned."""

    ordinal: int
    face: str


class SurplusCardSeen(msgspec.Struct, frozen=True):
    """A card came out while no round was open; what lies between it and the last one is surplus with it."""

    ordinal: int
    face: str


class StrayCardSeen(msgspec.Struct, frozen=True):
    """A card came out in a misdealt round: whether it counts is decided with the round's end."""

    ordinal: int
    face: str


class ShoeGoesOn(msgspec.Struct, frozen=True):
    """A round is void and the physical shoe goes on with this ordinal: what lies below and in no hand is surplus."""

    next_ordinal: int
