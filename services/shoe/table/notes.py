"""Notes: what the shoe must know of a table and no stream says. A note changes the state as a fact does."""

from schemas.cards import Side
from schemas.facts import CardsFact, RoundDecided
from services.decider.memory import Seen
from services.decider.outcome import LateAnswer, Note
from services.shoe.table.state import Holding, Reading


class RequestAnswered(Note, frozen=True):
    """A console request has its answer. If it comes again, it is only told so."""

    seen: Seen


class BooksClosed(Note, frozen=True):
    """Settlement has closed the books of the round. Where there is a `holding`, its cards are dealt face down.

    `seed` (virtual): what all its cards are drawn from, in hex.
    """

    holding: Holding | None
    seed: str = ""


class CardsDue(Note, frozen=True):
    """These sides get the next cards."""

    sides: tuple[Side, ...]


class CardsOut(Note, frozen=True):
    """Every side that was due has its card."""


class RoundKeyed(Note, frozen=True):
    """What the key of a virtual round is made from: the entry id of its `round.open`, and which master key."""

    entry_id: str
    master: str


class SeedFixed(Note, frozen=True):
    """What all cards of a virtual demonstration round are drawn from, in hex: it has no books to close."""

    seed: str


class KeyAwaited(Note, frozen=True):
    """Cards that are due, or the end of the round, wait for its key. `waits_at`: the entry that they follow from."""

    waits_at: str


class ClosedFacesKnown(Note, frozen=True):
    """The round is over, so the faces of its cards that lay face down may be known: they have left the shoe."""

    faces: tuple[str, ...]


class DecisionWaits(Note, frozen=True):
    """Rules have decided the round while the table is held."""

    decided: RoundDecided


class BooksSettled(Note, frozen=True):
    """Settlement has settled the round. `carried_out`: some stakes stay on the layout."""

    carried_out: bool


class CutCardScanned(Note, frozen=True):
    """The cut card came out of a physical shoe, before the card with this ordinal."""

    ordinal: int


class CardScanned(Note, frozen=True):
    """A card came out of a physical shoe, or one that could not be read was entered by hand."""

    ordinal: int
    face: str


class WaitingCardScanned(CardScanned, frozen=True):
    """It is one of the round's cards, and waits until it is due."""

    place: str
    face_up: bool


class BurnedCardScanned(CardScanned, frozen=True):
    """It is one of the cards burned at the start of the round."""


class StrayCardScanned(CardScanned, frozen=True):
    """It came in a misdealt round. A correction or the end of the round decides whether it counts."""


class SurplusCardScanned(CardScanned, frozen=True):
    """It came while no round was open. It is surplus, and so are the cards before it that no scan told of."""


class LeftoverCardScanned(CardScanned, frozen=True):
    """It came while no round was open. No person has seen it, and it waits for the next round."""


class LeftoverCardsKept(Note, frozen=True):
    """The round has not used the cards from `next_ordinal` on: they wait for the next round."""

    next_ordinal: int


class ShoeGoesOn(Note, frozen=True):
    """A round is void and the physical shoe goes on with this card. What came before and is in no hand is surplus."""

    next_ordinal: int


class RoundReopened(Note, frozen=True):
    """A round that had ended is decided anew."""

    number: int


class ReadingsPutRight(Note, frozen=True):
    """What really left the shoe at these ordinals. The outcomes that follow deal the cards of the round again."""

    readings: tuple[Reading, ...]


class BettingGoesOn(Note, frozen=True):
    """The cards of a misdealt round are in order again, and its books are still open."""


ShoeNote = (
    RequestAnswered
    | BooksClosed
    | CardsDue
    | CardsOut
    | RoundKeyed
    | SeedFixed
    | KeyAwaited
    | ClosedFacesKnown
    | DecisionWaits
    | BooksSettled
    | CutCardScanned
    | WaitingCardScanned
    | BurnedCardScanned
    | StrayCardScanned
    | SurplusCardScanned
    | LeftoverCardScanned
    | LeftoverCardsKept
    | ShoeGoesOn
    | RoundReopened
    | ReadingsPutRight
    | BettingGoesOn
)
AnyCardScanned = WaitingCardScanned | BurnedCardScanned | StrayCardScanned | SurplusCardScanned | LeftoverCardScanned
Outcome = CardsFact | ShoeNote | LateAnswer
