"""One table's requests out and facts in, for a floor program that does one thing after another."""

import asyncio
import uuid
from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final, Self

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from schemas.codec import Undecodable, encode_request
from schemas.events import Event, Request
from schemas.facts import RequestRefused
from schemas.streams import EVENTS, REQUEST_STREAMS, pit_key
from services.floor.pit_client import BrokenChain, Follower, Raw, newest

ANSWER_SECONDS: Final = 10
BLOCK_MILLISECONDS: Final = 1_000
READ_COUNT: Final = 1_000
# In this order: a round's end is then heard before its settlement, though they stand on two streams.
FOLLOWED: Final = ("cards", "calls", "bets")


class FloorError(Exception):
    """The services or the server cannot be worked with: the message says why, in one line."""


class TableStreams:
    """The streams of a pit, as one table's console and electronic shoe use them. An asynchronous context manager."""

    def __init__(self, redis_url: str, pit: str, table: str) -> None:
        self.table = table
        self._pit = pit
        self._source = f"/baccarat/{pit}/floor/{table}"
        self._followers = [Follower(pit, stream) for stream in FOLLOWED]
        self._requests: list[tuple[str, list[bytes]]] = []
        self._heard: deque[Event] = deque()
        self._last = "the first request"
        try:
            # A silent second try could write a request twice; a lost reply is an error here.
            self._client = Redis.from_url(
                redis_url, protocol=2, retry=Retry(NoBackoff(), 0), socket_timeout=None, driver_info=None
            )
        except ValueError as error:
            raise FloorError(f"the server's URL: {error}") from None

    async def __aenter__(self) -> Self:
        """Connect and note where the streams end; what comes after that is heard."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                for follower in self._followers:
                    last = await newest(self._client, self._pit, follower.stream)
                    _follow(follower, [last] if last else [])
        except TimeoutError:
            await self._client.aclose()
            raise FloorError(f"the server did not answer within {ANSWER_SECONDS} s") from None
        except BaseException:
            await self._client.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    def ask(self, request: Request) -> None:
        """Send a request with the next read; its identity is a new UUID."""
        now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        stream = next(name for name in REQUEST_STREAMS if type(request) in EVENTS[name])
        entry = encode_request(request, id=str(uuid.uuid4()), source=self._source, time=now)
        self._requests.append((pit_key(self._pit, stream), entry))

    async def hear(self) -> Event:
        """The table's next fact. FloorError where none comes in time, a chain is broken, or a request was refused."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while not self._heard:
                    await self._read()
        except TimeoutError:
            raise FloorError(f"the services gave no answer within {ANSWER_SECONDS} s after {self._last}") from None
        fact = self._heard.popleft()
        if isinstance(fact, RequestRefused):
            raise FloorError(f"{fact.request_type} was refused: {fact.reason}: {fact.detail}")
        self._last = fact.type
        return fact

    async def _read(self) -> None:
        """Write what was asked for and read, in one go."""
        pipeline = self._client.pipeline(transaction=False)
        for key, entry in self._requests:
            pipeline.execute_command("XADD", key, "*", *entry)
        self._requests = []
        positions: Any = {follower.key: follower.last_id for follower in self._followers}
        pipeline.xread(positions, count=READ_COUNT, block=BLOCK_MILLISECONDS)
        *_, answer = await pipeline.execute()
        found: dict[bytes, list[Raw]] = dict(answer or ())
        for follower in self._followers:
            facts = _follow(follower, found.get(follower.key.encode(), []))
            self._heard.extend(fact for fact in facts if fact.table == self.table)


def _follow(follower: Follower, entries: Iterable[Raw]) -> list[Event]:
    try:
        return [entry.event for entry in follower.take(entries)]
    except (BrokenChain, Undecodable) as error:
        raise FloorError(str(error)) from None
