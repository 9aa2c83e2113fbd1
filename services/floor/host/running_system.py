"""The whole system on this machine: the embedded server (or a given one) and the three services, until the end.

One run at a time has a data folder: the lock is held by this process and by every leash, so that it is free only when
the last child is gone.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import aiohttp
import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from schemas.streams import Service
from services.floor.host.child_processes import Children, Command
from services.floor.host.embedded_server import (
    ACL_FILE,
    CannotRun,
    check_port,
    free_port,
    server_command,
    users_with_secrets,
    write_private,
)
from services.runtime.library import load_functions

SERVICES: Final[tuple[Service, ...]] = get_args(Service)
ROLES: Final = (*SERVICES, "floor", "administrator")
# The services own both: the demo's, and the one that recorded rounds are replayed in.
PITS: Final = ("demo", "replay")
# A large append-only file takes its time to load.
START_SECONDS: Final = 120.0
LOCK_SECONDS: Final = 15.0
_POLL_SECONDS: Final = 0.05

Answer = TypeVar("Answer")


class System(msgspec.Struct, frozen=True):
    """A running system: the server's URL for each role, and the services' metrics in the order of SERVICES."""

    urls: dict[str, str]
    metrics: tuple[str, ...]
    children: Children


@contextlib.asynccontextmanager
async def running_system(
    data_directory: Path,
    *,
    port: int | None = None,
    redis_url: str | None = None,
    house_directory: Path | None = None,
) -> AsyncIterator[System]:
    """Start the system in an absolute folder; it answers when the body begins, and is gone when the body has ended.

    `house_directory`: house rules besides the shipped ones; the environment's where it is not given.

    Raises CannotRun; `children.unless_broken` raises ChildDied when a part of it cannot be kept alive.
    """
    with _lock(data_directory) as lock:
        children = Children(data_directory, held=(lock,))
        run_file = data_directory / "run.json"
        run_file.unlink(missing_ok=True)
        try:
            if redis_url is None:
                urls = await _start_server(children, data_directory, port)
            else:
                urls = dict.fromkeys(ROLES, redis_url)
                await _check_server(redis_url)
            metrics = await _start_services(children, urls, house_directory)
            write_private(run_file, json.dumps(urls, indent=2) + "\n")
            yield System(urls, metrics, children)
        finally:
            await children.stop()
            run_file.unlink(missing_ok=True)


async def unless_signalled(work: Coroutine[Any, Any, Answer]) -> Answer | None:
    """The result of some work, or None when SIGINT, SIGTERM or SIGHUP ended it: once, further ones don't hurry it."""
    task = asyncio.create_task(work)
    signalled = asyncio.Event()

    def end() -> None:
        if not signalled.is_set():
            signalled.set()
            task.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, end)
    try:
        return await task
    except asyncio.CancelledError:
        if not signalled.is_set():
            raise
        return None


async def _start_server(children: Children, data_directory: Path, port: int | None) -> dict[str, str]:
    if port is not None:
        check_port(port)
    port = port or free_port()
    users, secrets = users_with_secrets(ACL_FILE.read_text(encoding="utf-8"))
    children.start_layer(server_command(data_directory, port, users))
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


async def _start_services(children: Children, urls: dict[str, str], house_directory: Path | None) -> tuple[str, ...]:
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
                },
            )
            for service, address in addresses.items()
        )
    )
    await children.unless_broken(_until_ready([f"http://{address}/readyz" for address in addresses.values()]))
    return tuple(f"http://{address}/metrics" for address in addresses.values())


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


@contextlib.contextmanager
def _lock(data_directory: Path) -> Iterator[int]:
    """The lock of a data folder, with this process's id in it. Children of a killed run get time to go."""
    try:
        data_directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(data_directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise CannotRun(f"the data folder {data_directory} cannot be used: {error.strerror}") from None
    try:
        until = time.monotonic() + LOCK_SECONDS
        while not _locked(descriptor):
            owner = os.pread(descriptor, 32, 0).decode() or "unknown"
            if _is_alive(owner) or time.monotonic() > until:
                raise CannotRun(f"already running on {data_directory}, pid {owner}")
            time.sleep(_POLL_SECONDS)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        return True
    return True
