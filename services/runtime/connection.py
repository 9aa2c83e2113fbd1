"""The one place that talks to Redis on the draw path: one pinned connection a pit, commit and next read in one write.

redis-py's client would retry, pool and time out behind our back; its bare connection does none of that. Whatever goes
wrong closes it, and the pit is loaded anew on another one.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from schemas.streams import Stream, cursor_key, pit_key, state_key
from services.runtime.service import Definition
from services.runtime.step import READ_COUNT, Snapshot

BLOCK_MILLISECONDS: Final = 1_000
# How long a reply may take beyond a blocking read before the server counts as silent.
SILENCE_SECONDS: Final = BLOCK_MILLISECONDS / 1_000 + 2
CONNECT_SECONDS: Final = 2.0


class Conflict(Exception):
    """The commit was refused: another process has committed, or the history is another one. Nothing was written."""


class PitConnection:
    """A pit's commands on one connection. `waiting_since` is what the watchdog looks at."""

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
        }
        self._connection = connection_class(**options)
        self._pit = pit
        self._definition = definition
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
        count = _bulk(b"XREAD", b"COUNT", b"%d" % READ_COUNT)
        self._read_start = b"*%d\r\n" % (4 + 2 * len(inputs)) + count + streams
        self._block_start = (
            b"*%d\r\n" % (6 + 2 * len(inputs)) + count + _bulk(b"BLOCK", b"%d" % BLOCK_MILLISECONDS) + streams
        )

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

    async def load(self) -> tuple[dict[bytes, bytes], dict[bytes, bytes], frozenset[str]]:
        """Cursor, state, quarantined tables. The cursor first: a commit in between becomes a conflict then."""
        cursor = await self.call("HGETALL", cursor_key(self._pit, self._definition.name))
        state = await self.call("HGETALL", state_key(self._pit, self._definition.name))
        return _pairs(cursor), _pairs(state), await self.quarantined()

    async def quarantined(self) -> frozenset[str]:
        """The tables that an administrator set aside."""
        rows = await self.call("HGETALL", pit_key(self._pit, "quarantine"))
        return frozenset(table.decode(errors="replace") for table in _pairs(rows))

    async def end_of(self, stream: Stream) -> str:
        """The id of a stream's last entry."""
        entries = await self.call("XREVRANGE", pit_key(self._pit, stream), "+", "-", "COUNT", "1")
        return cast(str, entries[0][0].decode()) if entries else "0-0"

    async def send(
        self, commit: Sequence[bytes] | None, positions: Mapping[Stream, str] | None, *, block: bool = True
    ) -> None:
        """Write a commit, a read from these positions, or both at once; the replies come in that order."""
        packed = b""
        if commit is not None:
            packed = b"*%d\r\n%b%b" % (self._commit_size + len(commit), self._commit_start, _bulk(*commit))
        if positions is not None:
            ids = _bulk(*(positions[stream].encode() for stream in self._definition.inputs))
            packed += (self._block_start if block else self._read_start) + ids
        await self._write(packed)

    async def committed(self) -> None:
        """The reply of a commit; raises Conflict."""
        reply = await self._reply()
        if reply[0] != b"OK":
            raise Conflict(reply[1].decode())

    async def read(self) -> Snapshot:
        """The reply of a read: entries of the streams that have new ones."""
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


def _pairs(flat: Sequence[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


async def wait(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, so many seconds at most; returns whether it is set."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True
