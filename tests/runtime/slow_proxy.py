"""A proxy before a server that holds one command, and all behind it, back until the test lets it go."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

_READ_BYTES: Final = 65_536


@dataclass
class Proxy:
    """The proxy's port, whether it holds a command, and whether it passes commands on."""

    port: int = 0
    holds: asyncio.Event = field(default_factory=asyncio.Event)
    lets_go: asyncio.Event = field(default_factory=asyncio.Event)


@asynccontextmanager
async def holding_back(port: int, command: bytes) -> AsyncIterator[Proxy]:
    """A proxy for a server: a command that begins with these bytes (in RESP) is passed on when `lets_go` is set."""
    proxy = Proxy()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
        replies = asyncio.create_task(_copy(server_reader, writer))
        while data := await reader.read(_READ_BYTES):
            before, held, behind = data.partition(command)
            server_writer.write(before)
            await server_writer.drain()
            if held:
                proxy.holds.set()
                await proxy.lets_go.wait()
                server_writer.write(held + behind)
        server_writer.close()
        await replies

    async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(_READ_BYTES):
            writer.write(data)
        writer.close()

    async def serve_until_broken(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        except OSError:  # one of the two ends has gone
            writer.close()

    listener = await asyncio.start_server(serve_until_broken, "127.0.0.1", 0)
    proxy.port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        proxy.lets_go.set()
        listener.close()
