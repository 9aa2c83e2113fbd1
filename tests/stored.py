"""One table's records, as a server would hold them."""

from typing import Generic, TypeVar

import msgspec

from services.runtime.records import Records

StateT = TypeVar("StateT", bound=msgspec.Struct)


class Stored(Generic[StateT]):
    """What the steps of one table have written."""

    def __init__(self, state_type: type[StateT], table: str) -> None:
        self.rows: dict[bytes, bytes] = {}
        self.written: dict[bytes, bytes | None] = {}  # by the last step; None: removed
        self._records = Records(state_type)
        self._table = table

    def reloaded(self, before: StateT, after: StateT) -> StateT:
        """Write what a step changed, and load all that is written: the state that the next step finds."""
        self.written = dict(self._records.changes(self._table, before, after))
        for name, value in self.written.items():
            if value is None:
                self.rows.pop(name, None)
            else:
                self.rows[name] = value
        return self._records.load(self.rows).get(self._table, self._records.initial(self._table))
