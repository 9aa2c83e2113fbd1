"""A service as a FastStream app: start, probes, ownership of pits, and an end within three seconds."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import structlog
import uvloop
from aiohttp import web
from faststream import FastStream
from faststream.redis import RedisBroker
from redis.exceptions import RedisError

from services.runtime.logs import set_up_logs
from services.runtime.ownership import ANSWER_SECONDS, Ownership
from services.runtime.probes import serve
from services.runtime.service import Definition
from services.runtime.settings import Settings, SettingsError


def application(definition: Definition[Any], settings: Settings) -> FastStream:
    """The app of one service; its broker's client carries the heartbeat, its pits read by their own connections."""
    set_up_logs(settings.log_level)
    log = structlog.get_logger().bind(service=definition.name)
    broker = RedisBroker(settings.redis_url)
    app = FastStream(broker, logger=None)
    started: list[tuple[Ownership, web.AppRunner]] = []

    @app.after_startup
    async def start() -> None:
        client = await broker.connect()
        ownership = Ownership(definition, settings.redis_url, settings.pits)

        async def is_ready() -> bool:
            try:
                await asyncio.wait_for(client.ping(), ANSWER_SECONDS)
            except (RedisError, OSError, TimeoutError):
                return False
            return ownership.is_ready()

        try:
            runner = await serve(settings.http_host, settings.http_port, ownership.is_live, is_ready)
        except OSError as error:
            raise SettingsError(f"BACCARAT_HTTP_HOST, BACCARAT_HTTP_PORT: {error.strerror}") from None
        started.append((ownership, runner))
        ownership.start(client)
        log.info("started", replica=ownership.replica, source=source_digest(), http=str(runner.addresses))

    @app.on_shutdown
    async def stop() -> None:
        for ownership, runner in started:
            await ownership.stop(await broker.connect())
            await runner.cleanup()
        log.info("stopped")

    return app


def source_digest() -> str:
    """SHA-256 over the project's own source, cut to 12 hex digits: which code took a pit."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[2]
    for folder in ("schemas", "services"):
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def run(app: FastStream) -> None:
    """Run a service until SIGTERM or SIGINT."""
    uvloop.run(app.run())
