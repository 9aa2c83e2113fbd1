"""Records: how a core's states stand in the state hash, so that a step writes what it changed and not the world.

A state is one frozen Struct a table. Its `dict[str, X]` fields are parts: one record an item. All else is one record,
the head. A record's name is a JSON array: `["macau-1"]` the head, `["macau-1","stakes","…"]` an item of a part.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

import msgspec

StateT = TypeVar("StateT", bound=msgspec.Struct)

_encode = msgspec.json.encode


class Records(Generic[StateT]):
    """The records of one kind of state."""

    def __init__(self, state_type: type[StateT]) -> None:
        self._state_type = state_type
        self._head_decoder = msgspec.json.Decoder(state_type)
        self._part_decoders = {
            name: msgspec.json.Decoder(get_args(hint)[1])
            for name, hint in get_type_hints(state_type).items()
            if get_origin(hint) is dict
        }
        self._no_parts: dict[str, Any] = {name: {} for name in self._part_decoders}

    def initial(self, table: str) -> StateT:
        """The state of a table that was never seen."""
        return self._state_type(table=table)

    def changes(self, table: str, old: StateT, new: StateT) -> Iterator[tuple[bytes, bytes | None]]:
        """The records that tell `new` from `old`: name and JSON, or None for one that is gone."""
        if old is new:
            return
        old_head = msgspec.structs.replace(old, **self._no_parts)
        new_head = msgspec.structs.replace(new, **self._no_parts)
        if old_head != new_head:
            yield _encode([table]), _encode(new_head)
        for part in self._part_decoders:
            before: dict[str, Any] = getattr(old, part)
            after: dict[str, Any] = getattr(new, part)
            if before is after:
                continue
            for key, value in after.items():
                if before.get(key) is not value:
                    yield _encode([table, part, key]), _encode(value)
            for key in before.keys() - after.keys():
                yield _encode([table, part, key]), None

    def load(self, rows: Mapping[bytes, bytes]) -> dict[str, StateT]:
        """All states of a state hash, by table."""
        heads: dict[str, StateT] = {}
        parts: dict[str, dict[str, dict[str, Any]]] = {}
        for name, value in rows.items():
            table, *rest = msgspec.json.decode(name, type=list[str])
            if rest:
                part, key = rest
                decoded = self._part_decoders[part].decode(value)
                parts.setdefault(table, {}).setdefault(part, {})[key] = decoded
            else:
                heads[table] = self._head_decoder.decode(value)
        for table, found in parts.items():
            heads[table] = msgspec.structs.replace(heads.get(table, self.initial(table)), **found)
        return heads
