"""A step: entries in, one commit out. No clock and no I/O; `pit.py` reads, commits and measures around it.

The cache and its version belong to one task. `take` decides entries in rank order and moves the positions; `seal` turns
what was decided into the arguments of `commit_v1`; `acknowledged` says that they are written. When a commit fails the
whole object is thrown away and loaded anew: there is no other way back.
"""

import secrets
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar

import msgspec

from schemas.codec import ChainHead, Entry, Undecodable, chain_of, decode, named, seal
from schemas.events import Fact, Request
from schemas.streams import REQUEST_STREAMS, Stream, decider
from services.decider.outcome import LateAnswer
from services.runtime.arguments import commit_arguments
from services.runtime.cursor import START, Cursor, number_of
from services.runtime.failures import Impassable
from services.runtime.records import Records
from services.runtime.rejects import reject
from services.runtime.service import Definition

StateT = TypeVar("StateT", bound=msgspec.Struct)
RawEntry = tuple[str, Sequence[bytes]]
Snapshot = Mapping[Stream, Sequence[RawEntry]]

READ_COUNT: Final = 256
# Bounds what one commit writes; a single entry (1,000 stakes settled) may go over it by its own facts.
STEP_FACTS_MAX: Final = 256


class Stepper(Generic[StateT]):
    """One pit's cache and what is decided and not yet committed."""

    def __init__(
        self,
        definition: Definition[StateT],
        records: Records[StateT],
        pit: str,
        *,
        cursor: Cursor,
        states: dict[str, StateT],
        quarantined: frozenset[str],
    ) -> None:
        self._definition = definition
        self._records = records
        self._pit = pit
        self._source = f"/baccarat/{pit}/{definition.name}"
        self._cursor = cursor
        self.states = states
        self.quarantined = quarantined
        self.positions = dict(cursor.positions)
        self._heads = dict(cursor.heads)
        self.taken = dict(cursor.taken)
        self._target: tuple[str, tuple[int, int]] | None = None
        self.impassable: Impassable | None = None
        self.end_wanted: Stream | None = None
        self._queues: dict[Stream, deque[RawEntry]] = {}
        self._full: set[Stream] = set()
        self._forget_decided()

    def _forget_decided(self) -> None:
        self._facts: list[tuple[Fact, str, str | None]] = []
        self._rejects: list[list[bytes]] = []
        self._before: dict[str, StateT] = {}
        self._moved: set[Stream] = set()
        self._corrected: set[Stream] = set()
        self.entries: list[Entry] = []

    @property
    def has_effect(self) -> bool:
        """Whether something is decided that the world must learn of."""
        return bool(self._facts or self._rejects)

    @property
    def has_moved(self) -> bool:
        """Whether a position went past entries without effect; that may wait for the next commit."""
        return bool(self._moved or self._corrected)

    @property
    def facts(self) -> list[Fact]:
        """The facts decided since the last commit."""
        return [fact for fact, _, _ in self._facts]

    @property
    def reject_count(self) -> int:
        """How many entries were rejected since the last commit."""
        return len(self._rejects)

    @property
    def version(self) -> str:
        """The version of the commit that all this stands on."""
        return self._cursor.version

    def take(self, snapshot: Snapshot, count: int = READ_COUNT) -> bool:
        """Decide the entries of one instant's read, ranked; stops at a limit, an impassable entry or an unknown end.

        `count`: how many entries of a stream the read asked for. Returns whether every entry was taken.
        """
        self.end_wanted = None
        self._queues = {stream: deque(entries) for stream, entries in snapshot.items()}
        self._full = {stream for stream, entries in snapshot.items() if len(entries) >= count}
        for stream in self._definition.inputs:
            if not self._take_queue(stream, None) or stream in self._full:
                return False
        return True

    def pass_over(self, stream: Stream, entry_id: str, event_type: str, size_bytes: int) -> bool:
        """Leave the next entry of a stream behind unread, because of its size; False when it is a fact."""
        error = Undecodable("too_large", f"the entry has {size_bytes} bytes and was not read", {})
        error.fields["type"] = event_type.encode()
        return self._take_undecodable(stream, entry_id, error)

    def lost(self, stream: Stream, more: int, *, begun_again: bool) -> None:
        """Entries of a request stream were removed unread: say so, and read on from what there is."""
        if begun_again:
            detail = f"the stream was deleted and begun again: what stood behind {self.positions[stream]} is lost"
            self.positions[stream], self.taken[stream] = START, 0
        elif more > 0:
            detail = f"{more} entries behind {self.positions[stream]} or before it were removed before they were read"
            self.taken[stream] += more
        else:
            detail = "the stream was deleted and begun again: how many entries are lost is not known"
            self.taken[stream] += more
        if decider(stream, "") == self._definition.name:
            place = f"{stream}/{self.positions[stream]}"
            self._rejects.append(reject(self._definition.name, place, Undecodable("entries_lost", detail, {})))
        self._corrected.add(stream)

    def end_known(self, stream: Stream, end: str) -> None:
        """Where `stream`, the one in `end_wanted`, ended after the waiting event was read."""
        assert self._target is not None
        place, through = self._target
        self._target = (place, min(through, number_of(end)))

    def _take_queue(self, stream: Stream, through: tuple[int, int] | None) -> bool:
        queue = self._queues.get(stream)
        while queue:
            entry_id, pairs = queue[0]
            if through is not None and number_of(entry_id) > through:
                return True
            if len(self._facts) >= STEP_FACTS_MAX or not self._take(stream, entry_id, pairs):
                return False
            queue.popleft()
        return True

    def _take(self, stream: Stream, entry_id: str, pairs: Sequence[bytes]) -> bool:
        """Decide one entry; False when it cannot be taken now."""
        try:
            entry = decode(stream, entry_id, pairs, self._pit)
        except Undecodable as error:
            return self._take_undecodable(stream, entry_id, error)
        if isinstance(entry.event, Request):
            if decider(stream, entry.type) != self._definition.name:
                self._move(stream, entry_id)
                return True
        elif entry.sequence != self._heads[stream].sequence + 1:
            return self._stop(entry.place, "", f"sequence {entry.sequence} follows no fact before it")
        elif entry.chain != chain_of(dict(zip(pairs[::2], pairs[1::2], strict=True)), self._heads[stream].chain):
            return self._stop(entry.place, "", "the fact is not what its chain says, or follows another one")
        if entry.event.table in self.quarantined:
            set_aside = Undecodable("quarantined", f"the table {entry.event.table} is set aside", named(pairs))
            self._rejects.append(reject(self._definition.name, entry.place, set_aside))
        elif not (self._take_what_it_waits_for(entry) and self._decide(entry)):
            return False
        self._heads[stream] = ChainHead(entry.sequence, entry.chain)
        self._move(stream, entry_id)
        return True

    def _take_what_it_waits_for(self, entry: Entry) -> bool:
        waits_for = self._definition.waits_for(entry.event)
        if waits_for is None:
            return True
        stream, through = waits_for
        if number_of(self.positions[stream]) >= number_of(through):
            return True
        if self._target is None or self._target[0] != entry.place:
            self._target = (entry.place, number_of(through))
            if stream in self._full:
                self.end_wanted = stream
                return False
            if queue := self._queues.get(stream):
                self.end_known(stream, queue[-1][0])
        if not self._take_queue(stream, self._target[1]):
            return False
        # A queue that was not full is read to its end: what the close names beyond it is lost and never comes.
        return (
            stream not in self._full
            or number_of(self.positions[stream]) >= self._target[1]
            or bool(self._queues.get(stream))
        )

    def _decide(self, entry: Entry) -> bool:
        table = entry.event.table
        before = self.states.get(table)
        if before is None:
            before = self._records.initial(table)
        state = before
        try:
            if isinstance(entry.event, Fact):
                state = self._definition.evolve(state, entry.event)
            outcomes = self._definition.decide(state, entry)
            self.follow(before, state, outcomes, entry.place, entry.traceparent)
        except Exception as error:  # whatever a core raises is our bug: the pit stops here, the others go on
            return self._stop(entry.place, table, f"{type(error).__name__}: {error}")
        self.entries.append(entry)
        return True

    def follow(self, before: StateT, state: StateT, outcomes: Sequence[object], place: str, trace: str | None) -> None:
        """Take over what was decided on `state`: whole, or not at all where the core raises."""
        facts: list[tuple[Fact, str, str | None]] = []
        for outcome in outcomes:
            event, causation = (outcome.fact, outcome.place) if isinstance(outcome, LateAnswer) else (outcome, place)
            state = self._definition.evolve(state, event)
            if isinstance(event, Fact):
                facts.append((event, causation, trace))
        self._facts += facts
        if state is not before:
            table: str = state.table  # type: ignore[attr-defined] # every state is of a table
            self._before.setdefault(table, before)
            self.states[table] = state

    def _take_undecodable(self, stream: Stream, entry_id: str, error: Undecodable) -> bool:
        place = f"{stream}/{entry_id}"
        if stream in REQUEST_STREAMS:
            if decider(stream, error.text("type")) == self._definition.name:
                self._rejects.append(reject(self._definition.name, place, error))
            self._move(stream, entry_id)
            return True
        table, sequence = error.text("subject"), self._heads[stream].sequence + 1
        if table not in self.quarantined:
            return self._stop(place, table, str(error))
        if error.text("sequence") != str(sequence):
            return self._stop(place, "", str(error))
        self._rejects.append(reject(self._definition.name, place, error))
        self._heads[stream] = ChainHead(sequence, error.text("chain"))
        self._move(stream, entry_id)
        return True

    def _stop(self, place: str, table: str, cause: str) -> bool:
        self.impassable = Impassable(place, table, cause)
        return False

    def _move(self, stream: Stream, entry_id: str) -> None:
        self.positions[stream] = entry_id
        self.taken[stream] += 1
        self._moved.add(stream)

    def seal(self, time: str) -> list[bytes]:
        """The arguments of `commit_v1` for all that is decided."""
        head = self._cursor.head
        facts: list[list[bytes]] = []
        for fact, causation, traceparent in self._facts:
            values, head = seal(
                fact, head, source=self._source, time=time, causation=causation, traceparent=traceparent
            )
            facts.append(values)
        self._next = (secrets.token_hex(16), head)
        landings, cursors = self._landings_and_cursors()
        return commit_arguments(
            self._cursor.version,
            self._next[0],
            landings=landings,
            cursors=[*cursors, (b"sequence", b"%d" % head.sequence), (b"chain", head.chain.encode())],
            facts=facts,
            rejects=self._rejects,
            records=[
                change
                for table, before in self._before.items()
                for change in self._records.changes(table, before, self.states[table])
            ],
        )

    def _landings_and_cursors(self) -> tuple[list[tuple[bytes, bytes]], list[tuple[bytes, bytes]]]:
        landings: list[tuple[bytes, bytes]] = []
        cursors = [(b"format", b"%d" % self._definition.record_format)]
        for number, stream in enumerate(self._definition.inputs, start=5):
            if stream in self._moved and stream not in self._corrected:
                landings.append((b"%d" % number, self.positions[stream].encode()))
            if stream not in self._moved | self._corrected:
                continue
            cursors.append((stream.encode(), self.positions[stream].encode()))
            if stream in REQUEST_STREAMS:
                cursors.append((f"{stream}.taken".encode(), b"%d" % self.taken[stream]))
            else:
                read = self._heads[stream]
                cursors.append((f"{stream}.sequence".encode(), b"%d" % read.sequence))
                cursors.append((f"{stream}.chain".encode(), read.chain.encode()))
        return landings, cursors

    def acknowledged(self) -> None:
        """The last sealed step is written."""
        self._cursor.version, self._cursor.head = self._next
        for table in self._before:
            self.states[table] = self._records.stored(self.states[table])
        self._forget_decided()
