"""Facts: what the shoe writes to `cards`, rules to `calls`, settlement to `bets`, each alone."""

from typing import ClassVar, Literal

import msgspec

from schemas.cards import Card, Result, Side
from schemas.events import Fact, Name, RoundFact
from schemas.house_rules import HouseRules
from schemas.limits import Limits

# --- answers that both `cards` and `bets` know ---------------------------------------------------------------------


class RequestRefused(Fact, frozen=True, kw_only=True):
    """A request changed nothing, and why. Readers take a reason they do not know as a plain refusal."""

    type: ClassVar[str] = "request.refused"
    request_id: str
    request_type: str
    reason: str
    detail: str


class RequestRepeated(Fact, frozen=True, kw_only=True):
    """A second copy of a request changed nothing; `first` is the copy that was answered (null for scans)."""

    type: ClassVar[str] = "request.repeated"
    request_id: str
    request_type: str
    first: str | None


# --- cards: written by the shoe ------------------------------------------------------------------------------------


class TableOpened(Fact, frozen=True, kw_only=True):
    """A table is open, with the whole rules and limits in force; the hash is of the house file's bytes (SHA-256, hex)."""

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
    """A shoe is in play. `burned` cards are out of it, of which `burn_card` was turned; `cut_card_depth` 0: no cut card."""

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


class RoundOpened(RoundFact, frozen=True, kw_only=True):
    """A round takes bets. `cards_left` are in the shoe behind this round's `burned` ones."""

    type: ClassVar[str] = "round.opened"
    demonstration: bool
    burned: int
    cards_left: int
    last_round: bool
    limits_version: int


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
    """The round does not count; every stake is returned. `player_pair` and `banker_pair`: pairs that stand, if any."""

    type: ClassVar[str] = "round.voided"
    revision: int
    reason: str
    player_pair: bool | None = None
    banker_pair: bool | None = None


class RoundEnded(RoundFact, frozen=True, kw_only=True):
    """The round's result, on which settlement pays. `revision` 0 is the first; totals are 0 to 9."""

    type: ClassVar[str] = "round.ended"
    revision: int
    result: Result
    player_cards: tuple[Card, ...]
    banker_cards: tuple[Card, ...]
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    demonstration: bool


class ShoeEnded(Fact, frozen=True, kw_only=True):
    """A shoe is out of play; the counts of its cards add up to all of them (dealing `shoe`)."""

    type: ClassVar[str] = "shoe.ended"
    shoe_number: int
    reason: str
    rounds: int
    dealt: int
    burned_seen: int
    burned_unseen: int
    surplus: int
    left: int


# --- calls: written by rules ---------------------------------------------------------------------------------------


class DrawCalled(RoundFact, frozen=True, kw_only=True):
    """`side` draws a third card. `through`: how many card facts of the round this call was made from."""

    type: ClassVar[str] = "draw.called"
    through: int
    side: Side
    player_total: int
    banker_total: int
    player_third_points: int | None


class RoundDecided(RoundFact, frozen=True, kw_only=True):
    """Nobody draws any more: the result, for the shoe to write as `round.ended`."""

    type: ClassVar[str] = "round.decided"
    revision: int
    through: int
    result: Result
    player_cards: tuple[Card, ...]
    banker_cards: tuple[Card, ...]
    player_total: int
    banker_total: int
    natural: bool
    player_pair: bool
    banker_pair: bool
    demonstration: bool


# --- bets: written by settlement -----------------------------------------------------------------------------------


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


class BettingClosed(RoundFact, frozen=True, kw_only=True):
    """No stake changes any more: how many there are and their sums by bet, carried ones included."""

    type: ClassVar[str] = "betting.closed"
    stakes: int
    totals: dict[str, int]
    player_holder: str | None
    banker_holder: str | None


class StakeReduced(StakeFact, frozen=True, kw_only=True):
    """Part of a stake is handed back."""

    type: ClassVar[str] = "stake.reduced"
    before_minor: int
    after_minor: int
    reason: str


class StakeReturned(StakeFact, frozen=True, kw_only=True):
    """A stake is handed back whole, outside any round's settlement; the round is the one that carried it."""

    type: ClassVar[str] = "stake.returned"
    before_minor: int
    after_minor: int
    reason: str


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
