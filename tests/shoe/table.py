"""A table around the shoe's core: the runtime's order of things, a floor's requests and the sister services' facts."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any, cast, get_args

import msgspec

from schemas import facts, requests
from schemas.cards import CARDS, POINTS, Side, full_composition
from schemas.codec import Entry
from schemas.events import Event, Fact
from schemas.house_rules import Bet, Condition, HouseRules
from schemas.limits import BetLimits, Limits
from services.decider.memory import RequestMemory
from services.decider.outcome import LateAnswer
from services.shoe.core import Outcome, State, evolve
from services.shoe.dealer import Dealer
from tests.given_cards import GivingDealer, laid_in
from tests.keys import key_from
from tests.stored import Stored

TABLE = "table-1"
BETS = tuple(Bet(name=side, condition=Condition(result=side), odds="1:1") for side in get_args(Side))
LIMITS = Limits(currency="HKD", unit_minor=100, bets={"player": BetLimits(minimum_minor=100, maximum_minor=1000)})
SHUFFLED = {"shuffled_by": "dealer", "cut_by": "bettor", "cut_at": 20}


def house_rules(**fields: Any) -> HouseRules:
    """Rules of one deck without a burn: a shoe of 52 cards, the cut card before card 39."""
    simple: dict[str, Any] = {"decks": 1, "burn": "none", "cut_card_depth": 14, "seats": 7}
    return HouseRules(name="test", version=1, authorisation="", regulation="none", bets=BETS, **(simple | fields))


class Table:
    """Feeds one core. Virtual cards come off `stacked` where that is given, else from a key of the seed's."""

    def __init__(self, rules: HouseRules | None = None, stacked: Iterable[str] = (), seed: int = 0) -> None:
        self.house = {"test": (rules or house_rules(), "f" * 64)}
        self.rules = self.house["test"][0]
        self.state = State(table=TABLE)
        self.stored = Stored(State, TABLE)
        given = laid_in(stacked, random.Random(seed)) if stacked else None
        self.dealer = GivingDealer([key_from(seed)], given) if given else Dealer([key_from(seed)])
        self.seed = seed
        self.facts: list[Fact] = []
        self.last_outcomes: list[Outcome] = []
        self.entries = 0

    def entry(
        self, event: Event, *, id: str | None = None, digest: str | None = None, type: str | None = None
    ) -> Entry:
        """The event as the next entry of its stream."""
        self.entries += 1
        stream = "scans" if isinstance(event, requests.CardScan | requests.CutCardScan) else "console"
        if isinstance(event, Fact):
            stream = "calls" if isinstance(event, facts.DrawCalled | facts.RoundDecided) else "bets"
        said = msgspec.json.encode(event).decode()
        number = id or f"request-{self.entries}"
        chain = hashlib.sha256(f"{self.seed} {self.entries}".encode()).hexdigest() if isinstance(event, Fact) else ""
        place = (stream, f"{self.entries}-0", "/floor", number, type or event.type)
        return Entry(*place, event, number, digest or said, chain=chain, data=said.encode(), pit="pit")

    def take(self, event: Event, **fields: str) -> list[Fact]:
        """One entry as the runtime hands it over; the facts that are written."""
        return self.take_entry(self.entry(event, **fields))

    def take_entry(self, entry: Entry) -> list[Fact]:
        """The same for an entry that may have been taken before."""
        self.last_entry = entry
        was = self.state
        if isinstance(entry.event, Fact):
            self.state = evolve(self.state, cast(Any, entry.event))
        before = len(self.facts)
        self.last_outcomes = self.dealer.decide(entry.pit, self.state, entry, self.house)
        for outcome in self.last_outcomes:
            fact: Any = outcome.fact if isinstance(outcome, LateAnswer) else outcome
            self.state = evolve(self.state, fact)
            if isinstance(fact, Fact):
                self.facts.append(fact)
        self.state = self.stored.reloaded(was, self.state)
        return self.facts[before:]

    # --- what a floor asks

    def open(self, **fields: Any) -> list[Fact]:
        """table.open"""
        asked: dict[str, Any] = {"operator": "boss", "house_rules": "test", "limits": LIMITS} | fields
        return self.take(requests.TableOpen(table=TABLE, **asked))

    def close(self) -> list[Fact]:
        """table.close"""
        return self.take(requests.TableClose(table=TABLE, operator="boss"))

    def load(self, kind: str = "virtual", number: int = 1, **fields: Any) -> list[Fact]:
        """shoe.load"""
        asked: dict[str, Any] = {"operator": "dealer", "kind": kind, "shoe_number": number} | SHUFFLED | fields
        return self.take(requests.ShoeLoad(table=TABLE, **asked))

    def end_shoe(self, number: int = 1) -> list[Fact]:
        """shoe.end"""
        return self.take(requests.ShoeEnd(table=TABLE, operator="dealer", shoe_number=number, reason="worn"))

    def open_round(self, number: int, shoe: int = 1, **fields: Any) -> list[Fact]:
        """round.open"""
        return self.take(
            requests.RoundOpen(table=TABLE, operator="dealer", shoe_number=shoe, round_number=number, **fields)
        )

    def void(self, number: int, shoe: int = 1, next_ordinal: int | None = None) -> list[Fact]:
        """round.void"""
        return self.take(
            requests.RoundVoid(
                table=TABLE,
                operator="dealer",
                shoe_number=shoe,
                round_number=number,
                reason="spilt",
                next_ordinal=next_ordinal,
            )
        )

    def scan(self, ordinal: int, card: str | None, *, shoe: int = 1, face_up: bool = False) -> list[Fact]:
        """card.scan"""
        return self.take(requests.CardScan(table=TABLE, shoe_number=shoe, ordinal=ordinal, card=card, face_up=face_up))

    def scan_all(self, first: int, *cards: str) -> list[Fact]:
        """Several cards in a row."""
        return [fact for index, card in enumerate(cards) for fact in self.scan(first + index, card)]

    def scan_cut_card(self, ordinal: int, shoe: int = 1) -> list[Fact]:
        """cut_card.scan"""
        return self.take(requests.CutCardScan(table=TABLE, shoe_number=shoe, ordinal=ordinal))

    # --- what the sister services say

    def close_betting(self, number: int, shoe: int = 1) -> list[Fact]:
        """betting.closed"""
        return self.take(
            facts.BettingClosed(
                table=TABLE,
                shoe_number=shoe,
                round_number=number,
                stakes=0,
                totals={},
                player_holder=None,
                banker_holder=None,
            )
        )

    def call_draw(self, number: int, side: Any, through: int, shoe: int = 1) -> list[Fact]:
        """draw.called"""
        return self.take(
            facts.DrawCalled(
                table=TABLE,
                shoe_number=shoe,
                round_number=number,
                through=through,
                side=side,
                player_total=0,
                banker_total=0,
                player_third_points=None,
            )
        )

    def decide_round(self, number: int, through: int, shoe: int = 1, revision: int = 0) -> list[Fact]:
        """round.decided"""
        return self.take(
            facts.RoundDecided(
                table=TABLE,
                shoe_number=shoe,
                round_number=number,
                revision=revision,
                through=through,
                result="player",
                player_cards=("9C", "KC"),
                banker_cards=("2C", "5C"),
                player_total=9,
                banker_total=7,
                natural=True,
                player_pair=False,
                banker_pair=False,
                demonstration=False,
            )
        )

    def settle(self, number: int, shoe: int = 1) -> list[Fact]:
        """round.settled"""
        return self.take(
            facts.RoundSettled(
                table=TABLE,
                shoe_number=shoe,
                round_number=number,
                revision=0,
                result=None,
                stakes=0,
                placed_minor=0,
                carried_in_minor=0,
                returned_minor=0,
                carried_out_minor=0,
                house_minor=0,
                commission_minor=0,
            )
        )

    # --- whole rounds

    def play_round(self, number: int, shoe: int = 1, cards: int | None = None, **fields: Any) -> list[Fact]:
        """A virtual round from its opening to its settlement: with so many cards, or as article 9 says."""
        before = len(self.facts)
        self.open_round(number, shoe, **fields)
        self.close_betting(number, shoe)
        for _ in range(2):
            hands = self.hands(number, shoe)
            dealt = len(hands["player"]) + len(hands["banker"])
            if side := side_that_draws(hands) if cards is None else forced_side(dealt, cards):
                self.call_draw(number, side, dealt, shoe)
        hands = self.hands(number, shoe)
        self.decide_round(number, len(hands["player"]) + len(hands["banker"]), shoe)
        self.settle(number, shoe)
        return self.facts[before:]

    def hands(self, number: int, shoe: int = 1) -> dict[str, list[str]]:
        """The cards of a round by side, as the facts give them."""
        hands: dict[str, list[str]] = {"player": [], "banker": []}
        for fact in self.facts:
            if isinstance(fact, facts.CardDealt) and (fact.shoe_number, fact.round_number) == (shoe, number):
                assert fact.card is not None
                hands[fact.side].append(fact.card)
        return hands

    def of(self, kind: Any) -> list[Any]:
        """All facts of one class so far."""
        return [fact for fact in self.facts if isinstance(fact, kind)]


