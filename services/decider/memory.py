"""The memory of requests: a request that comes again is told so, as far as its table remembers the first copy."""

import immutables
from msgspec import Struct

from schemas.codec import Entry
from schemas.facts import RequestRepeated
from services.decider.part import Part


class Seen(Struct, frozen=True, omit_defaults=True):
    """A request that was answered: who it is, what it said, where its first copy stands.

    `kept_since`: a count of the decider's own, by which it forgets.
    """

    identity: str
    digest: str
    place: str
    kept_since: int = 0


class RequestMemory(Part[Seen]):
    """The requests that a table remembers, each in a slot: a new one takes the slot of one that may be forgotten."""

    def __init__(self, items: dict[str, Seen] | None = None) -> None:
        self._slots: immutables.Map[str, str] = immutables.Map()
        super().__init__(items)

    def first_copy(self, entry: Entry) -> Seen | None:
        """The request of this identity that was answered."""
        slot = self._slots.get(entry.identity)
        return None if slot is None else self[slot]

    def with_answered(self, seen: Seen, number: int, slots: int) -> "RequestMemory":
        """With the request that was answered as number `number`, in the place of the one `slots` before it."""
        return self.with_item(str(number % slots), seen)

    def since(self, kept_since: int) -> "RequestMemory":
        """Without those of before."""
        return self.with_changes({slot: None for slot, seen in self.items() if seen.kept_since < kept_since})

    def _replaced(self, key: str, before: Seen | None, after: Seen | None) -> None:
        if before is not None:
            self._slots = self._slots.delete(before.identity)
        if after is not None:
            self._slots = self._slots.set(after.identity, key)


def repeated(entry: Entry, first: Seen) -> RequestRepeated | None:
    """The fact that tells a copy of its first; None where it says something else than the first."""
    if first.digest != entry.digest:
        return None
    return RequestRepeated(table=entry.event.table, request_id=entry.id, request_type=entry.type, first=first.place)
