"""A floor that asks one pit for anything at any time, and checks every answer by the promises that need no rules.

A refused request changes no shoe, stake or table; a repeated one changes nothing; a dealer's answers end every round.
"""

import json
import random
from typing import Any, Final, get_args

from schemas import facts, requests
from schemas.cards import CARDS, Side
from schemas.codec import Entry, decode, encode_request
from schemas.events import Request
from schemas.limits import Limits
from schemas.streams import EVENTS, REQUEST_STREAMS
from tests.simulation.dealer import OPERATOR, TABLE, Dealer
from tests.simulation.pit import TIME, House, Pit
from tests.simulation.reader import Reader

BETTORS: Final = ("ann", "bob", "cid")
ANSWERS_MAX: Final = 40
REFUSALS: Final = (facts.RequestRefused, facts.BetRejected)
# What remembers requests, and is no shoe, stake or table.
_MEMORY: Final = {"memory", "seen", "seen_on_console", "requests_answered", "wagers_seen", "console_seen"}


class Floor:
    """One table of one pit; `seed` decides all that the machine leaves open."""

    def __init__(self, house: House, house_rules: str, limits: Limits, kind: str, seed: int) -> None:
        self.seed, self.random = seed, random.Random(seed)
        self.pit = Pit(house, seed=seed)
        self.reader = Reader()
        self.house, self.limits = house, limits
        self.dealer = Dealer(house_rules, limits, kind, seed)
        self.sent: list[tuple[str, list[bytes]]] = []
        self.noisy = False
        self.bet_ids: list[str] = []
        self.revisions: dict[str, int] = {}
        self.forgotten: set[str] = set()  # ids of requests and stakes that were refused and are not remembered
        self._heard = self._named = 0

    def write(self, request: Request) -> None:
        """Send without waiting."""
        stream = next(name for name in REQUEST_STREAMS if type(request) in EVENTS[name])
        entry = encode_request(request, id=f"id-{len(self.sent)}", source="/floor", time=TIME)
        self.sent.append((stream, entry))
        self.pit.write(stream, entry)

    def hear(self) -> list[Any]:
        """Let the pit get quiet; the facts that came, each checked."""
        self.pit.run()
        found = []
        for entry in self.pit.events(self._heard):
            if entry.stream in ("cards", "calls", "bets"):
                found.append(entry.event)
                self.take(entry)
        self._heard = len(self.pit.order)
        self.reader.check()
        return found

    def take(self, entry: Entry) -> None:
        """The next fact of the table."""
        self.reader.read(entry)
        self.dealer.hear(entry)
        if isinstance(entry.event, facts.WagerTaken):
            self.revisions[entry.event.bet_id] = entry.event.revision
            if isinstance(entry.event, facts.BetAccepted):
                self.bet_ids.append(entry.event.bet_id)
        if isinstance(entry.event, facts.ShoeStarted):
            self.noisy = False
        self._forget(entry.event)

    def _forget(self, fact: Any) -> None:
        """A scan is known by its ordinal once it was taken; a table that was never opened remembers nobody."""
        match fact:
            case facts.RequestRefused(request_type="card.scan" | "cut_card.scan") as refused:
                self.forgotten.add(refused.request_id)
            case facts.RequestRefused(reason="unknown_table") as refused:
                self.forgotten.add(refused.request_id)
            case facts.BetRejected(reason="unknown_table") as rejected:
                self.forgotten.add(rejected.bet_id)
            case _:
                pass

    def ask(self, request: Request, *, again: bool) -> list[Any]:
        """Send one request to a quiet pit, and perhaps once more."""
        before = self.state()
        self.write(request)
        answers = self.hear()
        if answers and all(isinstance(fact, REFUSALS) for fact in answers):
            assert self.state() == before, f"{answers} changed something"
        if again:
            self.repeat(-1)
        return answers

    def repeat(self, index: int) -> None:
        """Send a copy of an earlier request: it is known, refused by now, or tells once more of a card in no hand."""
        stream, entry = self.sent[index]
        copied = decode(stream, "1-0", entry)
        if {copied.id, getattr(copied.event, "bet_id", "")} & self.forgotten:
            return
        if stream == "scans" and index != -1:
            self.noisy = True
        before = self.state()
        self.pit.write(stream, entry)
        answers = self.hear()
        told = (*REFUSALS, facts.RequestRepeated, facts.MisdealDetected)
        assert all(isinstance(fact, told) for fact in answers), f"a copy of {copied.event}: {answers}"
        if not any(isinstance(fact, facts.MisdealDetected) for fact in answers):
            assert self.state() == before, f"a copy changed something: {answers}"

    def state(self) -> dict[str, Any]:
        """The stored records of all services but for their memory of requests."""
        found: dict[str, Any] = {}
        for name, memory in self.pit.services.items():
            for key, value in memory.records.items():
                table, *part = json.loads(key)
                if part and part[0] in _MEMORY:
                    continue
                record = json.loads(value)
                if not part:
                    record = {field: item for field, item in record.items() if field not in _MEMORY}
                if part or record.keys() - {"table"}:
                    found[f"{name} {table} {part}"] = record
        return found

    def advance(self, answers: int, *, until: str = "") -> None:
        """Answer some of the table's waits, or as many as it takes to get a round that takes bets or is over."""
        for _ in range(answers):
            if self.dealer.phase == until and self.dealer.is_open and not self.dealer.is_held:
                return
            through = self.pit.streams["wagers"][-1][0] if self.pit.streams["wagers"] else "0-0"
            self.write(self.dealer.answer(through))
            self.hear()

    def deal(self, *, bets: int) -> None:
        """Go on to the end of the round in play, or of the next one. Every wait is answered."""
        self._staked = False
        told: list[Any] = []
        for _ in range(ANSWERS_MAX):
            if self.dealer.phase == "betting" and not self._staked:
                self._staked = True
                for _ in range(bets):
                    self.write(self.bet())
            through = self.pit.streams["wagers"][-1][0] if self.pit.streams["wagers"] else "0-0"
            was_in_round = self.dealer.in_round
            clean = not (self.noisy or self.dealer.misdealt)
            self.write(self.dealer.answer(through))
            came = self.hear()
            told = [*told[-10:], *came]
            if clean and self.dealer.misdealt:
                raise AssertionError(f"a round without a mistake is misdealt: {came}")
            if was_in_round and not self.dealer.in_round:
                return
        assert self.noisy, f"a round without a mistake does not end in {ANSWERS_MAX} answers: {told}"
        self.write(self.dealer.void())
        came = self.hear()
        assert not self.dealer.in_round, f"a round that can't be made void: {came}"

    def bet(self) -> Request:
        """A stake that is often right."""
        chance = self.random
        bet = chance.choice([*self.limits.bets, "player", "banker", "player", "banker"])
        bounds = self.limits.bets.get(bet)
        minimum = bounds.minimum_minor if bounds else 100
        self._named += 1
        seat = chance.choice([None, *self.dealer.seats])
        return requests.BetPlace(
            table=TABLE,
            shoe_number=self.dealer.shoe_number,
            round_number=self.dealer.round_number,
            bet_id=f"bet-{self._named}",
            bettor_id=self.dealer.seats[seat] if seat and chance.random() < 0.95 else chance.choice(BETTORS),
            bet=bet,
            amount_minor=minimum * chance.choice([1, 1, 2, 3, 10]) + chance.choice([0] * 9 + [5, 20, 100, 7, -1]),
            currency="HKD" if chance.random() < 0.98 else "MOP",
            seat=seat,
        )

    def change(self) -> Request:
        """A change or cancel of a stake, of one that is over now and then."""
        chance = self.random
        bet_id = chance.choice([*self.bet_ids[-4:], *self.bet_ids[-1:], "nobody's"])
        about: dict[str, Any] = {
            "table": TABLE,
            "shoe_number": self.dealer.shoe_number,
            "round_number": self.dealer.round_number,
            "bet_id": bet_id,
            "revision": self.revisions.get(bet_id, 0) + chance.choice([0, 0, 0, 0, 1]),
        }
        if chance.random() < 0.3:
            return requests.BetCancel(**about)
        amount = chance.choice([100, 200, 300, 400, 1_000, 150, 95, 0])
        bet = chance.choice([self.reader.bet_of.get(bet_id, "player"), "player", "banker"])
        return requests.BetChange(**about, bet=bet, amount_minor=amount)

    def anything(self, kind: str) -> Request:
        """A request of a kind, about numbers that are mostly the present ones."""
        chance, dealer = self.random, self.dealer
        off = chance.choice([0] * 8 + [1, -1])
        about = dealer.about | {"round_number": dealer.round_number + off}
        card = chance.choice(CARDS)
        match kind:
            case "open table":
                return requests.TableOpen(**OPERATOR, house_rules=dealer.house_rules, limits=self.limits)
            case "close table":
                return requests.TableClose(**OPERATOR)
            case "load":
                return dealer.load()
            case "end shoe":
                return requests.ShoeEnd(**OPERATOR, shoe_number=dealer.shoe_number + off, reason="the house's right")
            case "round":
                return self._round(about)
            case "void":
                return self._void(about)
            case "scan":
                self.noisy = True
                ordinal = dealer.ordinal + chance.choice([0, 0, 0, -1, -2, 1, 3])
                return dealer.scan(max(ordinal, 0), card) if chance.random() < 0.8 else self._cut_card(ordinal)
            case "failed read":
                self.noisy = True
                return requests.CardScan(table=TABLE, shoe_number=dealer.shoe_number, ordinal=dealer.ordinal, card=None)
            case "correct":
                self.noisy = True
                number = max(0, dealer.round_number - chance.choice([0, 0, 1, 1, 2]))
                cards = [self._reading(number) for _ in range(chance.choice([0, 1, 1, 2]))]
                if chance.random() < 0.4:
                    cards = self._tie(number)
                about |= {"round_number": number}
                return requests.CardCorrect(**about, cards=tuple(cards), reason="the camera")
            case "open card":
                opened_by, position = chance.choice([None, None, *BETTORS]), chance.choice([1, 2, 3])
                return requests.CardOpen(**about, side=self._side(), position=position, opened_by=opened_by)
            case "pass":
                return requests.HolderPass(**about, side=self._side(), to=chance.choice([None, *BETTORS]))
            case _:
                return self._about_the_table(kind, about)

    def _about_the_table(self, kind: str, about: dict[str, Any]) -> Request:
        chance = self.random
        match kind:
            case "take seat":
                seat = chance.choice([1, 2, 3, 9])
                return requests.SeatTake(**OPERATOR, bettor_id=BETTORS[(seat - 1) % 3], seat=seat)
            case "leave seat":
                return requests.SeatLeave(**OPERATOR, bettor_id=chance.choice(BETTORS), seat=chance.choice([1, 2, 3]))
            case "limits":
                return requests.LimitsSet(**OPERATOR, limits=self.limits)
            case "house rules":
                return requests.HouseRulesChange(**OPERATOR, house_rules=chance.choice([*self.house, "nobody-s"]))
            case "damage":
                return requests.DamageReport(**OPERATOR, shoe_number=self.dealer.shoe_number, reason="bent")
            case "adjust":
                bet_id = chance.choice([*self.bet_ids[-8:], "nobody's"])
                amount = chance.choice([100, -100, 0])
                ended = self.reader.end_of.get(bet_id)
                if isinstance(ended, tuple):
                    about |= {"shoe_number": ended[1][1], "round_number": ended[1][2]}
                return requests.SettlementAdjust(**about, bet_id=bet_id, amount_minor=amount, reason="a mistake")
            case "hold":
                return requests.TableHold(**OPERATOR, reason="a dispute")
            case "release":
                return requests.TableRelease(**OPERATOR)
            case "close betting":
                return requests.BettingClose(**about, wagers_through="0-0")
            case _:
                raise AssertionError(kind)

    def _side(self) -> Side:
        return self.random.choice(get_args(Side))

    def _round(self, about: dict[str, Any]) -> Request:
        chance = self.random
        number = about["round_number"] + 1
        burn, demonstration = chance.choice([0, 0, 0, 1, 3, 500]), chance.random() < 0.3
        return requests.RoundOpen(**about | {"round_number": number}, burn=burn, demonstration=demonstration)

    def _void(self, about: dict[str, Any]) -> Request:
        self.noisy = True
        ordinal = self.random.choice([None, None, self.dealer.ordinal, self.dealer.ordinal + 2])
        return requests.RoundVoid(**about, reason="spilt", next_ordinal=ordinal)

    def _cut_card(self, ordinal: int) -> Request:
        return requests.CutCardScan(table=TABLE, shoe_number=self.dealer.shoe_number, ordinal=ordinal)

    def _tie(self, round_number: int) -> list[requests.CorrectedCard]:
        """Readings that make a round a tie of naturals: that is what stakes hang on."""
        numbers = sorted(self.dealer.cards_of.get(round_number, ()))[:4]
        faces = [rank + self.random.choice("CDHS") for rank in "88KK"]
        return [
            requests.CorrectedCard(ordinal=ordinal, card=face) for ordinal, face in zip(numbers, faces, strict=False)
        ]

    def _reading(self, round_number: int) -> requests.CorrectedCard:
        """What may have been misread; a card that both sides may make a tie of, now and then."""
        numbers = sorted(self.dealer.cards_of.get(round_number, {self.dealer.ordinal}))
        ordinal = self.random.choice([*numbers, numbers[0], numbers[-1] + 1])
        cards = [*CARDS, *CARDS[28:36] * 4, None]
        return requests.CorrectedCard(ordinal=ordinal, card=self.random.choice(cards))
