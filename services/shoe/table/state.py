"""What the shoe service knows of one table: its terms, its shoe, its rounds and the requests that it has answered."""

from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from schemas.cards import Composition, Side
from schemas.events import RoundFact
from schemas.facts import RoundDecided
from schemas.house_rules import HouseRules
from schemas.limits import Limits
from services.decider.memory import RequestMemory
from services.decider.part import Part

IDENTITIES_KEPT: Final = 256
WAITING_MAX: Final = 6
IN_FORCE: Final = "in_force"
# The reason why a round is void and its shoe ends.
KEY_LOST: Final = "key_lost"

# Two characters instead of a card's face. Nobody has read the card; the shoe could not read the card; no card came out
# at this ordinal, because the shoe read another card twice.
UNSEEN: Final = "--"
FAILED: Final = "??"
NO_CARD: Final = "xx"

Phase = Literal["betting", "dealing", "calling", "misdealt", "over", "settled"]


class RoundCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card that left the shoe for a round. As long as it has no side, it waits or is surplus, or is a NO_CARD.

    `ordinal`: how many cards have left the shoe with it. The facts call this the card's number.
    `told`: a fact has put the card into a hand. Every later fact about its hand is a correction.
    `shown`: everybody knows the face. `face_up`: the card lay face up in the shoe.
    `place`: where the scan of a card that waits stands in its stream.
    """

    ordinal: int
    face: str
    side: Side | None = None
    position: int | None = None
    told: bool = False
    shown: bool = False
    face_up: bool = False
    place: str = ""


class Reading(msgspec.Struct, frozen=True):
    """A card of a physical shoe: what was read at its ordinal, or what should have been read."""

    ordinal: int
    face: str


class Holding(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who opens the cards of each side (article 16): a bettor, or the dealer (null).

    `player_bettors` and `banker_bettors` may be handed the cards of their side.
    """

    player_holder: str | None = None
    banker_holder: str | None = None
    player_bettors: tuple[str, ...] = ()
    banker_bettors: tuple[str, ...] = ()

    def holder(self, side: Side) -> str | None:
        """Who opens the cards of this side."""
        return self.player_holder if side == "player" else self.banker_holder

    def bettors(self, side: Side) -> tuple[str, ...]:
        """Who may be handed the cards of this side."""
        return self.player_bettors if side == "player" else self.banker_bettors

    def passed(self, side: Side, holder: str | None) -> "Holding":
        """The same with another holder of this side's cards."""
        return replace(self, player_holder=holder) if side == "player" else replace(self, banker_holder=holder)


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round. Its cards are burned from `first_ordinal` on; those from `hands_from` on are its `cards`.

    `books_closed`: settlement has ended betting on this round. A demonstration round has no books to close.
    `due`: the sides that get the next cards, in this order.
    `card_facts`: how many facts tell of its cards. A call counts only if it was made from all of them.
    `holding`: who opens its cards, once they may be dealt face down. Null where they are dealt face up.
    `doubted_from`: the lowest ordinal at which the shoe read one card and later another. No card from there on is sure.
    `overruled`: readings that a correction put right.
    `entry_id` (virtual): where its `round.open` stands in `console`. `master`: the fingerprint of the master key.
    `seed`: what all its cards are drawn from, in hex. A card that lies face down has no face here: it is drawn again.
    `waits_at`: the entry from which cards, or the end of the round, follow as soon as its key is here.
    `surplus`: how many of its cards ended in no hand. `carried_out`: stakes stayed on the layout after its end.
    `void`: the round ended without a result.
    """

    number: int
    first_ordinal: int
    hands_from: int
    demonstration: bool = False
    phase: Phase = "betting"
    books_closed: bool = False
    due: tuple[Side, ...] = ()
    cards: tuple[RoundCard, ...] = ()
    card_facts: int = 0
    holding: Holding | None = None
    doubted_from: int | None = None
    overruled: tuple[Reading, ...] = ()
    entry_id: str = ""
    master: str = ""
    seed: str = ""
    waits_at: str = ""
    revision: int = 0
    surplus: int = 0
    carried_out: bool = False
    void: bool = False

    @property
    def in_play(self) -> bool:
        """Whether the round has not ended yet."""
        return self.phase not in ("over", "settled")

    @property
    def waiting(self) -> tuple[RoundCard, ...]:
        """The cards that left the shoe and are in no hand."""
        return tuple(card for card in self.cards if card.side is None and card.face != NO_CARD)

    def hand(self, side: Side) -> tuple[RoundCard, ...]:
        """The cards of one side."""
        return tuple(card for card in self.cards if card.side == side)

    @property
    def player_card_count(self) -> int:
        """How many cards Player has."""
        return len(self.hand("player"))

    @property
    def banker_card_count(self) -> int:
        """How many cards Banker has."""
        return len(self.hand("banker"))


class Shoe(msgspec.Struct, frozen=True, omit_defaults=True):
    """The shoe in play, or the last one.

    `dealt`, `burned_seen`, `burned_unseen` and `surplus` count the cards that are out.
    `next_ordinal`: the ordinal of the next card. `cut_card`: the ordinal of the card behind the cut card, once known.
    `last_round`: the number of the shoe's last round, once the cut card was seen.
    `damaged`: a card is damaged, so the shoe ends after the round in play.
    `key_lost`: a round's key is lost, so its closed cards can't be known: the shoe ends after it.
    `suspected`: the patterns that were reported of its order.
    `faces` (physical): two characters for each card from `faces_from` on. A misdealt round has faces beyond
    `next_ordinal`, and so has the time between rounds while cards wait for the next round.
    `read_twice`: at how many ordinals no card came out. `demonstrations`: how many demonstration rounds it has had.
    `carried_until`: the stakes that rounds before this number carried out are settled or returned.
    `correcting`: a round that had ended and is decided anew.
    """

    number: int
    kind: Literal["virtual", "physical"]
    ended: bool = False
    next_ordinal: int = 1
    cut_card: int | None = None
    last_round: int | None = None
    damaged: bool = False
    key_lost: bool = False
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
        """Whether no round is in play or waits for settlement: the next round may open, the shoe or the table end."""
        return self.correcting is None and (self.round is None or self.round.phase == "settled")

    @property
    def current_round(self) -> Round | None:
        """The round that cards and calls are about: the one being corrected, else the last one."""
        return self.correcting or self.round

    @property
    def faces_to(self) -> int:
        """The ordinal behind the last card that is known to be out (physical)."""
        return self.faces_from + len(self.faces) // 2

    def face(self, ordinal: int) -> str:
        """The card at this ordinal, UNSEEN or FAILED (physical)."""
        start = 2 * (ordinal - self.faces_from)
        return (self.faces[start : start + 2] or UNSEEN) if start >= 0 else UNSEEN

    def with_face(self, ordinal: int, face: str) -> "Shoe":
        """The same with this face at this ordinal; cards that were passed over are UNSEEN (physical)."""
        faces = self.faces + UNSEEN * (ordinal + 1 - self.faces_to)
        start = 2 * (ordinal - self.faces_from)
        return replace(self, faces=faces[:start] + face + faces[start + 2 :])


class Terms(msgspec.Struct, frozen=True):
    """The house rules and limits under which a table is open."""

    rules: HouseRules
    limits: Limits


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table. It was never opened while `limits_version` is 0.

    `terms` are a record of their own: they are large and seldom change. A closed table has none.
    `held`: the table stands still. Cards stay due, and what rules decide is kept in `decided_while_held`, as it is
    while a key is missing. `unseen`: all cards that nobody has seen, burned and held ones and those behind the cut card
    too. Between two shoes it is the whole next shoe.
    `past`: the rounds of a physical shoe that can still be corrected, by number.
    `memory`: the last console requests that were answered, out of `requests_answered` so far.
    """

    table: str
    limits_version: int = 0
    terms: Part[Terms] = Part()
    layouts: int = 0
    seats: int = 0
    held: bool = False
    decided_while_held: RoundDecided | None = None
    unseen: Composition = ()
    shoe: Shoe | None = None
    past: Part[Round] = Part()
    memory: RequestMemory = RequestMemory()
    requests_answered: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the table is open."""
        return IN_FORCE in self.terms

    @property
    def rules_in_force(self) -> HouseRules:
        """The rules of a table that is open."""
        return self.terms[IN_FORCE].rules

    @property
    def limits_in_force(self) -> Limits:
        """The limits of a table that is open."""
        return self.terms[IN_FORCE].limits

    def with_terms(self, rules: HouseRules, limits: Limits) -> "State":
        """The table under these rules and limits."""
        return replace(self, terms=self.terms.with_item(IN_FORCE, Terms(rules, limits)))

    @property
    def shoe_in_play(self) -> Shoe:
        """The shoe of a table that has one in play."""
        assert self.shoe is not None, "the table has had no shoe"
        assert not self.shoe.ended, "the shoe has ended"
        return self.shoe

    @property
    def round_in_play(self) -> Round:
        """The round of a shoe that has one in play, or corrects one."""
        played = self.shoe_in_play.current_round
        assert played is not None, "the shoe has had no round"
        assert played.in_play, "the round is over"
        return played

    def round_of(self, fact: RoundFact) -> Round | None:
        """The current round, if this fact of a sister service is about it."""
        if self.shoe is None or self.shoe.ended or self.shoe.number != fact.shoe_number:
            return None
        played = self.shoe.current_round
        return played if played is not None and played.number == fact.round_number else None

    def with_round(self, played: Round) -> "State":
        """The same with the current round in another state."""
        shoe = self.shoe_in_play
        shoe = replace(shoe, correcting=played) if shoe.correcting else replace(shoe, round=played)
        return replace(self, shoe=shoe)

    @property
    def cards_left(self) -> int:
        """How many cards the shoe in play holds. A shuffler has all of them back (article 7)."""
        cards, shoe = 52 * self.rules_in_force.decks, self.shoe_in_play
        return cards - shoe.next_ordinal + 1 + shoe.read_twice if self.rules_in_force.dealing == "shoe" else cards
