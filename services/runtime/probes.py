"""`GET /livez`, `/readyz`, `/metrics`: for the kubelet and Prometheus."""

from collections.abc import Awaitable, Callable

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from services.runtime.metrics import REGISTRY


async def serve(host: str, port: int, live: Callable[[], bool], ready: Callable[[], Awaitable[bool]]) -> web.AppRunner:
    """Serve until the runner is cleaned up; raises OSError when the port is taken.

    Live must not depend on Redis, or its failure would restart every replica; ready must.
    """

    async def livez(_: web.Request) -> web.Response:
        return _verdict(live())

    async def readyz(_: web.Request) -> web.Response:
        return _verdict(await ready())

    async def expose(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})

    application = web.Application()
    application.add_routes([web.get("/livez", livez), web.get("/readyz", readyz), web.get("/metrics", expose)])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError:
        await runner.cleanup()
        raise
    return runner


def _verdict(good: bool) -> web.Response:
    return web.Response(text="ok\n" if good else "not ok\n", status=200 if good else 503)
