"""The whole system on this machine: a server (the embedded one, or one that is given) and the three services."""

import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final, get_args

import aiohttp
import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from schemas.streams import Service
from services.floor.host.child_processes import Children, Command
from services.floor.host.data_folder import CannotRun, key_file, locked, write_private
from services.floor.host.embedded_server import ACL_FILE, check_port, free_port, server_command, users_with_secrets
from services.runtime.library import load_functions

SERVICES: Final[tuple[Service, ...]] = get_args(Service)
ROLES: Final = (*SERVICES, "floor", "administrator")
# The services own both pits: the demo's, and the one in which files are played.
PITS: Final = ("demo", "replay")
# The server needs a while to load a large append-only file.
START_SECONDS: Final = 120.0
_POLL_SECONDS: Final = 0.05
# Where the shoe finds its master key, or with `_FILE` behind it the file.
KEY_NAME: Final = "BACCARAT_SHOE_KEY"


class System(msgspec.Struct, frozen=True):
    """A running system: the server's URL for each role, and the address of each service's metrics."""

    urls: dict[str, str]
    metrics: dict[Service, str]
    children: Children


@contextlib.asynccontextmanager
async def running_system(
    data_directory: Path,
    *,
    port: int | None = None,
    redis_url: str | None = None,
    house_directory: Path | None = None,
    durable: bool = True,
) -> AsyncIterator[System]:
    """Start the system. It is ready when the body begins, and it ends with the body. The data folder must be absolute.

    `house_directory`: house rules besides the shipped ones; without it, those that the environment names.
    `durable`: whether the embedded server acknowledges only what is on disk. Data that nobody keeps need not wait.

    Raises CannotRun. Run the body's work in `children.unless_broken`, which raises ChildDied when a child cannot be
    kept alive.
    """
    with locked(data_directory) as lock:
        children = Children(data_directory, held=(lock,))
        run_file = data_directory / "run.json"
        run_file.unlink(missing_ok=True)
        try:
            if redis_url is None:
                urls = await _start_server(children, data_directory, port, durable=durable)
            else:
                urls = dict.fromkeys(ROLES, redis_url)
                await _check_server(redis_url)
            key = {} if _has_key(os.environ) else {f"{KEY_NAME}_FILE": str(key_file(data_directory))}
            metrics = await _start_services(children, urls, house_directory, key)
            write_private(run_file, json.dumps({**urls, "metrics": metrics}, indent=2) + "\n")
            yield System(urls, metrics, children)
        finally:
            await children.stop()
            run_file.unlink(missing_ok=True)


async def _start_server(children: Children, data_directory: Path, port: int | None, *, durable: bool) -> dict[str, str]:
    if port is not None:
        check_port(port)
    port = port or free_port()
    users, secrets = users_with_secrets(ACL_FILE.read_text(encoding="utf-8"))
    children.start_layer(server_command(data_directory, port, users, durable=durable))
    urls = {name: f"redis://{name}:{secret}@127.0.0.1:{port}/0" for name, secret in secrets.items()}
    await children.unless_broken(_until_it_answers(urls["administrator"]))
    await asyncio.to_thread(load_functions, urls["administrator"])
    return urls


async def _until_it_answers(url: str) -> None:
    until = time.monotonic() + START_SECONDS
    async with Redis.from_url(url, retry=None) as client:
        while True:
            try:
                await client.ping()
            except (RedisError, OSError) as error:
                if time.monotonic() > until:
                    raise CannotRun(f"the embedded server does not answer: {error}") from None
                await asyncio.sleep(_POLL_SECONDS)
            else:
                return


async def _check_server(url: str) -> None:
    try:
        async with Redis.from_url(url, retry=None, socket_connect_timeout=3, socket_timeout=3) as client:
            await client.ping()
        await asyncio.to_thread(load_functions, url)
    except (RedisError, OSError, ValueError) as error:
        raise CannotRun(f"the server of REDIS_URL cannot be used: {error}") from None


def _has_key(environment: Mapping[str, str]) -> bool:
    return KEY_NAME in environment or f"{KEY_NAME}_FILE" in environment


async def _start_services(
    children: Children, urls: dict[str, str], house_directory: Path | None, key: Mapping[str, str]
) -> dict[Service, str]:
    house = {"BACCARAT_HOUSE_DIR": str(house_directory)} if house_directory else {}
    addresses = {service: f"127.0.0.1:{free_port()}" for service in SERVICES}
    children.start_layer(
        *(
            Command(
                service,
                (sys.executable, "-m", "services", service),
                {
                    "REDIS_URL": urls[service],
                    "BACCARAT_PITS": ",".join(PITS),
                    "BACCARAT_HTTP_HOST": "127.0.0.1",
                    "BACCARAT_HTTP_PORT": address.rpartition(":")[2],
                    **house,
                    **(key if service == "shoe" else {}),
                },
            )
            for service, address in addresses.items()
        )
    )
    await children.unless_broken(_until_ready([f"http://{address}/readyz" for address in addresses.values()]))
    return {service: f"http://{address}/metrics" for service, address in addresses.items()}


async def _until_ready(urls: list[str]) -> None:
    until = time.monotonic() + START_SECONDS
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=3)) as session:
        for url in urls:
            while not await _is_ready(session, url):
                if time.monotonic() > until:
                    raise CannotRun(f"a service does not get ready: {url}")
                await asyncio.sleep(_POLL_SECONDS)


async def _is_ready(session: aiohttp.ClientSession, url: str) -> bool:
    try:
        async with session.get(url) as response:
            return response.status == 200
    except (aiohttp.ClientError, TimeoutError, OSError):
        return False
