"""Records: how a core's states stand in the state hash, so that a step writes what it changed and not the world.

A state is one frozen Struct a table. Its parts (`services/decider/part.py`) are one record an item. All else is one
record, the head. A record's name is a JSON array: `["macau-1"]` the head, `["macau-1","layout","…"]` an item of a part.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from services.decider.part import Part

StateT = TypeVar("StateT", bound=msgspec.Struct)

_encode = msgspec.json.encode


class Records(Generic[StateT]):
    """The records of one kind of state."""

    def __init__(self, state_type: type[StateT]) -> None:
        self._state_type = state_type
        self._head_decoder = msgspec.json.Decoder(state_type)
        self._no_parts = {name: part for name, part in _fields(self.initial("")).items() if isinstance(part, Part)}
        hints = get_type_hints(state_type)
        self._item_decoders = {name: msgspec.json.Decoder(_item_type(hints[name])) for name in self._no_parts}

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
        for name in self._no_parts:
            part: Part[Any] = getattr(new, name)
            for key in part.changed:
                item = part.get(key)
                yield _encode([table, name, key]), None if item is None else _encode(item)

    def stored(self, state: StateT) -> StateT:
        """The same state, once its changes are written."""
        parts: dict[str, Part[Any]] = {name: part for name in self._no_parts if (part := getattr(state, name)).changed}
        if not parts:
            return state
        return msgspec.structs.replace(state, **{name: part.stored() for name, part in parts.items()})

    def load(self, rows: Mapping[bytes, bytes]) -> dict[str, StateT]:
        """All states of a state hash, by table."""
        loading = self.loading()
        for name, value in rows.items():
            loading.add(name, value)
        return loading.states()

    def loading(self) -> "Loading[StateT]":
        """To load a state hash row by row: a large one would keep other pits waiting."""
        return Loading(self)

    def decode_head(self, value: bytes) -> StateT:
        """A state without its parts."""
        return self._head_decoder.decode(value)

    def decode_item(self, part: str, value: bytes) -> Any:
        """An item of this part."""
        return self._item_decoders[part].decode(value)

    def with_items(self, state: StateT, items: Mapping[str, Mapping[str, Any]]) -> StateT:
        """The state with these items of its parts."""
        parts = {name: type(self._no_parts[name])(theirs) for name, theirs in items.items()}
        return msgspec.structs.replace(state, **parts)


class Loading(Generic[StateT]):
    """The rows of a state hash on the way to states."""

    def __init__(self, records: Records[StateT]) -> None:
        self._records = records
        self._heads: dict[str, StateT] = {}
        self._items: dict[str, dict[str, dict[str, Any]]] = {}

    def add(self, name: bytes, value: bytes) -> None:
        """One row."""
        table, *rest = msgspec.json.decode(name, type=list[str])
        if rest:
            part, key = rest
            decoded = self._records.decode_item(part, value)
            self._items.setdefault(table, {}).setdefault(part, {})[key] = decoded
        else:
            self._heads[table] = self._records.decode_head(value)

    def states(self) -> dict[str, StateT]:
        """All states, by table."""
        for table, items in self._items.items():
            state = self._heads.get(table) or self._records.initial(table)
            self._heads[table] = self._records.with_items(state, items)
        return self._heads


def _fields(state: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(state, name) for name in state.__struct_fields__}


def _item_type(hint: Any) -> Any:
    """X of Part[X], or of a subclass of it."""
    generic = hint if get_origin(hint) else hint.__orig_bases__[0]
    return get_args(generic)[-1]
