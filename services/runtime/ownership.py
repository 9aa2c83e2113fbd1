"""Who owns which pit: replicas beat for each pit they may own, and one of those is its owner by rendezvous hashing.

Two replicas may disagree for a second and both own a pit: then one of them gets CONFLICT. Correctness is the version
check of each commit and never this module, so there are no leases to lose. A replica that cannot serve a pit stops
beating for it while others do, and they have it; alone it goes on trying.
"""

import asyncio
import hashlib
import socket
import time
import uuid
from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from schemas.streams import replicas_key
from services.runtime import metrics
from services.runtime.connection import SILENCE_SECONDS, wait
from services.runtime.pit import Pit
from services.runtime.service import Definition

BEAT_SECONDS: Final = 0.5
ANSWER_SECONDS: Final = 1.0
# Others take a pit two seconds after our last beat for it; without an answer for so long it is no longer ours.
LET_GO_SECONDS: Final = 4.0
# For so long a pit that we could not serve is left to others, then we beat for it again.
LEAVE_SECONDS: Final = 30.0
# The longest a pit's loop may go without coming round before the process counts as stuck.
STUCK_SECONDS: Final = 10.0
# Longer than a read blocks, so that a step ends by itself if the server answers.
FINISH_SECONDS: Final = 0.8
# So many pits load at the same time: each holds its records twice for a moment.
LOADS_AT_ONCE: Final = 4


def keys_of(name: str) -> tuple[str, ...]:
    """The fingerprints of a replica's keys, in their order, by its name in the beat."""
    _, _, fingerprints = name.partition("/")
    return tuple(fingerprints.split(",")) if fingerprints else ()


def owner(pit: str, replicas: Sequence[str]) -> str | None:
    """The replica that owns a pit: the one with the highest hash (rendezvous hashing, Thaler and Ravishankar 1998).

    One that should have keys and has none owns a pit only where all are so.
    """
    able = [name for name in replicas if not name.endswith("/")] or replicas
    return max(able, key=lambda replica: hashlib.sha256(f"{replica} {pit}".encode()).digest(), default=None)


