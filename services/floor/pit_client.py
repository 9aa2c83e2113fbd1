"""How floor programs speak to a pit: they write requests, follow facts and wait for answers.

Every fact is checked when it is read: it must continue the fact before it in its stream (sequence and chain).
"""

import asyncio
import contextlib
import uuid
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, Self

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff, NoBackoff

from schemas import codec
from schemas.events import Event, Request
from schemas.facts import RequestRefused
from schemas.streams import EVENTS, READS, REQUEST_STREAMS, Service, cursor_key, pit_key

ANSWER_SECONDS: Final = 10.0
PAGE_ENTRIES: Final = 1_000
# One read may bring a round's end and its settlement. In this order the end comes first.
FOLLOWED: Final = ("cards", "calls", "bets")
START: Final = "0-0"
_WAIT_MILLISECONDS: Final = 1_000
_PATIENT_TRIES: Final = 60

Raw = tuple[bytes, dict[bytes, bytes]]


class PitError(Exception):
    """The services or the server cannot be worked with. The message says why, in one line."""


class BrokenChain(PitError):
    """A fact does not continue the fact before it: the stream was forked, trimmed or changed."""


class Outgoing(NamedTuple):
    """An entry to write: its stream, and its fields as name, value, name, value."""

    stream: str
    pairs: Sequence[bytes]


class ReadFact(NamedTuple):
    """A fact as it was read: decoded, and with the plain fields of its entry."""

    entry: codec.Entry
    fields: Mapping[bytes, bytes]

    @property
    def event(self) -> Event:
        """What the fact says."""
        return self.entry.event

    @property
    def time(self) -> str:
        """When its service wrote it."""
        return self.fields[b"time"].decode()


def time_now() -> str:
    """The time as entries write it: RFC 3339, UTC, with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def outgoing(request: Request, *, id: str, source: str) -> Outgoing:
    """The entry of a request, for the stream that takes requests of its type."""
    stream = next(name for name in REQUEST_STREAMS if type(request) in EVENTS[name])
    return Outgoing(stream, codec.encode_request(request, id=id, source=source, time=time_now()))


@contextlib.asynccontextmanager
async def answer_time(after: str) -> AsyncIterator[None]:
    """Raise PitError when the body takes longer than an answer may take. `after`: what was sent or read last."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            yield
    except TimeoutError:
        raise PitError(f"the services gave no answer within {ANSWER_SECONDS:g} s after {after}") from None


class Follower:
    """A reader's place in one stream of facts.

    The first entry that it reads may have any sequence, because older entries may have been trimmed.
    """

    def __init__(self, pit: str, stream: str) -> None:
        self.stream = stream
        self.key = pit_key(pit, stream)
        self.last_id = START
        self._sequence = 0
        self._chain = codec.CHAIN_START

    def take(self, entries: Iterable[Raw]) -> list[ReadFact]:
        """The next entries, decoded and checked. Raises PitError."""
        return [self._next(entry_id.decode(), fields) for entry_id, fields in entries]

    def _next(self, entry_id: str, fields: Mapping[bytes, bytes]) -> ReadFact:
        try:
            entry = codec.decode(self.stream, entry_id, [part for pair in fields.items() for part in pair])
        except codec.Undecodable as error:
            raise PitError(str(error)) from None
        chain = fields[b"chain"].decode()
        is_first = self._sequence == 0 and entry.sequence > 1
        if not is_first and (
            entry.sequence != self._sequence + 1 or codec.chain_of(dict(fields), self._chain) != chain
        ):
            raise BrokenChain(f"{self.stream}/{entry_id} does not continue {self.stream}/{self.last_id}")
        self.last_id, self._sequence, self._chain = entry_id, entry.sequence, chain
        return ReadFact(entry, fields)


