"""A proxy before a server that holds one command, and all behind it, back for a while."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

HELD_SECONDS: Final = 0.2
_READ_BYTES: Final = 65_536


@asynccontextmanager
async def holding_back(port: int, command: bytes) -> AsyncIterator[int]:
    """The port of a proxy for a server; each command that begins with these bytes (in RESP) is passed on late."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
        replies = asyncio.create_task(_copy(server_reader, writer))
        while data := await reader.read(_READ_BYTES):
            before, held, behind = data.partition(command)
            server_writer.write(before)
            await server_writer.drain()
            if held:
                await asyncio.sleep(HELD_SECONDS)
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

    proxy = await asyncio.start_server(serve_until_broken, "127.0.0.1", 0)
    try:
        yield proxy.sockets[0].getsockname()[1]
    finally:
        proxy.close()
