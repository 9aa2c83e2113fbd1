"""The demo floor: a dealer's console and bettors, as a FastStream app that speaks only through the streams.

Two subscribers follow `cards` and `bets` from their beginning; when both have come to the end they had at the start,
one task asks for what comes next. Whatever goes wrong ends the process: started again it reads the streams and goes on.
"""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
import uvloop
from faststream import AckPolicy, FastStream
from faststream.redis import RedisBroker, StreamSub
from faststream.redis.message import FAKE_CONSUMER, RedisBatchStreamMessage
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from schemas.streams import pit_key
from services.floor.demo.dealer import FLAT_OUT, FOR_PEOPLE, PIT
from services.floor.demo.sender import Demo
from services.floor.pit_client import Raw

# The client's own time-out is 5 s: a longer block would look like a dead connection to it.
_READ_AT_ONCE: Final = 256
_BLOCK_MILLISECONDS: Final = 2_000


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The demo's settings: the environment variables of these names, in capitals.

    `demo_rounds`: flat out until each table has so many settled rounds, as JSON; without it at a pace for people.
    """

    redis_url: str
    demo_seed: str = "demo"
    demo_rounds: dict[str, int] | None = None


def read_settings() -> Settings:
    """The settings of this environment."""
    names = {name: name.upper() for name in Settings.__struct_fields__}
    given: dict[str, Any] = {name: os.environ[variable] for name, variable in names.items() if variable in os.environ}
    if "demo_rounds" in given:
        given["demo_rounds"] = msgspec.json.decode(given["demo_rounds"])
    return msgspec.convert(given, Settings)


def application(settings: Settings) -> tuple[FastStream, "asyncio.Future[None]"]:
    """The app, and what becomes of it: a future with the exception that ended it, if one did."""
    broker = RedisBroker(
        settings.redis_url,
        retry=Retry(ExponentialBackoff(cap=1, base=0.01), 10),
        apply_types=False,
        # Nothing below a warning: a line for each batch read would be all there is in the log.
        logger=logging.getLogger(__name__),
        graceful_timeout=1.0,
    )
    app = FastStream(broker, logger=None)
    pace = FOR_PEOPLE if settings.demo_rounds is None else FLAT_OUT
    demo = Demo(pace=pace, seed=settings.demo_seed, rounds=settings.demo_rounds)
    outcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    tasks: list[asyncio.Task[None]] = []

    async def or_exit(work: Awaitable[None]) -> None:
        # A subscriber swallows what its handler raises; here it must end the process.
        try:
            await work
        except Exception as error:
            if not outcome.done():
                outcome.set_exception(error)
            app.exit()

    def follow(stream: str) -> None:
        async def take(entries: list[Raw]) -> None:
            demo.take(stream, entries)

        async def handle(entries: list[Raw]) -> None:
            await or_exit(take(entries))

        subscribe(broker, stream, handle)

    for stream in ("cards", "bets"):
        follow(stream)

    @app.on_startup
    async def connect() -> None:
        await demo.connect(await broker.connect())

    @app.after_startup
    async def start() -> None:
        tasks.append(asyncio.create_task(or_exit(demo.work())))

    @app.on_shutdown
    async def stop() -> None:
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        if not outcome.done():
            outcome.set_result(None)

    return app, outcome


def subscribe(broker: RedisBroker, stream: str, handle: Callable[[list[Raw]], Awaitable[None]]) -> None:
    """Let `handle` have every entry of a stream from its beginning, with its id and its plain fields."""

    # FastStream tells a custom parser from a wrapper of its own by the number of arguments: one is a parser.
    async def parse(message: Any) -> RedisBatchStreamMessage:
        return RedisBatchStreamMessage(raw_message=message, body=b"", consumer=FAKE_CONSUMER, group=None)

    async def decode(message: Any) -> list[Raw]:
        raw = message.raw_message
        return list(zip(raw["message_ids"], raw["data"], strict=True))

    sub = StreamSub(
        pit_key(PIT, stream),
        batch=True,
        last_id="0-0",
        max_records=_READ_AT_ONCE,
        polling_interval=_BLOCK_MILLISECONDS,
    )
    broker.subscriber(stream=sub, parser=parse, decoder=decode, ack_policy=AckPolicy.MANUAL)(handle)


async def _run() -> None:
    app, outcome = application(read_settings())
    await app.run()
    await outcome


def main() -> int:
    """Run the demo floor of this environment's settings until it is told to end."""
    uvloop.run(_run())
    return 0


if __name__ == "__main__":
    sys.exit(main())