def forced_side(dealt: int, cards: int) -> str | None:
    """Who draws so that the round takes `cards` cards."""
    return ("player", "banker")[dealt - 4] if dealt < cards else None


# Article 9, written down from its table: Banker's total to the points of Player's third card that make it draw.
BANKER_DRAWS = (*["0123456789"] * 3, "012345679", "234567", "4567", "67", "")


def side_that_draws(hands: dict[str, list[str]]) -> str | None:
    """Article 9 for a round whose hands are open so far."""
    player, banker = (sum(POINTS[card] for card in hands[side][:2]) % 10 for side in ("player", "banker"))
    if max(player, banker) >= 8 or len(hands["banker"]) == 3:
        return None
    if len(hands["player"]) == 2:
        return "player" if player <= 5 else "banker" if banker <= 5 else None
    return "banker" if str(POINTS[hands["player"][2]]) in BANKER_DRAWS[banker] else None


def types(written: list[Fact]) -> list[str]:
    """The types of facts, in order."""
    return [fact.type for fact in written]


def reason(written: list[Fact]) -> str:
    """The reason of the one refusal that was written."""
    (refused,) = written
    assert isinstance(refused, facts.RequestRefused), refused
    return refused.reason


def detail(written: list[Fact]) -> str:
    """Its detail."""
    (refused,) = written
    assert isinstance(refused, facts.RequestRefused), refused
    return refused.detail


