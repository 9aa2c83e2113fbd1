"""The stored samples, one for each type of event, and ways to spoil them."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from schemas.events import Event
from schemas.streams import EVENTS

DIRECTORY: Final = Path(__file__).parents[1] / "golden"
CLASSES: Final[dict[str, type[Event]]] = {event.type: event for events in EVENTS.values() for event in events}
SAMPLES: Final[dict[str, Any]] = {path.stem: json.loads(path.read_text("utf-8")) for path in DIRECTORY.glob("*.*.json")}

FieldPath = tuple[str | int, ...]

# What stands for a value of another JSON type, whatever else a field takes. A field that is null in its sample may
# take a text, a number or a truth value; none takes a list.
_OTHER_TYPES: Final[dict[type, tuple[Any, ...]]] = {
    str: (7, True, [], {}),
    bool: (0, "true", [], {}),
    int: ("7", 7.5, True, [], {}),
    type(None): ([], {}),
    list: ("", 0, {}, None),
    dict: ("", 0, [], None),
}


def fields(value: Any, path: FieldPath = ()) -> Iterator[FieldPath]:
    """The path of every field and element inside a value, outer ones first."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield (*path, key)
        yield from fields(part, (*path, key))


def at(value: Any, path: FieldPath) -> Any:
    """What stands at a path."""
    for key in path:
        value = value[key]
    return value


def without(value: Any, path: FieldPath) -> Any:
    """A copy without the field at this path."""
    spoiled = copy.deepcopy(value)
    del at(spoiled, path[:-1])[path[-1]]
    return spoiled


def with_other_types(value: Any, path: FieldPath) -> Iterator[Any]:
    """Copies with a value of another JSON type at this path."""
    for other in _OTHER_TYPES[type(at(value, path))]:
        spoiled = copy.deepcopy(value)
        at(spoiled, path[:-1])[path[-1]] = other
        yield spoiled
