"""Pits of the toy's that run in the test's own event loop, and what came out of them."""

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from typing import Any, TypeVar

from structlog.typing import EventDict

from schemas.events import Request
from schemas.streams import cursor_key, pit_key
from services.runtime.metrics import REGISTRY
from services.runtime.pit import Pit
from services.runtime.service import Definition
from tests.runtime.toy import DEFINITION, packed
from tests.servers import Server, users_with_secrets

T = TypeVar("T")
_names = itertools.count(1)


async def soon(probe: Callable[[], T], seconds: float = 30.0) -> T:
    """What `probe` gives as soon as it is true, while the loop runs on; fails when it does not become so."""
    deadline = time.monotonic() + seconds
    while True:
        found = probe()
        if found:
            return found
        assert time.monotonic() < deadline, f"not within {seconds} s: {probe}"
        await asyncio.sleep(0.005)


def metric(name: str, **labels: str) -> float:
    """The toy's value of a metric now; 0 when it has none yet."""
    return REGISTRY.get_sample_value(name, {"service": DEFINITION.name, **labels}) or 0.0


def said(log: list[EventDict], event: str) -> list[EventDict]:
    """The log lines of one event."""
    return [line for line in log if line["event"] == event]


def _rights_of(user: str) -> list[str]:
    """What the shipped users.acl says of a user."""
    (line,) = [line for line in users_with_secrets().splitlines() if line.startswith(f"user {user} ")]
    return line.split()[2:]


class ToyPit:
    """One pit on a server, and the `Pit`s that the test runs on it."""

    def __init__(self, server: Server) -> None:
        self.client = server.client()
        self.port = server.port
        self.name = f"toy-{next(_names)}"
        # A user of its own with the service's rights: so that the test finds its connections.
        self.client.execute_command("ACL", "SETUSER", self.name, *_rights_of(DEFINITION.name))
        self.url = server.url_of(DEFINITION.name).replace(f"{DEFINITION.name}:", f"{self.name}:", 1)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, definition: Definition[Any] = DEFINITION, url: str | None = None) -> Pit:
        """A `Pit` that runs until the test ends."""
        pit = Pit(definition, url or self.url, self.name)
        self._tasks.append(asyncio.create_task(pit.run()))
        return pit

    async def start_and_wait(self, definition: Definition[Any] = DEFINITION) -> Pit:
        """A `Pit` that has loaded and waits for entries."""
        pit = self.start(definition)
        await soon(lambda: self._blocked() == len(self._tasks))
        return pit

    def _blocked(self) -> int:
        return sum(row["user"] == self.name and "b" in row["flags"] for row in self.client.client_list())

    async def ended(self) -> None:
        """All `Pit`s have come to their end by themselves, without an error."""
        await asyncio.wait_for(asyncio.gather(*self._tasks), 5.0)

    async def cancel(self) -> None:
        """Cancel what still runs; none has failed."""
        for task in self._tasks:
            assert not task.done() or task.exception() is None
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.client.close()

    def key(self, stream: str) -> str:
        """The key of one of the pit's streams."""
        return pit_key(self.name, stream)

    def send(self, stream: str, *requests: Request, client: Any = None) -> None:
        """Write requests, on this client or pipeline."""
        for request in requests:
            self.add(stream, packed(request), client=client)

    def add(self, stream: str, parts: list[bytes], client: Any = None) -> None:
        """Write an entry as it is."""
        (client or self.client).execute_command("XADD", self.key(stream), "*", *parts)

    def facts(self) -> list[str]:
        """What stands in the toy's own stream: type, table, and a bet's amount."""
        found = []
        for _, fields in self.client.xrange(self.key("bets")):
            data = json.loads(fields[b"data"])
            amount = f" {data['amount_minor']}" if "amount_minor" in data else ""
            found.append(f"{fields[b'type'].decode()} {data['table']}{amount}")
        return found

    def rejects(self) -> list[tuple[str, str]]:
        """Stream and reason of each reject."""
        return [
            (fields[b"stream"].decode(), fields[b"reason"].decode())
            for _, fields in self.client.xrange(self.key("rejects"))
        ]

    def cursor(self, field: str) -> str:
        """A field of the toy's cursor hash; empty when it has none."""
        value = self.client.hget(cursor_key(self.name, DEFINITION.name), field)
        return "" if value is None else value.decode()

    def set_aside(self, table: str | bytes) -> None:
        """As `python -m services quarantine` does."""
        self.client.hset(self.key("quarantine"), table, "{}")
