"""Three ways to run rules and the shoe's end of the draw loop: the same step, entries and function, other I/O.

`ours` is the runtime. `pool` is redis-py's client with its pool in a plain loop. `faststream` is a stream subscriber
with a handler an entry, as FastStream's tutorial shows it; only a parser is added, for our entries are plain fields.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Protocol, cast

import uvloop
from faststream import FastStream
from faststream.redis import RedisBroker, RedisStreamMessage, StreamSub
from faststream.redis.message import FAKE_CONSUMER
from redis.asyncio import Redis

from schemas.streams import cursor_key, pit_key, state_key
from services.rules import core as rules
from services.runtime.connection import PitConnection
from services.runtime.cursor import START, read_cursor
from services.runtime.records import Records
from services.runtime.service import Definition
from services.runtime.step import Snapshot, Stepper
from services.shoe import core as shoe

SILENT: Final = logging.getLogger("silent")
SILENT.disabled = True
TIME: Final = "2026-01-01T00:00:00.000000Z"
RawEntry = tuple[str, Sequence[bytes]]


class NoMeter:
    """Measures nothing."""

    def read(self, *_: object) -> None:
        """Nothing."""

    def committed(self, *_: object) -> None:
        """Nothing."""


RULES: Final = Definition(name="rules", state=rules.State, decide=rules.decide, evolve=rules.evolve, meter=NoMeter())
SHOE: Final = Definition(
    name="shoe",
    state=shoe.State,
    decide=lambda state, entry: (),
    evolve=shoe.evolve,
    meter=NoMeter(),
)


def new_stepper(pit: str) -> Stepper[rules.State]:
    """The steps of rules in a pit where nothing has happened."""
    cursor = read_cursor({}, RULES.inputs)
    return Stepper(RULES, Records(rules.State), pit, cursor=cursor, states={}, quarantined=frozenset())


# --- rules, each way a process of its own ---------------------------------------------------------------------------


async def rules_ours(url: str, pit: str) -> None:
    """The runtime's connection: a commit and the next read leave in one write."""
    stepper = new_stepper(pit)
    connection = PitConnection(url, pit, RULES)
    await connection.open()
    await connection.send(None, stepper.positions)
    while True:
        take(stepper, await connection.read())
        if stepper.has_effect:
            await connection.send(stepper.seal(TIME), stepper.positions)
            await connection.committed()
            stepper.acknowledged()
        else:
            await connection.send(None, stepper.positions)


async def rules_pool(url: str, pit: str) -> None:
    """A plain loop: `xread`, decide, `fcall`."""
    stepper, client, key = new_stepper(pit), Redis.from_url(url), pit_key(pit, "cards")
    while True:
        reply = cast(Any, await client.xread({key: stepper.positions["cards"]}, count=256, block=1_000))
        for _, entries in reply:
            take(stepper, {"cards": [_raw(entry_id, fields) for entry_id, fields in entries]})
        if stepper.has_effect:
            await commit(client, RULES, pit, stepper.seal(TIME))
            stepper.acknowledged()


async def rules_faststream(url: str, pit: str) -> None:
    """A subscriber with a handler an entry."""
    stepper, broker = new_stepper(pit), RedisBroker(url, logger=SILENT)

    @broker.subscriber(stream=StreamSub(pit_key(pit, "cards"), last_id="0"), parser=parse)
    async def on_card(message: RedisStreamMessage) -> None:
        (entry_id,) = message.raw_message["message_ids"]
        take(stepper, {"cards": [_raw(entry_id, cast(Any, message.raw_message["data"]))]})
        if stepper.has_effect:
            await commit(await broker.connect(), RULES, pit, stepper.seal(TIME))
            stepper.acknowledged()

    await FastStream(broker).run()


# --- the shoe's end, in the measuring process -----------------------------------------------------------------------


class Shoe(Protocol):
    """Commits the cards of a round and reads the call that follows."""

    async def start(self) -> None:
        """Connect."""

    async def deal(self, arguments: Sequence[bytes]) -> tuple[float, bytes]:
        """Seconds from the commit's reply to the call read, and the call's data."""


