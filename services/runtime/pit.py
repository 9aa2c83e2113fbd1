"""One pit, one task, one connection: load, read, decide, commit; whatever fails, load again.

While a commit is under way nobody else touches the pit's cache, because nobody else has it.
"""

import asyncio
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
from services.runtime.cursor import read_cursor
from services.runtime.failures import Conflict, Failure, NewerRecords, ReplyTooLarge, failure_of
from services.runtime.records import Records
from services.runtime.service import Definition
from services.runtime.step import READ_COUNT, Guilty, Snapshot, Steps

LAZY_SECONDS: Final = 1.0
BACKOFF_SECONDS: Final = (0.01, 1.0)
STOPPED_LOOK_SECONDS: Final = 1.0
# A pit that was not served for so long counts as stopped: whatever heals by itself has healed by then.
UNSERVED_SECONDS: Final = 10.0


class Pit:
    """The task that owns one pit for one service, until `stop` is set."""

    def __init__(self, definition: Definition[Any], url: str, pit: str) -> None:
        self.name = pit
        self.stop = asyncio.Event()
        self.connection: PitConnection | None = None
        self.beat_at = time.monotonic()
        self.guilty: Guilty | None = None
        self.loaded = False
        self._unserved_since: float | None = time.monotonic()
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
        if self.guilty is not None:
            return "entry"
        if self._unserved_since is not None and time.monotonic() - self._unserved_since > UNSERVED_SECONDS:
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
            except Guilty as guilty:
                await self._stand_at(guilty)
                continue
            except (RedisError, OSError, NewerRecords, ReplyTooLarge) as error:
                self._failed.inc()
                self._fail(self._log.warning, "loading again", error)
            except Exception as error:
                self._failed.inc()
                self._fail(self._log.exception, "loading again after our own error", error)
            await wait(self.stop, self._backoff)
            self._backoff = min(2 * self._backoff, BACKOFF_SECONDS[1])

    def _fail(self, log: Callable[..., None], event: str, error: Exception) -> None:
        self._failure = failure_of(error)
        if self._unserved_since is None:
            self._unserved_since = time.monotonic()
        self._say(log, event, error)

    def _say(self, log: Callable[..., None], event: str, error: Exception) -> None:
        """A lasting error is said once, not at every attempt."""
        text = f"{type(error).__name__}: {error}"
        if text != self._last_error:
            log(event, error=text)
        self._last_error = text

    def _goes_well(self) -> None:
        self._backoff = BACKOFF_SECONDS[0]
        self._unserved_since = None
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
            await connection.close()

    async def _own(self) -> None:
        async with self._connected() as connection:
            steps = await self._load(connection)
            while await self._pass_over_oversize(connection, steps):
                self.beat_at = time.monotonic()
            self.loaded = True
            await self._step_on(connection, steps)

    async def _pass_over_oversize(self, connection: PitConnection, steps: Steps[Any]) -> bool:
        """Leave entries behind that no read could take; returns whether there were any."""
        found = await connection.oversize(steps.positions)
        for entry in found:
            if not steps.pass_over(*entry):
                break
        if steps.has_moved:
            await self._commit(connection, steps, time.monotonic(), leaving=True)
        await self._stop_if_guilty(connection, steps)
        return bool(found) and not self.stop.is_set()

    async def _stop_if_guilty(self, connection: PitConnection, steps: Steps[Any]) -> None:
        """Raises Guilty, but Conflict where somebody has committed since: then what was decided was not the truth."""
        if steps.guilty is None:
            return
        if await connection.version() != steps.version:
            raise Conflict("another process has committed")
        raise steps.guilty

    async def _step_on(self, connection: PitConnection, steps: Steps[Any]) -> None:
        lazy_since: float | None = None
        await connection.send(None, steps.positions)
        while True:
            sent_at = time.monotonic()
            snapshot = await self._read(connection, steps)
            read_at = time.monotonic()
            taken_all = steps.take(snapshot, connection.count)
            if steps.end_wanted is not None:
                steps.end_known(steps.end_wanted, await connection.end_of(steps.end_wanted))
            self._see_ends(snapshot, sent_at, read_at, taken_all=taken_all)
            for entry in steps.entries:
                self._definition.meter.read(entry, read_at)
            if lazy_since is None and steps.has_moved:
                lazy_since = read_at
            leaving = self.stop.is_set() or steps.guilty is not None
            # A reader that asks for few entries has large ones before it: what it passed must not be read again.
            lazy_due = lazy_since is not None and (
                leaving or connection.count < READ_COUNT or read_at - lazy_since > LAZY_SECONDS
            )
            committing = steps.has_effect or lazy_due
            if committing:
                await self._commit(connection, steps, read_at, leaving=leaving)
                lazy_since = None
            elif not leaving:
                steps.entries.clear()
                if snapshot:
                    # What a later read brings may rank higher: a replay must know that these were decided before it.
                    self._log.debug("taken", cursors=steps.positions)
                await connection.send(None, steps.positions)
            await self._stop_if_guilty(connection, steps)
            if leaving:
                return
            self.beat_at = time.monotonic()
            # A read of entries proves nothing yet: the commit behind it may be what fails at every attempt.
            if committing or not snapshot:
                self._goes_well()

    async def _load(self, connection: PitConnection) -> Steps[Any]:
        cursor, state, quarantined = await connection.load()
        stored = read_cursor(cursor, self._definition.inputs)
        if stored.record_format > self._definition.record_format:
            raise NewerRecords(f"the records have format {stored.record_format}")
        if stored.version != self._loaded_version:
            self._log.info("loaded", version=stored.version, cursors=stored.positions)
            self._loaded_version = stored.version
        else:
            self._log.debug("loaded again", cursors=stored.positions)
        return Steps(
            self._definition,
            self._records,
            self.name,
            stored=stored,
            states=self._records.load(state),
            quarantined=quarantined,
        )

    async def _read(self, connection: PitConnection, steps: Steps[Any]) -> Snapshot:
        snapshot = await connection.read()
        # A blocked read is answered with one stream only. What ranks above it may have got entries just before: one
        # more read, which does not block, sees all streams at one instant.
        if snapshot and self._definition.inputs[0] not in snapshot:
            await connection.send(None, steps.positions, block=False)
            snapshot = await connection.read()
        return snapshot

    async def _commit(self, connection: PitConnection, steps: Steps[Any], read_at: float, *, leaving: bool) -> None:
        arguments = steps.seal(datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"))
        await connection.send(arguments, None if leaving else steps.positions)
        await connection.committed()
        committed_at = time.monotonic()
        facts = steps.facts
        self._definition.meter.committed(facts, read_at, committed_at)
        self._committed.inc()
        for fact in facts:
            metrics.FACTS.labels(self._definition.name, fact.type).inc()
        if steps.reject_count:
            self._rejected.inc(steps.reject_count)
            self._log.warning("rejected", count=steps.reject_count)
        self._log.debug("committed", cursors=steps.positions, facts=len(facts))
        steps.acknowledged()

    def _see_ends(self, snapshot: Snapshot, sent_at: float, read_at: float, *, taken_all: bool) -> None:
        for stream in self._definition.inputs:
            if stream not in snapshot:
                self.end_seen_at[stream] = sent_at if snapshot else read_at
            elif taken_all:
                self.end_seen_at[stream] = read_at

    async def _stand_at(self, guilty: Guilty) -> None:
        """Stay at an entry that cannot be passed, until the table is set aside, the release is another or we leave."""
        self.guilty = guilty
        self._log.error("pit stopped", entry=guilty.place, table=guilty.table, cause=guilty.cause)
        while not await wait(self.stop, STOPPED_LOOK_SECONDS):
            self.beat_at = time.monotonic()
            try:
                async with self._connected() as connection:
                    if guilty.table in await connection.quarantined():
                        self._log.warning("table is set aside, going on", table=guilty.table)
                        break
            except (RedisError, OSError) as error:
                self._say(self._log.warning, "cannot look for quarantine", error)
        self.guilty = None