def without_identities(state: State) -> State:
    """The state but for what it remembers of requests."""
    return msgspec.structs.replace(state, memory=RequestMemory(), requests_answered=0)


def assert_counts_are_whole(table: Table, decks: int = 1) -> facts.ShoeEnded:
    """The last shoe's end counts every card once, and no card came out more often than it is there."""
    ended: facts.ShoeEnded = table.of(facts.ShoeEnded)[-1]
    assert ended.dealt + ended.burned_seen + ended.burned_unseen + ended.surplus + ended.left == 52 * decks
    of_cards = table.of(facts.CardDealt | facts.CardOpened | facts.CardCorrected)
    last = {fact.card_number: fact for fact in of_cards if fact.shoe_number == ended.shoe_number}
    shown = Counter(fact.card for fact in last.values() if fact.card)
    started = [fact for fact in table.of(facts.ShoeStarted) if fact.shoe_number == ended.shoe_number]
    shown += Counter(fact.burn_card for fact in started if fact.burn_card)
    assert ended.dealt == sum(fact.side is not None for fact in last.values())
    assert set(shown) <= set(CARDS)
    assert max(shown.values(), default=0) <= decks
    return ended


def unseen_of(decks: int, *seen: str) -> tuple[int, ...]:
    """The composition without these cards, counted by hand."""
    return tuple(copies - seen.count(card) for copies, card in zip(full_composition(decks), CARDS, strict=True))
