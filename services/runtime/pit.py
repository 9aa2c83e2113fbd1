"""One pit, one task, one connection: load, read, decide, commit; whatever fails, load again.

While a commit is under way nobody else touches the pit's cache, because nobody else has it.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final

import structlog
from redis.exceptions import RedisError

from schemas.streams import Stream
from services.runtime import metrics
from services.runtime.connection import PitConnection, wait
from services.runtime.failures import (
    Conflict,
    Failure,
    HistoryLost,
    Impassable,
    NewerRecords,
    ReplyTooLarge,
    StateLost,
    failure_of,
)
from services.runtime.keyed import lacking, resume
from services.runtime.loading import load
from services.runtime.records import Records
from services.runtime.service import Definition
from services.runtime.step import READ_COUNT, Snapshot, Stepper

LAZY_SECONDS: Final = 1.0
BACKOFF_SECONDS: Final = (0.01, 1.0)
STOPPED_LOOK_SECONDS: Final = 1.0
# A pit that was not served for so long counts as stopped: whatever heals by itself has healed by then.
UNSERVED_SECONDS: Final = 10.0
# How often a pit looks for what no stream tells.
LOOK_SECONDS: Final = 0.4


class Pit:
    """The task that owns one pit for one service, until `stop` is set."""

    def __init__(
        self, definition: Definition[Any], url: str, pit: str, loads: asyncio.Semaphore, unserved_since: float
    ) -> None:
        self.name = pit
        self.stop = asyncio.Event()
        self.connection: PitConnection | None = None
        self.beat_at = time.monotonic()
        self.impassable: Impassable | None = None
        self.loaded = False
        self.waits_in_turn = False
        self._looked_at = 0.0
        self.lacking: list[str] = []
        self.unserved_since: float | None = unserved_since
        self._loads = loads
        self._failure: Failure = "loading"
        self.end_seen_at: dict[Stream, float] = dict.fromkeys(definition.inputs, time.monotonic())
        self._definition = definition
        self._url = url
        self._records: Records[Any] = Records(definition.state)
        self._log = structlog.get_logger().bind(service=definition.name, pit=pit)
        self._backoff = BACKOFF_SECONDS[0]
        self._last_error = ""
        self._loaded_version: str | None = None
        service = definition.name
        self._committed = metrics.COMMITS.labels(service, "ok")
        self._conflicts = metrics.COMMITS.labels(service, "conflict")
        self._failed = metrics.COMMITS.labels(service, "error")
        self._rejected = metrics.REJECTS.labels(service)

    @property
    def stopped(self) -> Failure | None:
        """What has kept the pit from being served for so long that somebody must look."""
        if self.impassable is not None:
            return "entry"
        if self.unserved_since is not None and time.monotonic() - self.unserved_since > UNSERVED_SECONDS:
            return self._failure
        return None

    @property
    def served(self) -> bool:
        """Whether entries of this pit are taken."""
        return self.loaded and self.stopped is None

    async def run(self) -> None:
        """Own the pit until `stop` is set. Raises nothing."""
        while not self.stop.is_set():
            self.beat_at = time.monotonic()
            try:
                await self._own()
            except Conflict as error:
                self._conflicts.inc()
                self._fail(self._log.warning, "loading again", error)
            except Impassable as impassable:
                await self._stand_at(impassable)
                continue
            except (RedisError, OSError, NewerRecords, StateLost, HistoryLost, ReplyTooLarge) as error:
                self._failed.inc()
                self._fail(self._log.warning, "loading again", error)
            except Exception as error:
                self._failed.inc()
                self._fail(self._log.exception, "loading again after our own error", error)
            # Pits that failed together shall not come back together.
            await wait(self.stop, self._backoff * random.uniform(0.5, 1.0))  # noqa: S311 - spreads load, guards nothing
            self._backoff = min(2 * self._backoff, BACKOFF_SECONDS[1])

    def _fail(self, log: Callable[..., None], event: str, error: Exception) -> None:
        self._failure = failure_of(error)
        if self.unserved_since is None:
            self.unserved_since = time.monotonic()
        self._say(log, event, error)

    def _say(self, log: Callable[..., None], event: str, error: Exception) -> None:
        """A lasting error is said once, not at every attempt."""
        text = f"{type(error).__name__}: {error}"
        if text != self._last_error:
            log(event, error=text)
        self._last_error = text

    def _goes_well(self) -> None:
        self._backoff = BACKOFF_SECONDS[0]
        self.unserved_since = None
        if self._last_error:
            self._log.info("going on", after=self._last_error)
            self._last_error = ""

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[PitConnection]:
        self.connection = connection = PitConnection(self._url, self.name, self._definition)
        try:
            await connection.open()
            yield connection
        finally:
            self.connection = None
            self.loaded = False
            self.lacking = []
            await connection.close()

    async def _own(self) -> None:
        async with self._connected() as connection:
            stepper = await self._load_in_turn(connection)
            self._look_for_keys(stepper)
            if self._definition.keys is not None:
                resume(stepper, self._definition.keys, self.name)
            while await self._pass_over_oversize(connection, stepper):
                self.beat_at = time.monotonic()
            self.loaded = True
            await self._step_on(connection, stepper)

    async def _pass_over_oversize(self, connection: PitConnection, stepper: Stepper[Any]) -> bool:
        """Leave entries behind that no read could take; returns whether there were any."""
        found = await connection.oversize(stepper.positions)
        for entry in found:
            if not stepper.pass_over(*entry):
                break
        if stepper.has_moved:
            await self._commit(connection, stepper, time.monotonic(), leaving=True)
        await self._stop_if_impassable(connection, stepper)
        return bool(found) and not self.stop.is_set()

    async def _stop_if_impassable(self, connection: PitConnection, stepper: Stepper[Any]) -> None:
        """Raises Impassable, but Conflict where somebody has committed since: it was decided on an old state then."""
        if stepper.impassable is None:
            return
        if await connection.version() != stepper.version:
            raise Conflict("another process has committed")
        raise stepper.impassable

    async def _step_on(self, connection: PitConnection, stepper: Stepper[Any]) -> None:
        lazy_since: float | None = None
        await connection.send(None, stepper.positions)
        while True:
            sent_at = time.monotonic()
            snapshot = await self._read(connection, stepper)
            read_at = time.monotonic()
            taken_all = stepper.take(snapshot, connection.count)
            if stepper.end_wanted is not None:
                stepper.end_known(stepper.end_wanted, await connection.end_of(stepper.end_wanted))
            self._see_ends(snapshot, sent_at, read_at, taken_all=taken_all)
            for entry in stepper.entries:
                self._definition.meter.read(self.name, entry, read_at)
            if lazy_since is None and stepper.has_moved:
                lazy_since = read_at
            await self._look_around(connection, stepper)
            leaving = self.stop.is_set() or stepper.impassable is not None
            # A reader that asks for few entries has large ones before it: what it passed must not be read again.
            lazy_due = lazy_since is not None and (
                leaving or connection.count < READ_COUNT or read_at - lazy_since > LAZY_SECONDS
            )
            committing = stepper.has_effect or lazy_due
            if committing:
                await self._commit(connection, stepper, read_at, leaving=leaving)
                lazy_since = None
            elif not leaving:
                stepper.entries.clear()
                if snapshot:
                    # What a later read brings may rank higher: a replay must know that these were decided before it.
                    self._log.debug("taken", cursors=stepper.positions)
                await connection.send(None, stepper.positions)
            await self._stop_if_impassable(connection, stepper)
            if leaving:
                return
            self.beat_at = time.monotonic()
            # A read of entries proves nothing yet: the commit behind it may be what fails at every attempt.
            if committing or not snapshot:
                self._goes_well()

    async def _look_around(self, connection: PitConnection, stepper: Stepper[Any]) -> None:
        """Twice a second: which tables are set aside, and whether somebody removed requests before they were read."""
        now = time.monotonic()
        if now - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = now
        self._look_for_keys(stepper)
        stepper.quarantined = await connection.quarantined()
        for loss in await connection.losses(stepper.positions, stepper.taken):
            metrics.ENTRIES_LOST.labels(self._definition.name, self.name, loss.stream).inc(max(loss.more, 1))
            self._log.error("entries lost", stream=loss.stream, more=loss.more, begun_again=loss.begun_again)
            stepper.lost(loss.stream, loss.more, begun_again=loss.begun_again)

    def _look_for_keys(self, stepper: Stepper[Any]) -> None:
        if self._definition.keys is not None:
            self.lacking = lacking(stepper, self._definition.keys)

    async def _load_in_turn(self, connection: PitConnection) -> Stepper[Any]:
        """Load when not too many other pits do: each holds its records twice for a moment."""
        self.waits_in_turn = True
        async with self._loads:
            self.waits_in_turn = False
            self.beat_at = time.monotonic()
            cursor, stepper = await load(connection, self._definition, self._records, self.name)
        if cursor.version != self._loaded_version:
            self._log.info("loaded", version=cursor.version, cursors=cursor.positions)
            self._loaded_version = cursor.version
        else:
            self._log.debug("loaded again", cursors=cursor.positions)
        return stepper

    async def _read(self, connection: PitConnection, stepper: Stepper[Any]) -> Snapshot:
        snapshot = await connection.read()
        # A blocked read is answered with one stream only. What ranks above it may have got entries just before: one
        # more read, which does not block, sees all streams at one instant.
        if snapshot and self._definition.inputs[0] not in snapshot:
            await connection.send(None, stepper.positions, block=False)
            snapshot = await connection.read()
        return snapshot

    async def _commit(self, connection: PitConnection, stepper: Stepper[Any], read_at: float, *, leaving: bool) -> None:
        arguments = stepper.seal(datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"))
        await connection.send(arguments, None if leaving else stepper.positions)
        await connection.committed()
        committed_at = time.monotonic()
        facts = stepper.facts
        self._definition.meter.committed(self.name, facts, read_at, committed_at)
        self._committed.inc()
        for fact in facts:
            metrics.FACTS.labels(self._definition.name, fact.type).inc()
        if stepper.reject_count:
            self._rejected.inc(stepper.reject_count)
            self._log.warning("rejected", count=stepper.reject_count)
        self._log.debug("committed", cursors=stepper.positions, facts=len(facts))
        stepper.acknowledged()

    def _see_ends(self, snapshot: Snapshot, sent_at: float, read_at: float, *, taken_all: bool) -> None:
        for stream in self._definition.inputs:
            if stream not in snapshot:
                self.end_seen_at[stream] = sent_at if snapshot else read_at
            elif taken_all:
                self.end_seen_at[stream] = read_at

    async def _stand_at(self, impassable: Impassable) -> None:
        """Stay at an entry that cannot be passed, until the table is set aside, the release is another or we leave."""
        self.impassable = impassable
        self._log.error("pit stopped", entry=impassable.place, table=impassable.table, cause=impassable.cause)
        while not await wait(self.stop, STOPPED_LOOK_SECONDS):
            self.beat_at = time.monotonic()
            try:
                async with self._connected() as connection:
                    if impassable.table in await connection.quarantined():
                        self._log.warning("table is set aside, going on", table=impassable.table)
                        break
            except (RedisError, OSError) as error:
                self._say(self._log.warning, "cannot look for quarantine", error)
        self.impassable = None
