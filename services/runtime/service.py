"""What the runtime must know of a service: its name, its streams and its core."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from schemas.codec import Entry
from schemas.events import Event, Fact
from schemas.streams import FACT_STREAMS, READS, Service, Stream

StateT = TypeVar("StateT", bound=msgspec.Struct)


class Meter(Protocol):
    """Measures a service's part of the draw decision. Times are seconds of one monotonic clock."""

    def read(self, pit: str, entry: Entry, read_at: float) -> None:
        """An entry of a pit was read."""

    def committed(self, pit: str, facts: Sequence[Fact], read_at: float, committed_at: float) -> None:
        """The facts of a pit's step are acknowledged; `read_at` is when the entries of the step were read."""


class Keys(Protocol):
    """The secret keys of a replica, for a service that has some. A fingerprint names a key and tells nothing of it."""

    @property
    def fingerprints(self) -> Sequence[str]:
        """Those of its keys, in their order. The other replicas hear them."""

    def heard(self, pit: str, fingerprints: Set[str]) -> None:
        """The keys that all live replicas of a pit have."""

    def lacks(self, state: Any) -> str | None:
        """The fingerprint of the key that a table waits for; empty: any key at all; None: it waits for none."""

    def resume(self, pit: str, state: Any) -> Sequence[object]:
        """What follows at a table, when its pit is loaded, from the keys being here. Each fact is a LateAnswer."""


@dataclass(frozen=True)
class Definition(Generic[StateT]):
    """A service: its name, which says what it reads and writes, and its core.

    `waits_for`: the stream and entry id up to which another stream must be taken before this event is.
    `keys`: its secret keys; None where it needs none.
    `record_format` goes up when older code could not read the records any more.
    """

    name: Service
    state: type[StateT]
    decide: Callable[[StateT, Entry], Sequence[object]]
    evolve: Callable[[StateT, Any], StateT]
    meter: Meter
    waits_for: Callable[[Event], tuple[Stream, str] | None] = lambda event: None
    record_format: int = 1
    keys: Keys | None = None

    @property
    def inputs(self) -> tuple[Stream, ...]:
        """The streams that this service reads, the first ranked highest."""
        return READS[self.name]

    @property
    def output(self) -> Stream:
        """The stream that this service alone writes."""
        return FACT_STREAMS[self.name]
