"""A dealer: reads the facts of one table and knows what it waits for. With his answers every round comes to an end."""

import random
from typing import Any, Final

from schemas import facts, requests
from schemas.cards import CARDS
from schemas.codec import Entry
from schemas.events import Request
from schemas.limits import Limits

TABLE: Final = "table-1"
OPERATOR: Final[dict[str, Any]] = {"table": TABLE, "operator": "dealer", "approved_by": "supervisor"}


class Dealer:
    """What the dealer of one table sees. `cards` are a physical shoe's, as they lie in it."""

    def __init__(self, house_rules: str, limits: Limits, kind: str, seed: int) -> None:
        self.house_rules, self.limits, self.kind = house_rules, limits, kind
        self.random = random.Random(seed)
        self.is_open = self.is_held = self.misdealt = self.demonstration = False
        self.waits_for_stakes = False
        self.phase = "none"  # of the round: none, betting, dealing, over
        self.shoe_number = self.round_number = self.first_round = 0
        self.shoe_in_play = False
        self.decks = 8
        self.shuffled_every_round = False
        self.cards: list[str] = []
        self.ordinal = 1
        self.closed_cards: dict[int, tuple[str, int]] = {}
        self.missed: set[int] = set()
        self.rounds_over: list[int] = []
        self.cards_of: dict[int, set[int]] = {}  # numbers, by round
        self.seats: dict[int, str] = {}

    def hear(self, entry: Entry) -> None:
        """The next fact."""
        match entry.event:
            case facts.SeatTaken() as fact:
                self.seats[fact.seat] = fact.bettor_id
            case facts.SeatLeft() as fact:
                self.seats.pop(fact.seat, None)
            case facts.CardDealt() | facts.CardOpened() | facts.CardCorrected() as fact:
                self.cards_of.setdefault(fact.round_number, set()).add(fact.card_number)
                self._follow_card(fact)
            case facts.ScanMissed() as fact:
                self.missed.add(fact.ordinal)
            case facts.MisdealDetected() as fact:
                self.misdealt = self.misdealt or fact.round_number is not None
                self.ordinal = max(self.ordinal, fact.ordinal + 1)
            case _:
                self._follow_course(entry)

    def _follow_card(self, fact: facts.CardDealt | facts.CardOpened | facts.CardCorrected) -> None:
        """Which cards lie closed before whom."""
        if isinstance(fact, facts.CardCorrected) and fact.revision > 0:
            return
        self.closed_cards.pop(fact.card_number, None)
        if fact.side and fact.position and fact.card is None:
            self.closed_cards[fact.card_number] = (fact.side, fact.position)

    def _follow_course(self, entry: Entry) -> None:
        match entry.event:
            case facts.TableOpened(house_rules=rules) | facts.HouseRulesChanged(house_rules=rules):
                self.is_open, self.decks = True, rules.decks
                self.shuffled_every_round = rules.dealing != "shoe"
            case facts.TableClosed():
                self.is_open = self.is_held = False
            case facts.TableHeld() | facts.TableReleased() as fact:
                self.is_held = isinstance(fact, facts.TableHeld)
            case facts.ShoeStarted() as fact:
                self.shoe_number, self.round_number, self.shoe_in_play = fact.shoe_number, 0, True
                self.ordinal, self.phase, self.rounds_over = fact.burned + 1, "none", []
                self.cards, self.cards_of = self._shuffled(), {}
            case facts.ShoeEnded():
                self.shoe_in_play = False
            case facts.RoundOpened() as fact:
                self.round_number, self.demonstration = fact.round_number, fact.demonstration
                self.phase = "dealing" if fact.demonstration else "betting"
                self.ordinal += fact.burned
                self._start()
            case facts.BettingClosed():
                self.phase = "dealing"
            case facts.RequestRefused(reason="no_stake"):
                self.waits_for_stakes = True
            case facts.RoundEnded() | facts.RoundVoided() as fact:
                self._start()
                if fact.revision == 0:
                    self.phase = "over"
                    self.rounds_over.append(fact.round_number)
            case _:
                pass

    def _shuffled(self) -> list[str]:
        """A shoe with more ties than chance has: of each four cards of some, both sides get the same natural."""
        cards = list(CARDS) * self.decks
        self.random.shuffle(cards)
        if self.random.random() < 0.5:
            return cards
        nothing = [card for card in cards if card[0] in "TJQK"]
        groups = []
        for rank in "89":
            natural = [card for card in cards if card[0] == rank]
            groups += [[natural.pop(), natural.pop(), nothing.pop(), nothing.pop()] for _ in range(2 * self.decks)]
        rest = nothing + [card for card in cards if card[0] not in "89TJQK"]
        self.random.shuffle(rest)
        groups += [rest[at : at + 5] for at in range(0, len(rest), 5)]
        self.random.shuffle(groups)
        return [card for group in groups for card in group]

    def _start(self) -> None:
        self.misdealt = self.waits_for_stakes = False
        self.closed_cards, self.missed = {}, set()

    @property
    def about(self) -> dict[str, Any]:
        """The round that was opened last, as a console names it."""
        return {**OPERATOR, "shoe_number": self.shoe_number, "round_number": self.round_number}

    @property
    def in_round(self) -> bool:
        """Whether a round has begun and not ended."""
        return self.phase in ("betting", "dealing")

    def answer(self, wagers_through: str) -> Request:
        """What the table waits for."""
        if not self.is_open:
            return requests.TableOpen(**OPERATOR, house_rules=self.house_rules, limits=self.limits)
        if self.is_held:
            return requests.TableRelease(**OPERATOR)
        if not self.shoe_in_play:
            return self.load()
        if self.misdealt or (self.waits_for_stakes and self.phase == "betting"):
            return self.void()
        match self.phase:
            case "betting":
                return requests.BettingClose(**self.about, wagers_through=wagers_through)
            case "dealing" if self.missed:
                return self.void() if self.random.random() < 0.1 else self.scan(min(self.missed))
            case "dealing" if self.closed_cards:
                side, position = self.random.choice(list(self.closed_cards.values()))
                return requests.CardOpen(**self.about, side=side, position=position)  # type: ignore[arg-type]  # a side
            case "dealing" if self.kind == "physical":
                return self.scan(self.ordinal)
            case "dealing":
                raise AssertionError("a virtual round waits for nobody and does not go on")
            case _:
                return requests.RoundOpen(**self.about | {"round_number": self.round_number + 1})

    def load(self) -> Request:
        """The next shoe."""
        return requests.ShoeLoad(
            **OPERATOR,
            shoe_number=self.shoe_number + 1,
            kind=self.kind,  # type: ignore[arg-type]  # one of the two
            shuffled_by=None,
            cut_by=None,
            cut_at=None,
        )

    def void(self) -> Request:
        """The end that every round can have."""
        return requests.RoundVoid(**self.about, reason="as the dealer sees it")

    def scan(self, ordinal: int, card: str | None = None) -> Request:
        """The card at this ordinal, as it lies in the shoe unless another is named."""
        self.ordinal = max(self.ordinal, ordinal + 1)
        self.missed.discard(ordinal)
        if card is None:
            shuffled = self.shuffled_every_round
            card = self.random.choice(CARDS) if shuffled else self.cards[(ordinal - 1) % len(self.cards)]
        return requests.CardScan(
            table=TABLE, shoe_number=self.shoe_number, ordinal=ordinal, card=card, face_up=self.random.random() < 0.02
        )
