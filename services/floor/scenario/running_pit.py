"""Scenarios through real streams: requests out, and all facts that follow until the services are quiet about a table.

Quiet is when each service's cursor is past everything about the scenario's tables that it reads. Cursors past entries
without effect are stored late, so questions about a table that nobody knows make the shoe and settlement store theirs:
the answers are facts. Rules are waited for only behind a card, which is all that they may answer.
"""

import asyncio
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Self

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from schemas.codec import Undecodable, encode_request
from schemas.requests import BetCancel, CutCardScan
from schemas.streams import READS, Service, cursor_key, pit_key
from services.floor.pit_client import BrokenChain, Follower, Raw, newest
from services.floor.replay.table_streams import FloorError
from services.floor.scenario.course import Course
from services.floor.scenario.matching import Heard, heard_fact, heard_reject

ANSWER_SECONDS: Final = 10
BLOCK_MILLISECONDS: Final = 20
READ_COUNT: Final = 1_000
# In this order a round's end is heard before its settlement when one read brings both.
FOLLOWED: Final = ("cards", "calls", "bets")
_ASKED_TO_ANSWER: Final = ("card.dealt", "card.opened", "card.found_face_up", "card.corrected", "table.released")


class ScenarioStreams:
    """The streams of a pit for one scenario after another. An asynchronous context manager."""

    def __init__(self, redis_url: str, pit: str) -> None:
        self._pit = pit
        self._followers = [Follower(pit, stream) for stream in FOLLOWED]
        self._rejects_to = "0-0"
        self._unknown = f"nobody-{uuid.uuid4().hex}"
        self._answers = 0
        self._news: list[Heard] = []
        self._sent: set[str] = set()
        # Per service and stream the last entry that it has to be past.
        self._wanted: dict[tuple[Service, str], str] = {}
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
                    follower.take([last] if last else [])
                last = await newest(self._client, self._pit, "rejects")
                self._rejects_to = last[0].decode() if last else "0-0"
        except (BrokenChain, Undecodable, TimeoutError) as error:
            await self._client.aclose()
            raise FloorError(str(error) or f"the server did not answer within {ANSWER_SECONDS} s") from None
        except BaseException:
            await self._client.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def run(self, course: Course) -> str | None:
        """Play a scenario; how it differs, or None. Its tables are closed in the end."""
        try:
            await self._play(course, course.batches())
        finally:
            await self._play(course, course.endings())
        return course.difference

    async def _play(self, course: Course, batches: Iterator[Iterator[Any]]) -> None:
        for batch in batches:
            what = "the first request"
            for sending in batch:
                entry = course.entry(sending, _now())
                entry_id = await self._write(sending.stream, entry)
                for service in READS:
                    if sending.stream in READS[service]:
                        self._wanted[service, sending.stream] = entry_id
                self._sent.add(f"{sending.stream}/{entry_id}")
                course.sent(sending, entry_id)
                what = sending.type
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self._until_quiet(course)
            except TimeoutError:
                raise FloorError(f"the services gave no answer within {ANSWER_SECONDS} s after {what}") from None
            heard, self._news = self._news, []
            course.hear(heard)

    async def _write(self, stream: str, entry: Sequence[bytes]) -> str:
        client: Any = self._client  # the client's own types leave out raw commands
        written = await client.execute_command("XADD", pit_key(self._pit, stream), "*", *entry)
        return str(written.decode())

    async def _until_quiet(self, course: Course) -> None:
        await self._ask()
        while True:
            behind = await self._behind()
            came = await self._read(course)
            if not behind and not came:
                return
            # What came meanwhile may have no effect on a service that is past it: ask until it says so.
            if self._answers >= len(_questions(self._unknown)) and behind - {"rules"}:
                await self._ask()

    async def _ask(self) -> None:
        self._answers = 0
        for stream, request in _questions(self._unknown):
            entry = encode_request(request, id=uuid.uuid4().hex, source=f"/scenario/{self._unknown}", time=_now())
            await self._write(stream, entry)

    async def _behind(self) -> set[Service]:
        """The services that have not stored that they are past all they should be."""
        found: set[Service] = set()
        for service in READS:
            cursor: Any = await self._client.hgetall(cursor_key(self._pit, service))
            for (name, stream), wanted in self._wanted.items():
                if name == service and _number(cursor.get(stream.encode(), b"0-0").decode()) < _number(wanted):
                    found.add(service)
        return found

    async def _read(self, course: Course) -> bool:
        """Hear what came; whether anything about the scenario did."""
        positions: Any = {follower.key: follower.last_id for follower in self._followers}
        rejects = pit_key(self._pit, "rejects")
        positions[rejects] = self._rejects_to
        answer: Any = await self._client.xread(positions, count=READ_COUNT, block=BLOCK_MILLISECONDS)
        found: dict[bytes, list[Raw]] = dict(answer or ())
        before = len(self._news)
        for follower in self._followers:
            self._hear(course, follower, found.get(follower.key.encode(), []))
        for entry_id, fields in found.get(rejects.encode(), []):
            self._rejects_to = entry_id.decode()
            reject = heard_reject(self._rejects_to, fields)
            if reject.causation in self._sent:
                self._news.append(reject)
        return len(self._news) > before

    def _hear(self, course: Course, follower: Follower, entries: Sequence[Raw]) -> None:
        try:
            taken = follower.take(entries)
        except (BrokenChain, Undecodable) as error:
            raise FloorError(str(error)) from None
        for entry, (_, fields) in zip(taken, entries, strict=True):
            self._answers += entry.event.table == self._unknown
            if entry.event.table not in course.tables:
                continue
            self._news.append(heard_fact(follower.stream, entry.entry_id, fields))
            for service in READS:
                if follower.stream in READS[service] and (service != "rules" or entry.type in _ASKED_TO_ANSWER):
                    self._wanted[service, follower.stream] = entry.entry_id


def _questions(table: str) -> tuple[tuple[str, Any], ...]:
    """On the streams that the shoe and settlement rank lowest: their answers come behind all else that was there."""
    return (
        ("scans", CutCardScan(table=table, shoe_number=1, ordinal=1)),
        ("wagers", BetCancel(table=table, shoe_number=1, round_number=1, bet_id="none", revision=0)),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _number(entry_id: str) -> tuple[int, int]:
    milliseconds, _, count = entry_id.partition("-")
    return int(milliseconds), int(count)
