"""The one place that talks to Redis on the draw path: one pinned connection a pit, commit and next read in one write.

redis-py's client would retry, pool and time out behind our back; its bare connection does none of that. Whatever goes
wrong closes it, and the pit is loaded anew on another one.

Anybody who may write a request may write a huge one. So a new connection reads one entry of each stream, and twice as
many at each further read while the replies stay small; a reply that grows too large is not held but breaks the
connection. What one read of one entry could not take is found by `oversize` before the first read.
"""

import asyncio
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, cast

from redis._parsers import _AsyncHiredisParser
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from schemas.streams import REQUEST_STREAMS, Stream, cursor_key, pit_key, state_key
from services.runtime.failures import Conflict, ReplyTooLarge
from services.runtime.service import Definition
from services.runtime.step import READ_COUNT, Snapshot

BLOCK_MILLISECONDS: Final = 500
# How long a reply may take before the server counts as silent; longer than a read blocks.
SILENCE_SECONDS: Final = 3.0
CONNECT_SECONDS: Final = 2.0
# An entry up to this size is read, whatever is in it. Four streams' entries of this size fit into one reply.
ENTRY_READ_BYTES_MAX: Final = 4 * 2**20
REPLY_BYTES_MAX: Final = 4 * ENTRY_READ_BYTES_MAX + 2**20
# Up to this size of a reply the next read asks for more entries, above it for fewer.
REPLY_BYTES_WANTED: Final = 2 * 2**20
_COUNTS: Final = tuple(2**power for power in range(READ_COUNT.bit_length()))


class Oversize(NamedTuple):
    """The next entry of a stream, which is too large to be read; of its content only the type is known."""

    stream: Stream
    entry_id: str
    event_type: str
    size_bytes: int


class Loss(NamedTuple):
    """Entries of a request stream that were removed unread.

    `more`: so many more were added than taken; below 0 it is not known how many are lost.
    `begun_again`: its ids lie below the position, so that nothing of it would ever be read.
    """

    stream: Stream
    more: int
    begun_again: bool


class Loaded(NamedTuple):
    """What stands on the server of a pit: cursor and state, the tables set aside, the newest fact of the own stream."""

    cursor: dict[bytes, bytes]
    state: dict[bytes, bytes]
    quarantined: frozenset[str]
    newest_fact: dict[bytes, bytes]


class _BoundedParser(_AsyncHiredisParser):
    """redis-py's parser, counting the bytes of what it reads: the server has no bound for one entry."""

    __slots__ = ("bytes_max", "received_bytes")

    def __init__(self, socket_read_size: int) -> None:
        super().__init__(socket_read_size)
        self.received_bytes = 0
        self.bytes_max: float = math.inf

    async def read_from_socket(self) -> Literal[True]:
        assert self._stream is not None
        buffer = await self._stream.read(self._read_size)
        if not buffer:
            raise RedisConnectionError("the server has closed the connection")
        self.received_bytes += len(buffer)
        if self.received_bytes > self.bytes_max:
            raise ReplyTooLarge(f"a reply of over {self.bytes_max} bytes")
        self._reader.feed(buffer)  # type: ignore[attr-defined] # hiredis' reader, which redis-py leaves untyped
        return True


