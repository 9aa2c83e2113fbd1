"""What the demo floor does: fold the facts, send the dealer's requests and the bettors' wagers in their time."""

import asyncio
import contextlib
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from redis.asyncio import Redis

from schemas.codec import encode_request
from schemas.events import Request
from schemas.streams import pit_key
from services.floor.demo.bettors import wagers_of_round
from services.floor.demo.dealer import PIT, TABLES, Pace, Step, identity, limits_of, next_step, request_for
from services.floor.pit_client import Follower, Raw, newest
from services.floor.play_and_books import Books, Play, betting_is_open, books_after, play_after

CONSOLE: Final = f"/floor/{PIT}/console"
BETTORS: Final = f"/floor/{PIT}/bettors"
# A service starts again within a second. What was sent is not lost, and a repeat changes nothing.
RESEND_SECONDS: Final = 2.0
_TICK_SECONDS: Final = 0.1
_STAGGER_SECONDS: Final = 3.0


class Sent(msgspec.Struct, frozen=True):
    """The last request to a table: its identity, the step and round it is about, its entry, when it was sent."""

    id: str
    about: tuple[Step, tuple[int, int]]
    entry: dict[Any, Any]
    at_seconds: float


class Table(msgspec.Struct):
    """One table: what the streams say, since when they say it, and what was sent."""

    play: Play
    books: Books
    since_seconds: float
    sent: Sent | None = None
    wagers_of: tuple[int, int] = (0, 0)
    wagers_sent: int = 0


class Demo:
    """The dealer and the bettors of the pit's tables. `rounds`: how many settled ones each table stops at."""

    def __init__(self, *, pace: Pace, seed: str, rounds: Mapping[str, int] | None) -> None:
        self._pace = pace
        self._seed = seed
        self._rounds = rounds
        self._news = asyncio.Event()
        self._client: Redis
        self._followers = {stream: Follower(PIT, stream) for stream in ("cards", "bets")}
        self._sequences: dict[str, int] = {}
        stagger_seconds = 0.0 if pace.closes_when_answered else _STAGGER_SECONDS
        self._tables = {
            name: Table(Play(table=name), Books(table=name), time.monotonic() + number * stagger_seconds)
            for number, name in enumerate(TABLES)
        }

    async def connect(self, client: Redis) -> None:
        """Send through this client, and hold back until the streams are read as far as they go now."""
        self._client = client
        for stream in self._followers:
            last = await newest(client, PIT, stream)
            self._sequences[stream] = int(last[1][b"sequence"]) if last else 0

    def take(self, stream: str, entries: Iterable[Raw]) -> None:
        """The next facts of a stream."""
        for entry in self._followers[stream].take(entries):
            table = self._tables.get(entry.event.table)
            if table is not None:
                self._fold(table, stream, entry.event)
        self._news.set()

    async def work(self) -> None:
        """Send what is due, for ever."""
        while True:
            self._news.clear()
            await self.send_due()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), _TICK_SECONDS)

    async def send_due(self) -> None:
        """Send what is due now, once the streams are read as far as they went when this began."""
        if all(follower.sequence >= self._sequences[name] for name, follower in self._followers.items()):
            for table in self._tables.values():
                await self._send_wagers(table)
                await self._send_request(table)

    def _fold(self, table: Table, stream: str, event: Any) -> None:
        before = (table.play.round, table.play.round_is, table.books.round, table.books.books_are)
        if stream == "cards":
            table.play = play_after(table.play, event)
        else:
            table.books = books_after(table.books, event)
        if before != (table.play.round, table.play.round_is, table.books.round, table.books.books_are):
            table.since_seconds = max(table.since_seconds, time.monotonic())

    async def _send_wagers(self, table: Table) -> None:
        play, waited_seconds = table.play, time.monotonic() - table.since_seconds
        if not betting_is_open(play, table.books):
            return
        if table.wagers_of != play.round:
            table.wagers_of, table.wagers_sent = play.round, 0
        wagers = wagers_of_round(
            seed=self._seed,
            table=play.table,
            shoe_number=play.shoe_number,
            round_number=play.round_number,
            limits=limits_of(play.table),
        )
        share = 1.0 if self._pace.closes_when_answered else waited_seconds / self._pace.betting_seconds
        due = [wager for wager in wagers if wager.moment <= share][table.wagers_sent :]
        if due:
            async with self._client.pipeline(transaction=False) as pipeline:
                for wager in due:
                    pipeline.xadd(pit_key(PIT, "wagers"), _entry(wager.request, wager.id, BETTORS))
                await pipeline.execute()
            table.wagers_sent += len(due)

    async def _send_request(self, table: Table) -> None:
        now_seconds = time.monotonic()
        rounds = None if self._rounds is None else self._rounds.get(table.play.table, 0)
        step = next_step(
            table.play,
            table.books,
            pace=self._pace,
            waited_seconds=now_seconds - table.since_seconds,
            rounds=rounds,
        )
        if step is None:
            return
        about = (step, table.play.round)
        request_id = identity(step, table.play, table.books)
        sent = table.sent
        # What was just refused is not asked for again at once.
        if sent is not None and sent.about == about and now_seconds - sent.at_seconds < RESEND_SECONDS:
            return
        if sent is None or sent.id != request_id:
            wagers_through = await self._last_wager() if step == "close betting" else "0-0"
            entry = _entry(request_for(step, table.play, wagers_through=wagers_through), request_id, CONSOLE)
        else:
            entry = sent.entry
        await self._client.xadd(pit_key(PIT, "console"), entry)
        table.sent = Sent(request_id, about, entry, now_seconds)

    async def _last_wager(self) -> str:
        last = await newest(self._client, PIT, "wagers")
        return last[0].decode() if last else "0-0"


def _entry(request: Request, request_id: str, source: str) -> dict[Any, Any]:
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    parts = encode_request(request, id=request_id, source=source, time=now)
    return dict(zip(parts[::2], parts[1::2], strict=True))
