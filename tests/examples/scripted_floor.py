"""A floor with the services' voices and none of their knowledge: each request has one scripted answer.

The facts are written here by hand and sealed by the project's codec, so that an example's own reckoning of the chain
is held against it.
"""

from threading import Event as Flag
from threading import Thread
from types import TracebackType
from typing import Any, Final, Self

import redis

from schemas import facts, requests
from schemas.codec import ChainHead, Entry, decode, seal
from schemas.events import Fact
from schemas.house_rules import SHIPPED_DIRECTORY, read_house_file
from schemas.limits import BetLimits, Limits
from schemas.streams import pit_key

LIMITS: Final = Limits(
    currency="HKD", unit_minor=500, bets={"player": BetLimits(minimum_minor=30_000, maximum_minor=30_000_000)}
)
_SERVICES: Final = {"cards": "shoe", "bets": "settlement"}


class ScriptedFloor:
    """One pit with one table of interest. `refusal` and `rejection`: reasons, where the script shall say no."""

    def __init__(self, url: str, pit: str, table: str) -> None:
        self.url = url
        self.pit = pit
        self.table = table
        self.refusal = ""
        self.rejection = ""
        self.received: list[tuple[str, dict[str, str]]] = []
        self._heads = {"cards": ChainHead(), "bets": ChainHead()}
        self._server: Any = redis.Redis.from_url(url)
        self._over = Flag()
        self._services = Thread(target=self._serve)

    def __enter__(self) -> Self:
        rules, digest = read_house_file(SHIPPED_DIRECTORY / "macau.toml")
        for table in ("macau-2", self.table):
            opened = facts.TableOpened(
                table=table,
                house_rules=rules,
                house_rules_sha256=digest,
                limits=LIMITS,
                limits_version=1,
                layouts=1,
                seats=7,
                gaming_day=None,
            )
            self.write("cards", opened)
        self.start_shoe(3)
        self.open_round(3, 7)
        self.settle(3, 7)
        self._services.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._services.join()
        self._server.delete(*map(self.key, ("console", "wagers", "cards", "bets")))
        self._server.close()

    def key(self, stream: str) -> str:
        """The key of one of the pit's streams."""
        return pit_key(self.pit, stream)

    def write(self, stream: str, fact: Fact, causation: str = "console/1-0") -> None:
        """Add the next fact to a stream."""
        source = f"/baccarat/{self.pit}/{_SERVICES[stream]}"
        entry, self._heads[stream] = seal(
            fact,
            self._heads[stream],
            source=source,
            time="2025-11-29T19:40:00.000000Z",
            causation=causation,
            traceparent=None,
        )
        self._server.xadd(self.key(stream), dict(zip(entry[::2], entry[1::2], strict=True)))

    def start_shoe(self, shoe_number: int) -> None:
        started = facts.ShoeStarted(
            table=self.table,
            shoe_number=shoe_number,
            kind="virtual",
            decks=8,
            cut_card_depth=14,
            burned=5,
            burn_card="5S",
            cut_by="百家樂",  # a value's length in the chain is counted in bytes
            cut_at=212,
            shuffled_by=None,
            deck_set=None,
        )
        self.write("cards", started)

    def open_round(self, shoe_number: int, round_number: int, causation: str = "console/1-0") -> None:
        opened = facts.RoundOpened(
            table=self.table,
            shoe_number=shoe_number,
            round_number=round_number,
            demonstration=False,
            burned=0,
            cards_left=411,
            last_round=False,
            limits_version=1,
        )
        self.write("cards", opened, causation)

    def settle(self, shoe_number: int, round_number: int) -> None:
        settled = facts.RoundSettled(
            table=self.table,
            shoe_number=shoe_number,
            round_number=round_number,
            revision=0,
            result="player",
            stakes=1,
            placed_minor=30_000,
            carried_in_minor=0,
            returned_minor=60_000,
            carried_out_minor=0,
            house_minor=-30_000,
            commission_minor=0,
        )
        self.write("bets", settled, "cards/1-0")

    def _serve(self) -> None:
        read = {self.key("console"): "0-0", self.key("wagers"): "0-0"}
        while not self._over.is_set():
            for key, entries in self._server.xread(read, block=20):
                read[key.decode()] = entries[-1][0]
                stream = key.decode().rsplit(":", 1)[1]
                for entry_id, fields in entries:
                    self.received.append((stream, {name.decode(): value.decode() for name, value in fields.items()}))
                    pairs = [part for pair in fields.items() for part in pair]
                    self._answer(decode(stream, entry_id.decode(), pairs))

    def _answer(self, entry: Entry) -> None:
        match entry.event:
            case requests.RoundOpen() if self.refusal:
                refused = facts.RequestRefused(
                    table=self.table,
                    request_id=entry.id,
                    request_type=entry.type,
                    reason=self.refusal,
                    detail="",
                )
                self.write("cards", refused, entry.place)
            case requests.RoundOpen() as request:
                self.open_round(request.shoe_number, request.round_number, entry.place)
            case requests.BetPlace() as request:
                self._answer_bet(request, entry.place)
            case requests.BettingClose() as request:
                closed = facts.BettingClosed(
                    table=self.table,
                    shoe_number=request.shoe_number,
                    round_number=request.round_number,
                    stakes=1,
                    totals={"player": 30_000},
                    player_holder=None,
                    banker_holder=None,
                )
                self.write("bets", closed, entry.place)
                self.settle(request.shoe_number, request.round_number)
            case other:
                raise AssertionError(f"no example sends a {other}")

    def _answer_bet(self, request: requests.BetPlace, place: str) -> None:
        stake: dict[str, Any] = {
            "table": self.table,
            "shoe_number": request.shoe_number,
            "round_number": request.round_number,
            "bet_id": request.bet_id,
            "bettor_id": request.bettor_id,
            "bet": request.bet,
            "amount_minor": request.amount_minor,
        }
        if self.rejection:
            self.write("bets", facts.BetRejected(**stake, revision=None, reason=self.rejection, detail=""), place)
        else:
            taken = facts.BetAccepted(**stake, seat=None, requested_minor=request.amount_minor, revision=0)
            self.write("bets", taken, place)
