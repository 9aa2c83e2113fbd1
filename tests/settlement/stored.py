"""A table's records as a server would hold them, and what a state knows in a form that tests compare."""

from typing import Any, Final

import msgspec

from services.decider.part import Part
from services.runtime.records import Records
from services.settlement.books.stakes import Stake
from services.settlement.core import State

RECORDS: Final = Records(State)


class Stored:
    """The records of one table. `changed`: what the last step wrote (True) or removed (False), by part and key.

    `checks`: whether each step is checked; this takes as long as there are records.
    """

    def __init__(self, table: str, *, checks: bool = True) -> None:
        self._table = table
        self._checks = checks
        self._records: dict[bytes, bytes] = {}
        self.changed: dict[tuple[str, ...], bool] = {}

    def write(self, before: State, after: State) -> State:
        """Write what a step changed; the state behind it. A state that is loaded from all records is the same."""
        self.changed = {}
        for name, value in RECORDS.changes(self._table, before, after):
            self.changed[tuple(msgspec.json.decode(name)[1:])] = value is not None
            if value is None:
                self._records.pop(name, None)
            else:
                self._records[name] = value
        stored = RECORDS.stored(after)
        if self._checks:
            loaded = RECORDS.load(self._records).get(self._table, RECORDS.initial(self._table))
            assert whole(loaded) == whole(stored)
            assert not stored.layout.keys() & stored.settled.keys(), "a stake is in play or has ended"
            assert all(stake.amount_minor > 0 for stake in stored.layout.values())
        return stored


def whole(state: State) -> dict[str, Any]:
    """All that a state holds: of its parts the items, and the sums and indexes that are kept with them."""
    fields = msgspec.structs.asdict(state)
    return {name: dict(vars(field)) if isinstance(field, Part) else field for name, field in fields.items()}


def known_stakes(state: State) -> dict[str, Stake]:
    """The stakes on the layout, and those that have ended."""
    return {**state.layout, **{bet_id: ended.stake for bet_id, ended in state.settled.items()}}
