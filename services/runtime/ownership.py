"""Who owns which pit: live replicas by heartbeat, pits by rendezvous hashing over them.

Two replicas may disagree for a second and both own a pit: then one of them gets CONFLICT. Correctness is the version
check of each commit and never this module, so there are no leases to lose.
"""

import asyncio
import hashlib
import socket
import time
import uuid
from collections.abc import Iterable
from functools import partial
from typing import Any, Final

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from schemas.streams import Stream, replicas_key
from services.runtime import metrics
from services.runtime.connection import SILENCE_SECONDS, wait
from services.runtime.failures import FAILURES, Failure
from services.runtime.pit import Pit
from services.runtime.service import Definition

BEAT_SECONDS: Final = 0.5
ANSWER_SECONDS: Final = 1.0
# The longest a pit's loop may go without coming round before the process counts as stuck.
STUCK_SECONDS: Final = 10.0
FINISH_SECONDS: Final = 1.2


def owner(pit: str, replicas: Iterable[str]) -> str | None:
    """The replica that owns a pit: the one with the highest hash (rendezvous hashing, Thaler and Ravishankar 1998)."""
    return max(replicas, key=lambda replica: hashlib.sha256(f"{replica} {pit}".encode()).digest(), default=None)


class Ownership:
    """The heartbeat of one replica and the tasks of the pits it owns."""

    def __init__(self, definition: Definition[Any], url: str, pits: tuple[str, ...]) -> None:
        self._definition = definition
        self._url = url
        self._pits = pits
        self.replica = f"{socket.gethostname()}-{uuid.uuid4().hex[:8]}"
        self._running: dict[str, tuple[Pit, asyncio.Task[None]]] = {}
        self._stop = asyncio.Event()
        self._beats: asyncio.Task[None] | None = None
        self._beat_at = time.monotonic()
        self._answered = False
        self._log = structlog.get_logger().bind(service=definition.name, replica=self.replica)
        service = definition.name
        metrics.PITS_OWNED.labels(service).set_function(lambda: sum(pit.loaded for pit, _ in self._running.values()))
        for failure in FAILURES:
            metrics.PITS_STOPPED.labels(service, failure).set_function(partial(self._stopped, failure))
        for stream in definition.inputs:
            metrics.STREAM_LAG.labels(service, stream).set_function(partial(self._lag_seconds, stream))

    def _lag_seconds(self, stream: Stream) -> float:
        now = time.monotonic()
        return max((now - pit.end_seen_at[stream] for pit, _ in self._running.values()), default=0.0)

    def _stopped(self, failure: Failure) -> int:
        return sum(pit.stopped == failure for pit, _ in self._running.values())

    def start(self, client: "Redis") -> None:
        """Begin to beat on this client."""
        self._beats = asyncio.create_task(self._beat(client))

    async def stop(self, client: "Redis") -> None:
        """Finish each pit's step, leave the replicas; also when the server hangs, in about two seconds."""
        self._stop.set()
        if self._beats is not None:
            self._beats.cancel()
            # Python 3.11's wait_for may swallow the cancellation: no pit may be taken behind our back.
            await asyncio.wait({self._beats}, timeout=ANSWER_SECONDS / 2)
        await self._finish()
        try:
            await self._alive(client, leaving=True)
        except (RedisError, OSError, TimeoutError) as error:
            self._log.info("left without saying so", error=str(error))

    def is_live(self) -> bool:
        """Whether every loop comes round, whatever Redis does."""
        beats = [self._beat_at, *(pit.beat_at for pit, _ in self._running.values())]
        return time.monotonic() - min(beats) < STUCK_SECONDS

    def is_ready(self) -> bool:
        """Whether the last beat was answered and a pit of ours is served, where we have any."""
        return self._answered and (not self._running or any(pit.served for pit, _ in self._running.values()))

    async def _beat(self, client: "Redis") -> None:
        last_error = ""
        while not self._stop.is_set():
            self._beat_at = time.monotonic()
            try:
                replicas = await self._alive(client, leaving=False)
            except (RedisError, OSError, TimeoutError) as error:
                self._answered = False
                if _readable(error) != last_error:
                    last_error = _readable(error)
                    self._log.error("no heartbeat", error=last_error)
            else:
                self._answered = True
                last_error = ""
                self._own([pit for pit in self._pits if owner(pit, replicas) == self.replica])
            self._watch()
            await wait(self._stop, BEAT_SECONDS)

    async def _alive(self, client: "Redis", *, leaving: bool) -> list[str]:
        call = client.execute_command(  # type: ignore[no-untyped-call] # redis-py leaves it untyped
            "FCALL", "alive_v1", 1, replicas_key(self._definition.name), self.replica, "leave" if leaving else "stay"
        )
        replicas = await asyncio.wait_for(call, ANSWER_SECONDS / 2 if leaving else ANSWER_SECONDS)
        return [replica.decode() for replica in replicas]

    def _own(self, pits: list[str]) -> None:
        """Start the pits of ours, let go of others. Waits for nobody: a late beat would cost us all the other pits."""
        for name, (pit, task) in list(self._running.items()):
            if name not in pits:
                pit.stop.set()
            if task.done():
                del self._running[name]
                self._log.info("let go", pit=name)
        for name in pits:
            if name not in self._running:
                pit = Pit(self._definition, self._url, name)
                self._running[name] = (pit, asyncio.create_task(pit.run()))

    async def _finish(self) -> None:
        for pit, _ in self._running.values():
            pit.stop.set()
        tasks = [task for _, task in self._running.values()]
        if tasks:
            _, hanging = await asyncio.wait(tasks, timeout=FINISH_SECONDS)
            for task in hanging:
                task.cancel()
        self._running.clear()

    def _watch(self) -> None:
        """Break connections on which a reply is overdue: redis-py would wait for ever, or lose count of the replies."""
        now = time.monotonic()
        for pit, _ in self._running.values():
            connection = pit.connection
            waiting_since = None if connection is None else connection.waiting_since
            if connection is not None and waiting_since is not None and now - waiting_since > SILENCE_SECONDS:
                self._log.warning("no reply, connection dropped", pit=pit.name)
                connection.abort()


def _readable(error: Exception) -> str:
    if "unction not found" in str(error):
        return "the function library is not loaded: an administrator runs `python -m services load-functions`"
    return f"{type(error).__name__}: {error}"