class ShoeOurs:
    """The shoe's connection of the runtime."""

    def __init__(self, url: str, pit: str) -> None:
        self._connection = PitConnection(url, pit, SHOE)
        self._positions = dict.fromkeys(SHOE.inputs, START)

    async def start(self) -> None:
        """Connect."""
        await self._connection.open()

    async def deal(self, arguments: Sequence[bytes]) -> tuple[float, bytes]:
        """Commit and read in one write."""
        await self._connection.send(arguments, self._positions)
        await self._connection.committed()
        committed_at = time.perf_counter()
        while not (snapshot := await self._connection.read()):
            await self._connection.send(None, self._positions)
        read_at = time.perf_counter()
        ((entry_id, pairs),) = snapshot["calls"]
        self._positions["calls"] = entry_id
        return read_at - committed_at, pairs[pairs.index(b"data") + 1]


class ShoePool:
    """`fcall`, then `xread` over the shoe's four streams."""

    def __init__(self, url: str, pit: str) -> None:
        self._client, self._pit = Redis.from_url(url), pit
        self._positions: Any = {pit_key(pit, stream): START for stream in SHOE.inputs}

    async def start(self) -> None:
        """Connect."""
        await cast(Any, self._client.ping())

    async def deal(self, arguments: Sequence[bytes]) -> tuple[float, bytes]:
        """One command after the other."""
        await commit(self._client, SHOE, self._pit, arguments)
        committed_at = time.perf_counter()
        while not (reply := cast(Any, await self._client.xread(self._positions, count=256, block=1_000))):
            pass
        read_at = time.perf_counter()
        ((_, ((entry_id, fields),)),) = reply
        self._positions[pit_key(self._pit, "calls")] = entry_id
        return read_at - committed_at, fields[b"data"]


class ShoeFastStream:
    """A subscriber on the calls; `fcall` through the broker's client."""

    def __init__(self, url: str, pit: str) -> None:
        self._broker, self._pit = RedisBroker(url, logger=SILENT), pit
        self._calls: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        @self._broker.subscriber(stream=StreamSub(pit_key(pit, "calls"), last_id="0"), parser=parse)
        async def on_call(message: RedisStreamMessage) -> None:
            self._calls.put_nowait((time.perf_counter(), message.body))

    async def start(self) -> None:
        """Connect and subscribe."""
        await self._broker.start()

    async def deal(self, arguments: Sequence[bytes]) -> tuple[float, bytes]:
        """Commit, and wait for the handler."""
        await commit(await self._broker.connect(), SHOE, self._pit, arguments)
        committed_at = time.perf_counter()
        read_at, data = await self._calls.get()
        return read_at - committed_at, data


WAYS: Final[dict[str, tuple[Callable[[str, str], Awaitable[None]], Callable[[str, str], Shoe]]]] = {
    "ours": (rules_ours, ShoeOurs),
    "pool": (rules_pool, ShoePool),
    "faststream": (rules_faststream, ShoeFastStream),
}


async def parse(message: Any) -> RedisStreamMessage:
    """Plain fields for FastStream."""
    return RedisStreamMessage(
        raw_message=message,
        body=message["data"][b"data"],
        content_type="application/json",
        consumer=FAKE_CONSUMER,
        group=None,
    )


async def commit(client: "Redis", definition: Definition[Any], pit: str, arguments: Sequence[bytes]) -> None:
    """`commit_v1` through redis-py's client."""
    keys = [
        cursor_key(pit, definition.name),
        state_key(pit, definition.name),
        pit_key(pit, definition.output),
        pit_key(pit, "rejects"),
        *(pit_key(pit, stream) for stream in definition.inputs),
    ]
    reply = await cast(Any, client.fcall("commit_v1", len(keys), *cast(Any, (*keys, *arguments))))
    assert reply == [b"OK"], reply


def take(stepper: Stepper[rules.State], snapshot: Snapshot) -> None:
    """Decide; a bench that deals nonsense must not hang."""
    stepper.take(snapshot)
    if stepper.impassable is not None:
        raise stepper.impassable


def _raw(entry_id: bytes, fields: Mapping[bytes, bytes]) -> RawEntry:
    return entry_id.decode(), [part for pair in fields.items() for part in pair]


if __name__ == "__main__":
    uvloop.run(cast(Any, WAYS[sys.argv[1]][0](sys.argv[2], sys.argv[3])))
