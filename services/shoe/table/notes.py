"""Notes: what changes a table's state without being written to a stream. Evolved like facts."""

import msgspec

from schemas.cards import Side
from schemas.facts import RoundDecided
from services.decider.memory import Seen
from services.shoe.table.state import Holding, Reading


class RequestAnswered(msgspec.Struct, frozen=True):
    """A console request got its answer; another copy will be told."""

    seen: Seen


class CardsDue(msgspec.Struct, frozen=True):
    """These sides get the next cards."""

    sides: tuple[Side, ...]


class BooksClosed(msgspec.Struct, frozen=True):
    """The round's betting is closed; `holding` where its cards are dealt closed."""

    holding: Holding | None


class FaceKept(msgspec.Struct, frozen=True):
    """The face of a card that was drawn and dealt closed: it stands in the shoe's records only."""

    number: int
    face: str


class BooksSettled(msgspec.Struct, frozen=True):
    """The round is settled, with stakes that stay on the layout or without."""

    carried_out: bool


class DecisionWaits(msgspec.Struct, frozen=True):
    """The round was decided while the table is held."""

    decided: RoundDecided


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


class LeftoverCardSeen(msgspec.Struct, frozen=True):
    """A card came out while no round was open and, unseen by people, waits for the next one."""

    ordinal: int
    face: str


class CardsStay(msgspec.Struct, frozen=True):
    """The cards from `next_ordinal` on that the round has not used are the next one's."""

    next_ordinal: int


class RoundReopened(msgspec.Struct, frozen=True):
    """A round that had ended is decided anew."""

    number: int


class ReadingsPutRight(msgspec.Struct, frozen=True):
    """What really left the shoe at these ordinals; all cards of the round are about to be dealt out again."""

    readings: tuple[Reading, ...]
