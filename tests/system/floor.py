"""A floor for tests: one table, its console, bettors and electronic shoe, speaking only through the streams."""

import itertools
import json
import uuid
from collections.abc import Callable
from typing import Any

from schemas.codec import CHAIN_START, chain_of, encode_request
from schemas.events import Request
from schemas.limits import BetLimits, Limits
from schemas.requests import BetPlace, BettingClose, CardScan, RoundOpen, RoundVoid, ShoeLoad, TableOpen
from schemas.streams import FACT_STREAMS, pit_key
from tests.servers import eventually

_MAIN = BetLimits(minimum_minor=10_000, maximum_minor=100_000_000)
_OTHER = BetLimits(minimum_minor=10_000, maximum_minor=1_000_000)
_BETS = {"player": _MAIN, "banker": _MAIN, "tie": _OTHER}
_PAIRS = {"player_pair": _OTHER, "banker_pair": _OTHER}
LIMITS = {
    "macau": Limits(currency="HKD", unit_minor=100, bets=_BETS | _PAIRS),
    "six-deck-online": Limits(currency="HKD", unit_minor=100, bets=_BETS),
}
_tables = itertools.count(1)


class Floor:
    """One table of a pit, seen and served from outside."""

    def __init__(self, client: Any, pit: str, table: str | None = None) -> None:
        self.client = client
        self.pit = pit
        self.table = table or f"table-{next(_tables)}"
        self.shoe_number = 0
        self.round_number = 0
        self._known: dict[str, list[dict[str, Any]]] = {}

    # --- requests

    def send(self, stream: str, request: Request, request_id: str | None = None) -> str:
        """Write a request; its entry id."""
        parts = encode_request(
            request,
            id=request_id or str(uuid.uuid4()),
            source="/test/floor",
            time="2026-01-01T00:00:00.000000Z",
        )
        return self.add(stream, parts)

    def add(self, stream: str, parts: list[bytes]) -> str:
        """Write an entry as it is; its id."""
        entry_id: bytes = self.client.execute_command("XADD", pit_key(self.pit, stream), "*", *parts)
        return entry_id.decode()

    def open_table(self, house_rules: str = "macau") -> str:
        """Ask for the table."""
        request = TableOpen(table=self.table, operator="d", house_rules=house_rules, limits=LIMITS[house_rules])
        return self.send("console", request)

    def load_shoe(self, kind: Any = "virtual", burned: int = 0) -> str:
        """Ask for the next shoe."""
        self.shoe_number += 1
        self.round_number = 0
        load = ShoeLoad(
            table=self.table,
            operator="d",
            shoe_number=self.shoe_number,
            kind=kind,
            shuffled_by="dealer",
            cut_by="dealer",
            cut_at=100,
            burned=burned,
        )
        return self.send("console", load)

    def open_round(self) -> str:
        """Ask for the next round."""
        self.round_number += 1
        return self.send("console", RoundOpen(**self.round(), operator="d"))

    def close_betting(self, through: str | None = None) -> str:
        """Ask to close the books behind the last wager."""
        return self.send(
            "console", BettingClose(**self.round(), operator="d", wagers_through=through or self.end_of("wagers"))
        )

    def void(self, next_ordinal: int | None = None) -> str:
        """Ask to void the round."""
        return self.send("console", RoundVoid(**self.round(), operator="d", reason="test", next_ordinal=next_ordinal))

    def bet(self, bet: str = "player", amount_minor: int = 10_000, bet_id: str | None = None) -> BetPlace:
        """A bet to send."""
        return BetPlace(
            **self.round(),
            bet_id=bet_id or str(uuid.uuid4()),
            bettor_id="bettor",
            bet=bet,
            amount_minor=amount_minor,
            currency="HKD",
        )

    def scan(self, ordinal: int, card: str | None) -> str:
        """A card leaves the physical shoe."""
        return self.send("scans", CardScan(table=self.table, shoe_number=self.shoe_number, ordinal=ordinal, card=card))

    def round(self) -> dict[str, Any]:
        """The fields that name the present round."""
        return {"table": self.table, "shoe_number": self.shoe_number, "round_number": self.round_number}

    # --- facts

    def end_of(self, stream: str) -> str:
        """The id of a stream's last entry."""
        entries = self.client.xrevrange(pit_key(self.pit, stream), count=1)
        return entries[0][0].decode() if entries else "0-0"

    def facts(self, stream: str, *types: str, everywhere: bool = False) -> list[dict[str, Any]]:
        """The stream's facts of these types at this table: data, with type and causation."""
        return [
            fact
            for fact in self._all(stream)
            if (everywhere or fact["table"] == self.table) and (not types or fact["type"] in types)
        ]

    def _all(self, stream: str) -> list[dict[str, Any]]:
        known = self._known.setdefault(stream, [])
        after = f"({known[-1]['entry']}" if known else "-"
        for entry_id, fields in self.client.xrange(pit_key(self.pit, stream), min=after):
            known.append(
                {
                    **json.loads(fields.get(b"data", b"{}")),
                    "type": fields[b"type"].decode(),
                    "causation": fields.get(b"causation", b"").decode(),
                    "entry": entry_id.decode(),
                }
            )
        return known

    def of_this_round(self, stream: str, event_type: str) -> list[dict[str, Any]]:
        """Facts of one type about the present round."""
        return [fact for fact in self.facts(stream, event_type) if self.round().items() <= fact.items()]

    def wait(self, stream: str, event_type: str, count: int = 1, seconds: float = 30.0) -> list[dict[str, Any]]:
        """Facts of one type about the present round, as soon as there are so many."""
        return eventually(lambda: self._enough(self.of_this_round(stream, event_type), count), seconds)

    def answer(self, stream: str, place: str, seconds: float = 30.0) -> dict[str, Any]:
        """The first fact that a request (`<stream>/<entry id>`) led to."""

        def find() -> list[dict[str, Any]]:
            return [fact for fact in self.facts(stream) if fact["causation"] == place]

        return eventually(find, seconds)[0]

    @staticmethod
    def _enough(facts: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
        return facts if len(facts) >= count else []

    # --- whole pieces of play

    def begin(self, house_rules: str = "macau", kind: str = "virtual") -> None:
        """Open the table and load a shoe."""
        opened = self.answer("cards", f"console/{self.open_table(house_rules)}")
        assert opened["type"] == "table.opened", opened
        started = self.answer("cards", f"console/{self.load_shoe(kind)}")
        assert started["type"] == "shoe.started", started

    def play_round(self, bets: int = 2, seconds: float = 30.0, at: Callable[[str], None] = lambda place: None) -> None:
        """One round with bets, from its opening to its books; `at` is told each place in it."""
        at("open")
        self.open_round()
        self.wait("cards", "round.opened", seconds=seconds)
        at("bet")
        for number in range(bets):
            self.send("wagers", self.bet(("player", "banker", "tie")[number % 3]))
        self.wait("bets", "bet.accepted", bets, seconds=seconds)
        at("close")
        self.close_betting()
        self.wait("bets", "betting.closed", seconds=seconds)
        at("deal")
        self.wait("cards", "round.ended", seconds=seconds)
        at("settle")
        self.wait("bets", "round.settled", seconds=seconds)


def assert_consistent(floor: Floor) -> None:
    """What must hold in a pit whatever happened: unbroken chains, one end a round and stake, books that balance."""
    for stream in FACT_STREAMS.values():
        assert_chain(floor.client, floor.pit, stream)
    ends = [
        (fact["table"], fact["shoe_number"], fact["round_number"])
        for fact in floor.facts("cards", "round.ended", "round.voided", everywhere=True)
    ]
    assert len(ends) == len(set(ends)), "a round ended twice"
    dealt = [
        (fact["table"], fact["shoe_number"], fact["round_number"], fact["side"], fact["position"])
        for fact in floor.facts("cards", "card.dealt", everywhere=True)
    ]
    assert len(dealt) == len(set(dealt)), "a card was dealt twice"
    assert_books_balance(floor)


def assert_books_balance(floor: Floor) -> None:
    """Each accepted stake ends at most once, and placed = returned + house + on the layout."""
    on_layout: dict[str, int] = {}
    ended: set[str] = set()
    returned = placed = house = 0
    for fact in floor.facts("bets", everywhere=True):
        match fact["type"]:
            case "bet.accepted":
                assert fact["bet_id"] not in on_layout, "a bet was accepted twice"
                on_layout[fact["bet_id"]] = fact["amount_minor"]
                placed += fact["amount_minor"]
            case "bets.settled":
                for bet in fact["bets"]:
                    assert bet["bet_id"] not in ended, "a stake ended twice"
                    if not bet["carried"]:
                        ended.add(bet["bet_id"])
                        stake = on_layout.pop(bet["bet_id"])
                        assert stake == bet["stake_minor"]
                        returned += bet["return_minor"]
                        house += stake - bet["return_minor"]
            case _:
                pass
    assert placed == returned + house + sum(on_layout.values())
    settled = floor.facts("bets", "round.settled", everywhere=True)
    assert sum(fact["house_minor"] for fact in settled) == house
    for fact in settled:
        incoming = fact["placed_minor"] + fact["carried_in_minor"]
        assert incoming == fact["returned_minor"] + fact["carried_out_minor"] + fact["house_minor"]


def assert_chain(client: Any, pit: str, stream: str) -> None:
    """Sequences without a gap, each chain value over the one before."""
    chain = CHAIN_START
    for number, (_, fields) in enumerate(client.xrange(pit_key(pit, stream)), start=1):
        assert int(fields[b"sequence"]) == number
        chain = chain_of(fields, chain)
        assert fields[b"chain"].decode() == chain
