"""What the demo sends, and when: the dealer's requests and the bettors' wagers, decided by the facts read so far."""

import asyncio
import contextlib
import time
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from services.floor.books_of_table import Books, betting_is_open, books_after
from services.floor.demo.bettors import wagers_of_round
from services.floor.demo.dealer import Move, Pace, identity, next_move, request_for
from services.floor.demo.tables import PIT, TABLES, limits_of
from services.floor.pit_client import Outgoing, PitClient, ReadFact, outgoing
from services.floor.play_of_table import Play, play_after

CONSOLE: Final = f"/floor/{PIT}/console"
BETTORS: Final = f"/floor/{PIT}/bettors"
# A service that died is running again within a second. Its requests are not lost, and a repeat changes nothing.
RESEND_SECONDS: Final = 2.0
_TICK_SECONDS: Final = 0.1
_STAGGER_SECONDS: Final = 3.0


class Sent(msgspec.Struct, frozen=True):
    """The last request to a table: its identity, what it is about, its entry, and when it was sent."""

    id: str
    about: tuple[Move, tuple[int, int]]
    entry: Outgoing
    at_seconds: float


class ServedTable(msgspec.Struct):
    """One table: what its facts say, since when its round is as it is, and what was sent to it."""

    play: Play
    books: Books
    since_seconds: float
    sent: Sent | None = None
    wagers_of: tuple[int, int] = (0, 0)
    wagers_sent: int = 0


class Sender:
    """The dealer and the bettors of all tables. `rounds`: at how many settled rounds each table stops."""

    def __init__(self, client: PitClient, *, pace: Pace, seed: str, rounds: Mapping[str, int] | None) -> None:
        self._client = client
        self._pace = pace
        self._seed = seed
        self._rounds = rounds
        self._news = asyncio.Event()
        stagger_seconds = 0.0 if pace.closes_when_answered else _STAGGER_SECONDS
        self._tables = {
            name: ServedTable(Play(table=name), Books(table=name), time.monotonic() + number * stagger_seconds)
            for number, name in enumerate(TABLES)
        }

    async def work(self) -> None:
        """Read all facts up to now, then send what is due, for ever."""
        async for page in self._client.past():
            self.take(page)
        await asyncio.gather(self._follow(), self._send())

    def take(self, facts: Iterable[ReadFact]) -> None:
        """The next facts."""
        for fact in facts:
            table = self._tables.get(fact.event.table)
            if table is not None:
                _fold(table, fact)
        self._news.set()

    async def send_due(self) -> None:
        """Send what is due now."""
        for table in self._tables.values():
            await self._send_wagers(table)
            await self._send_request(table)

    async def _follow(self) -> None:
        while True:
            self.take(await self._client.read())

    async def _send(self) -> None:
        while True:
            self._news.clear()
            await self.send_due()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), _TICK_SECONDS)

    async def _send_wagers(self, table: ServedTable) -> None:
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
            await self._client.write(*(outgoing(wager.request, id=wager.id, source=BETTORS) for wager in due))
            table.wagers_sent += len(due)

    async def _send_request(self, table: ServedTable) -> None:
        now_seconds = time.monotonic()
        rounds = None if self._rounds is None else self._rounds.get(table.play.table, 0)
        move = next_move(
            table.play,
            table.books,
            pace=self._pace,
            waited_seconds=now_seconds - table.since_seconds,
            rounds=rounds,
        )
        if move is None:
            return
        about = (move, table.play.round)
        request_id = identity(move, table.play, table.books)
        sent = table.sent
        # This also keeps a request that was just refused from being sent again at once.
        if sent is not None and sent.about == about and now_seconds - sent.at_seconds < RESEND_SECONDS:
            return
        if sent is None or sent.id != request_id:
            wagers_through = await self._client.last_id("wagers") if move == "close betting" else "0-0"
            request = request_for(move, table.play, wagers_through=wagers_through)
            entry = outgoing(request, id=request_id, source=CONSOLE)
        else:
            entry = sent.entry
        await self._client.write(entry)
        table.sent = Sent(request_id, about, entry, now_seconds)


def _fold(table: ServedTable, fact: ReadFact) -> None:
    before = (table.play.round, table.play.round_is, table.books.round, table.books.books_are)
    if fact.entry.stream == "cards":
        table.play = play_after(table.play, fact.event)
    else:
        table.books = books_after(table.books, fact.event)
    if before != (table.play.round, table.play.round_is, table.books.round, table.books.books_are):
        table.since_seconds = max(table.since_seconds, time.monotonic())