class PitConnection:
    """A pit's commands on one connection.

    `waiting_since` is what the watchdog looks at; `count` how many entries of a stream the last read asked for.
    """

    def __init__(self, url: str, pit: str, definition: Definition[Any]) -> None:
        options: dict[str, Any] = dict(parse_url(url))
        connection_class: type[AbstractConnection] = options.pop("connection_class", Connection)
        # Ours win over what the address says: see the module's head.
        options |= {
            "protocol": 2,
            "driver_info": None,
            "socket_timeout": None,
            "socket_connect_timeout": CONNECT_SECONDS,
            "retry": Retry(NoBackoff(), 0),
            "parser_class": self._make_parser,
        }
        self._connection = connection_class(**options)
        self.count = 0
        # Each request stream's length and where it was read to, when nothing was lost: the same again needs no look.
        self._kept: dict[Stream, tuple[int, tuple[str, int]]] = {}
        self._pit = pit
        self._definition = definition
        self._quarantine = pit_key(pit, "quarantine")
        self.waiting_since: float | None = None
        inputs = [pit_key(pit, stream) for stream in definition.inputs]
        self._stream_of_key = {key.encode(): stream for key, stream in zip(inputs, definition.inputs, strict=True)}
        keys = [
            cursor_key(pit, definition.name),
            state_key(pit, definition.name),
            pit_key(pit, definition.output),
            pit_key(pit, "rejects"),
            *inputs,
        ]
        # Most of every command never changes; packing it anew was a seventh of the services' CPU.
        self._commit_start = _bulk(b"FCALL", b"commit_v1", b"%d" % len(keys), *(key.encode() for key in keys))
        self._commit_size = 3 + len(keys)
        streams = _bulk(b"STREAMS", *(key.encode() for key in inputs))
        blocking = _bulk(b"BLOCK", b"%d" % BLOCK_MILLISECONDS)
        self._read_starts: dict[tuple[int, bool], bytes] = {}
        for count in _COUNTS:
            start = _bulk(b"XREAD", b"COUNT", b"%d" % count)
            self._read_starts[count, False] = b"*%d\r\n%b%b" % (4 + 2 * len(inputs), start, streams)
            self._read_starts[count, True] = b"*%d\r\n%b%b%b" % (6 + 2 * len(inputs), start, blocking, streams)

    def _make_parser(self, socket_read_size: int) -> _BoundedParser:
        self._parser = _BoundedParser(socket_read_size)
        return self._parser

    async def open(self) -> None:
        """Connect; raises what redis-py raises."""
        self.waiting_since = time.monotonic()
        await self._connection.connect()  # type: ignore[no-untyped-call] # redis-py leaves it untyped
        self.waiting_since = None

    async def close(self) -> None:
        """Close without waiting for anybody."""
        await self._connection.disconnect(nowait=True)

    def abort(self) -> None:
        """Break the connection under whoever waits for a reply: closing properly would wait for a silent server."""
        # redis-py has no public way to drop a connection at once.
        writer = self._connection._writer
        if writer is not None:
            writer.transport.abort()

    async def call(self, *command: str) -> Any:
        """One command and its reply."""
        await self._write(b"".join(self._connection.pack_command(*command)))
        return await self._reply()

    async def load(self) -> Loaded:
        """All that a pit is loaded from, at one instant: a commit in between would tear it apart."""
        cursor, state = cursor_key(self._pit, self._definition.name), state_key(self._pit, self._definition.name)
        commands = (
            ("MULTI",),
            *(("HGETALL", key) for key in (cursor, state, self._quarantine)),
            ("XREVRANGE", pit_key(self._pit, self._definition.output), "+", "-", "COUNT", "1"),
            ("EXEC",),
        )
        await self._write(b"".join(self._connection.pack_commands(commands)))
        for _ in commands[:-1]:
            await self._reply()
        found = await self._reply()
        for reply in found:
            if isinstance(reply, ResponseError):
                raise reply
        newest = _pairs(found[3][0][1]) if found[3] else {}
        return Loaded(_pairs(found[0]), _pairs(found[1]), _tables(found[2]), newest)

    async def version(self) -> str:
        """The version of the last commit, empty before the first."""
        found: bytes | None = await self.call("HGET", cursor_key(self._pit, self._definition.name), "version")
        return (found or b"").decode()

    async def quarantined(self) -> frozenset[str]:
        """The tables that an administrator set aside."""
        return _tables(await self.call("HGETALL", self._quarantine))

    async def oversize(self, positions: Mapping[Stream, str]) -> list[Oversize]:
        """The streams' next entries, as far as they are too large to be read."""
        inputs = self._definition.inputs
        keys = [pit_key(self._pit, stream) for stream in inputs]
        ids = [positions[stream] for stream in inputs]
        found = await self.call("FCALL_RO", "oversize_v1", str(len(keys)), *keys, *ids, str(ENTRY_READ_BYTES_MAX))
        return [
            Oversize(inputs[number - 1], entry_id.decode(), event_type.decode(errors="replace"), size_bytes)
            for number, entry_id, event_type, size_bytes in found
        ]

    async def losses(self, positions: Mapping[Stream, str], taken: Mapping[Stream, int]) -> list[Loss]:
        """The request streams of which entries were removed before they were read."""
        streams = [stream for stream in self._definition.inputs if stream in REQUEST_STREAMS]
        if not streams:
            return []
        keys = [pit_key(self._pit, stream) for stream in streams]
        known: list[str] = []
        for stream in streams:
            state = (positions[stream], taken[stream])
            length, kept = self._kept.get(stream, (-1, None))
            known += (*map(str, state), str(length) if kept == state else "")
        rows = await self.call("FCALL_RO", "lost_v1", str(len(keys)), *keys, *known)
        losses = []
        for stream, (length, kind, more) in zip(streams, rows, strict=True):
            if kind == b"kept":
                self._kept[stream] = (length, (positions[stream], taken[stream]))
            else:
                losses.append(Loss(stream, more, kind == b"begun_again"))
        return losses

    async def end_of(self, stream: Stream) -> str:
        """The id of a stream's last entry, which may be too large to be read."""
        return cast(str, (await self.call("FCALL_RO", "last_id_v1", "1", pit_key(self._pit, stream))).decode())

    async def send(
        self, commit: Sequence[bytes] | None, positions: Mapping[Stream, str] | None, *, block: bool = True
    ) -> None:
        """Write a commit, a read from these positions, or both at once; the replies come in that order."""
        packed = b""
        if commit is not None:
            packed = b"*%d\r\n%b%b" % (self._commit_size + len(commit), self._commit_start, _bulk(*commit))
        if positions is not None:
            ids = _bulk(*(positions[stream].encode() for stream in self._definition.inputs))
            if block:  # a second look at the same instant asks for no more than the first
                self.count = self._next_count()
            packed += self._read_starts[self.count, block] + ids
            self._parser.received_bytes = 0
            self._parser.bytes_max = REPLY_BYTES_MAX
        await self._write(packed)

    def _next_count(self) -> int:
        if not self.count:
            return 1
        if self._parser.received_bytes > REPLY_BYTES_WANTED:
            return max(1, self.count // 2)
        return min(2 * self.count, READ_COUNT)

    async def committed(self) -> None:
        """The reply of a commit; raises Conflict."""
        reply = await self._reply()
        if reply[0] != b"OK":
            raise Conflict(reply[1].decode())

    async def read(self) -> Snapshot:
        """The reply of a read: entries of the streams that have new ones. Raises ReplyTooLarge."""
        reply = await self._reply()
        return {
            self._stream_of_key[key]: [(entry_id.decode(), pairs) for entry_id, pairs in entries]
            for key, entries in reply or ()
        }

    async def _write(self, packed: bytes) -> None:
        # Counts as waiting too: a server that hangs reads nothing, and a large commit does not fit into the buffers.
        self.waiting_since = time.monotonic()
        await self._connection.send_packed_command(packed, check_health=False)

    async def _reply(self) -> Any:
        self.waiting_since = time.monotonic()
        reply = await self._connection.read_response(disable_decoding=True)
        self.waiting_since = None
        return reply


def _bulk(*parts: bytes) -> bytes:
    return b"".join([b"$%d\r\n%b\r\n" % (len(part), part) for part in parts])


def _tables(flat: Sequence[bytes]) -> frozenset[str]:
    return frozenset(table.decode(errors="replace") for table in _pairs(flat))


def _pairs(flat: Sequence[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


async def wait(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, so many seconds at most; returns whether it is set."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True