class Ownership:
    """The heartbeat of one replica and the tasks of the pits it owns. `pits`: all that it may own."""

    def __init__(self, definition: Definition[Any], url: str, pits: tuple[str, ...]) -> None:
        self.service = definition.name
        self._definition = definition
        self.pits = pits
        self.replica = f"{socket.gethostname()}-{uuid.uuid4().hex[:8]}"
        self.running: dict[str, Pit] = {}
        self._url = url
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._loads = asyncio.Semaphore(LOADS_AT_ONCE)
        self._stop = asyncio.Event()
        self._beats: asyncio.Task[None] | None = None
        self._beat_at = time.monotonic()
        self._answered_at: dict[str, float] = {}
        self._left_until: dict[str, float] = {}
        self._unserved_since: dict[str, float] = {}
        self._last_errors: dict[str, str] = {}
        self._keys = definition.keys
        # For each pit the keys that it waits for and that we do not have: others that have them shall have the pit.
        self._lacking: dict[str, Set[str]] = {}
        self.pits_with_unequal_keys: set[str] = set()
        self._log = structlog.get_logger().bind(service=definition.name, replica=self.replica)

    @property
    def has_keys(self) -> bool:
        """Whether the service needs secret keys."""
        return self._keys is not None

    @property
    def name(self) -> str:
        """What stands in the beat: the replica, and behind `/` its keys' fingerprints where it should have keys."""
        return self.replica if self._keys is None else f"{self.replica}/{','.join(self._keys.fingerprints)}"

    def start(self, client: "Redis") -> None:
        """Begin to beat on this client."""
        metrics.PITS.replicas.append(self)
        self._beats = asyncio.create_task(self._beat(client))

    async def stop(self, client: "Redis") -> None:
        """Leave the replicas, finish each pit's step; also when the server hangs, in less than two seconds."""
        self._stop.set()
        if self._beats is not None:
            self._beats.cancel()
            # Python 3.11's wait_for may swallow the cancellation: no pit may be taken behind our back.
            await asyncio.wait({self._beats}, timeout=ANSWER_SECONDS / 2)
        leaving = asyncio.create_task(self._alive(client, dict.fromkeys(self.pits, "leave"), ANSWER_SECONDS / 2))
        await self._finish()
        metrics.PITS.replicas.remove(self)
        try:
            await leaving
        except (RedisError, OSError, TimeoutError) as error:
            self._log.info("left without saying so", error=str(error))

    def is_live(self) -> bool:
        """Whether every loop comes round, whatever Redis does."""
        beats = [self._beat_at, *(pit.beat_at for pit in self.running.values() if not pit.waits_in_turn)]
        return time.monotonic() - min(beats) < STUCK_SECONDS

    def is_ready(self) -> bool:
        """Whether a beat was answered of late, and one of our pits is served if we have any."""
        now = time.monotonic()
        answered = any(now - answered_at < ANSWER_SECONDS + BEAT_SECONDS for answered_at in self._answered_at.values())
        return answered and (not self.running or any(pit.served for pit in self.running.values()))

    async def _beat(self, client: "Redis") -> None:
        while not self._stop.is_set():
            self._beat_at = now = time.monotonic()
            words = {pit: "leave" if self._leaves(pit, now) else "stay" for pit in self.pits}
            try:
                replies = await self._alive(client, words, ANSWER_SECONDS)
            except (RedisError, OSError, TimeoutError) as error:
                replies = dict.fromkeys(self.pits, error)
            for pit, reply in replies.items():
                self._hear(pit, reply)
            self._let_go()
            self._watch()
            await wait(self._stop, BEAT_SECONDS)

    def _leaves(self, pit: str, now: float) -> bool:
        return now < self._left_until.get(pit, 0.0) or pit in self._lacking

    async def _alive(self, client: "Redis", words: Mapping[str, str], seconds: float) -> dict[str, Any]:
        """What the server answers for each pit: the names of its live replicas, or an error."""
        pipeline = client.pipeline(transaction=False)
        for pit, word in words.items():
            pipeline.execute_command("FCALL", "alive_v1", 1, replicas_key(pit, self.service), self.name, word)
        replies = await asyncio.wait_for(pipeline.execute(raise_on_error=False), seconds)
        return dict(zip(words, replies, strict=True))

    def _hear(self, pit: str, reply: Any) -> None:
        if isinstance(reply, Exception):
            error = _readable(reply)
            if error != self._last_errors.get(pit):
                self._last_errors[pit] = error
                if list(self._last_errors.values()).count(error) == 1:  # of many pits on one server once
                    self._log.error("no heartbeat", pit=pit, error=error)
            return
        self._last_errors.pop(pit, None)
        self._answered_at[pit] = now = time.monotonic()
        replicas = [replica.decode() for replica in reply]
        running = self.running.get(pit)
        if self._others_have_its_keys(pit, replicas) or owner(pit, replicas) != self.name:
            if running is not None:
                running.stop.set()
        elif running is None:
            self._take(pit)
        elif running.stopped not in (None, "entry", "conflict") and len(replicas) > 1:
            self._log.warning("left to other replicas", pit=pit, reason=running.stopped)
            self._left_until[pit] = now + LEAVE_SECONDS
            self._unserved_since[pit] = running.unserved_since or now
            running.stop.set()

    def _others_have_its_keys(self, pit: str, replicas: Sequence[str]) -> bool:
        """Hear which keys the replicas have, and whether others have one that the pit waits for and we do not."""
        if self._keys is None:
            return False
        lists = {keys_of(name) for name in replicas}
        self._keys.heard(pit, frozenset().union(*lists))
        if len(lists) > 1 and pit not in self.pits_with_unequal_keys:
            self._log.error("replicas have unequal keys", pit=pit, replicas=sorted(replicas))
        (self.pits_with_unequal_keys.add if len(lists) > 1 else self.pits_with_unequal_keys.discard)(pit)
        running = self.running.get(pit)
        lacking = self._lacking.get(pit, frozenset())
        if running is not None and running.loaded and not running.stop.is_set():
            lacking = frozenset(running.lacking)
        elsewhere = {key for name in replicas if name != self.name for key in keys_of(name)}
        if lacking.isdisjoint(elsewhere):
            self._lacking.pop(pit, None)
            return False
        if pit not in self._lacking:
            self._log.warning("left to a replica that has its key", pit=pit)
        self._lacking[pit] = lacking
        return True

    def _take(self, pit: str) -> None:
        unserved_since = self._unserved_since.pop(pit, time.monotonic())
        self.running[pit] = Pit(self._definition, self._url, pit, self._loads, unserved_since)
        self._tasks[pit] = asyncio.create_task(self.running[pit].run())

    def _let_go(self) -> None:
        """Stop the pits for which nobody answers, forget those that have ended. Waits for nobody."""
        now = time.monotonic()
        for name, pit in list(self.running.items()):
            if now - self._answered_at.get(name, now) > LET_GO_SECONDS:
                pit.stop.set()
            if self._tasks[name].done():
                del self.running[name], self._tasks[name]
                self._log.info("let go", pit=name)

    async def _finish(self) -> None:
        for pit in self.running.values():
            pit.stop.set()
        if self._tasks:
            _, hanging = await asyncio.wait(self._tasks.values(), timeout=FINISH_SECONDS)
            for task in hanging:
                task.cancel()
        self.running.clear()
        self._tasks.clear()

    def _watch(self) -> None:
        """Break connections on which a reply is overdue: redis-py would wait for ever, or lose count of the replies."""
        now = time.monotonic()
        for pit in self.running.values():
            connection = pit.connection
            waiting_since = None if connection is None else connection.waiting_since
            if connection is not None and waiting_since is not None and now - waiting_since > SILENCE_SECONDS:
                self._log.warning("no reply, connection dropped", pit=pit.name)
                connection.abort()


def _readable(error: Exception) -> str:
    if "unction not found" in str(error):
        return "the function library is not loaded: an administrator runs `python -m services load-functions`"
    return f"{type(error).__name__}: {error}"