class PitClient:
    """A connection to one pit. An asynchronous context manager.

    A patient client tries each command again for about a minute. That gives a server the time to come back. Such a
    client may write an entry twice. So use it only where each request has a lasting identity: then a repeat changes
    nothing. For any other client a lost reply is an error.
    """

    def __init__(self, redis_url: str, pit: str, *, streams: Sequence[str] = FOLLOWED, patient: bool = False) -> None:
        self._pit = pit
        self._followers = [Follower(pit, stream) for stream in streams]
        self._unsent: list[Outgoing] = []
        self._unheard: deque[Event] = deque()
        self._last = "the first request"
        options: dict[str, Any] = (
            {"retry": Retry(ExponentialBackoff(cap=1, base=0.01), _PATIENT_TRIES)}
            if patient
            else {"retry": Retry(NoBackoff(), 0), "socket_timeout": None}
        )
        try:
            self._client: Any = Redis.from_url(redis_url, protocol=2, driver_info=None, **options)
        except ValueError as error:
            raise PitError(f"the server's URL: {error}") from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def write(self, *entries: Outgoing) -> list[str]:
        """Write these entries at once, and return their ids."""
        pipeline = self._client.pipeline(transaction=False)
        self._add(pipeline, entries)
        return [entry_id.decode() for entry_id in await pipeline.execute()]

    def ask(self, request: Request, *, source: str) -> None:
        """Send a request together with the next read, under a new identity."""
        self._unsent.append(outgoing(request, id=str(uuid.uuid4()), source=source))

    def _add(self, pipeline: Any, entries: Iterable[Outgoing]) -> None:
        for stream, pairs in entries:
            pipeline.execute_command("XADD", pit_key(self._pit, stream), "*", *pairs)

    async def skip_past(self) -> None:
        """Follow only the facts that are written from now on."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                for follower in self._followers:
                    follower.take(await self._client.xrevrange(follower.key, count=1))
        except TimeoutError:
            raise PitError(f"the server did not answer within {ANSWER_SECONDS:g} s") from None

    async def past(self) -> AsyncIterator[list[ReadFact]]:
        """All facts up to now, one stream after the other, page by page."""
        for follower in self._followers:
            while page := await self._read((follower,), None):
                yield page

    async def read(self, *, wait_milliseconds: int = _WAIT_MILLISECONDS) -> list[ReadFact]:
        """The next facts, stream by stream. When there are none yet, wait for the first."""
        return await self._read(self._followers, wait_milliseconds)

    async def _read(self, followers: Sequence[Follower], wait_milliseconds: int | None) -> list[ReadFact]:
        pipeline = self._client.pipeline(transaction=False)
        self._add(pipeline, self._unsent)
        self._unsent = []
        positions = {follower.key: follower.last_id for follower in followers}
        pipeline.xread(positions, count=PAGE_ENTRIES, block=wait_milliseconds)
        *_, answer = await pipeline.execute()
        found: dict[bytes, list[Raw]] = dict(answer or ())
        return [fact for follower in followers for fact in follower.take(found.get(follower.key.encode(), ()))]

    async def next_fact(self, table: str) -> Event:
        """The next fact about a table; facts about others are passed over.

        Raises PitError when none comes in time, and when the fact is a refusal.
        """
        async with answer_time(self._last):
            while True:
                while self._unheard:
                    fact = self._unheard.popleft()
                    if fact.table == table:
                        self._last = fact.type
                        if isinstance(fact, RequestRefused):
                            raise PitError(f"{fact.request_type} was refused: {fact.reason}: {fact.detail}")
                        return fact
                self._unheard.extend(fact.event for fact in await self.read())

    async def last_id(self, stream: str) -> str:
        """The id of a stream's last entry."""
        entries: list[Raw] = await self._client.xrevrange(pit_key(self._pit, stream), count=1)
        return entries[0][0].decode() if entries else START

    async def entries_after(self, stream: str, entry_id: str) -> list[Raw]:
        """The next entries of a stream that holds no facts."""
        answer = await self._client.xread({pit_key(self._pit, stream): entry_id}, count=PAGE_ENTRIES)
        found: dict[bytes, list[Raw]] = dict(answer or ())
        return found.get(pit_key(self._pit, stream).encode(), [])

    async def cursors(self, service: Service) -> dict[str, str]:
        """How far a service has come: for each stream that it reads, the id of the last entry that it has taken."""
        stored: dict[bytes, bytes] = await self._client.hgetall(cursor_key(self._pit, service))
        return {stream: stored.get(stream.encode(), START.encode()).decode() for stream in READS[service]}
