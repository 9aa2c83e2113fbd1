"""Following streams of facts: each entry decoded, and checked to continue the one before it (sequence and chain)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from schemas import codec
from schemas.streams import pit_key

PAGE_ENTRIES: Final = 1_000

Raw = tuple[bytes, dict[bytes, bytes]]


class BrokenChain(Exception):
    """A fact does not continue the one that was read before it: the stream forked, was trimmed or was changed."""


class Follower:
    """A reader's place in one stream of facts. A stream trimmed before the first reading is taken as it comes."""

    def __init__(self, pit: str, stream: str) -> None:
        self.stream = stream
        self.key = pit_key(pit, stream)
        self.last_id = "0-0"
        self.sequence = 0
        self._chain = codec.CHAIN_START

    def take(self, entries: Iterable[Raw]) -> list[codec.Entry]:
        """The next entries, decoded and checked. Raises BrokenChain, Undecodable."""
        return [self._next(entry_id.decode(), fields) for entry_id, fields in entries]

    def _next(self, entry_id: str, fields: Mapping[bytes, bytes]) -> codec.Entry:
        entry = codec.decode(self.stream, entry_id, [part for pair in fields.items() for part in pair])
        chain = fields[b"chain"].decode()
        starts = self.sequence == 0 and entry.sequence > 1
        if not starts and (entry.sequence != self.sequence + 1 or codec.chain_of(dict(fields), self._chain) != chain):
            raise BrokenChain(f"{self.stream}/{entry_id} does not continue {self.stream}/{self.last_id}")
        self.last_id, self.sequence, self._chain = entry_id, entry.sequence, chain
        return entry


def reader(url: str) -> Redis:
    """A client for reading only: it may try again for a minute, as long as a server may take to come back."""
    return Redis.from_url(url, retry=Retry(ExponentialBackoff(cap=1, base=0.01), 60))


async def read_page(client: Redis, follower: Follower, *, wait_milliseconds: int | None = None) -> list[codec.Entry]:
    """The next entries of one stream, at most a page of them; with a time to wait it waits for the first."""
    return [entry for _, entry in await read(client, (follower,), wait_milliseconds=wait_milliseconds)]


async def read(
    client: Redis, followers: Sequence[Follower], *, wait_milliseconds: int | None = None
) -> list[tuple[str, codec.Entry]]:
    """The next entries of several streams, stream by stream, each with its `time`."""
    keys: Any = {follower.key: follower.last_id for follower in followers}
    answer = cast(
        "list[tuple[bytes, list[Raw]]] | None",
        await client.xread(keys, count=PAGE_ENTRIES, block=wait_milliseconds),
    )
    found = {key.decode(): raw for key, raw in answer or ()}
    return [
        (fields[b"time"].decode(), entry)
        for follower in followers
        for raw in [found.get(follower.key, [])]
        for (_, fields), entry in zip(raw, follower.take(raw), strict=True)
    ]


async def newest(client: Redis, pit: str, stream: str) -> Raw | None:
    """The last entry of a stream, if it has one."""
    answer = cast("list[Raw]", await client.xrevrange(pit_key(pit, stream), count=1))
    return answer[0] if answer else None
