"""Comparing the facts that followed a step with those that the scenario expects, in their order.

Facts of one stream have an order. Of two facts on different streams one is earlier only when it is the cause of the
other. So a scenario gives the same answer in memory and on real streams.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from services.floor.scenario.file_format import Expected, Step

_TEXT_MAX: Final = 300


class Heard(msgspec.Struct, frozen=True):
    """A fact or a reject as it was read: its place, its cause (`causation`), and its data."""

    stream: str
    entry_id: str
    type: str
    table: str
    causation: str
    data: dict[str, Any]

    @property
    def place(self) -> str:
        """`<stream>/<entry id>`."""
        return f"{self.stream}/{self.entry_id}"

    def __str__(self) -> str:
        text = msgspec.json.encode({name: value for name, value in self.data.items() if name != "table"}).decode()
        return f"{self.stream} {self.type} {text if len(text) <= _TEXT_MAX else text[:_TEXT_MAX] + ' …'}"


def heard_fact(stream: str, entry_id: str, fields: Mapping[bytes, bytes]) -> Heard:
    """A fact, from its entry."""
    text = {name.decode(): value.decode() for name, value in fields.items()}
    data = msgspec.json.decode(text["data"])
    return Heard(stream, entry_id, text["type"], text["subject"], text["causation"], data)


def heard_reject(entry_id: str, fields: Mapping[bytes, bytes]) -> Heard:
    """A reject, from its entry. All its fields are its data, and its type is that of the rejected entry."""
    text = {name.decode(): value.decode(errors="replace") for name, value in fields.items()}
    cause = f"{text['stream']}/{text['entry']}"
    return Heard("rejects", entry_id, text["type"], "", cause, dict(text))


def difference(step: Step, heard: Sequence[Heard]) -> str | None:
    """What differs between the facts heard and those expected, in lines that say expected and got; None if nothing."""
    earlier = _earlier(heard)
    taken: list[Heard] = []
    for expected in step.expect:
        found = next((fact for fact in heard if _may_follow(fact, taken, earlier) and _fits(expected, fact)), None)
        if found is None:
            return _told(step, str(expected), _nearest(expected, heard, taken, earlier), heard)
        taken.append(found)
    for absent in step.absent:
        if there := next((fact for fact in heard if fact.type == absent), None):
            return _told(step, f"no {absent}", str(there), heard)
    if step.exactly and (others := [fact for fact in heard if fact not in taken]):
        return _told(step, "nothing else", str(others[0]), heard)
    return None


def matches(expected: Any, got: Any) -> bool:
    """Whether a value is the expected one. Of a table only the expected fields are compared, of a list all items."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return all(name in got and matches(value, got[name]) for name, value in expected.items())
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(matches, expected, got))
    return type(expected) is type(got) and bool(expected == got)


def _fits(expected: Expected, fact: Heard) -> bool:
    return expected.type == fact.type and expected.stream in (None, fact.stream) and matches(expected.fields, fact.data)


def _may_follow(fact: Heard, taken: Sequence[Heard], earlier: Mapping[str, frozenset[str]]) -> bool:
    """Whether a fact can come after all that are taken: it is none of them, and surely earlier than none."""
    return not any(fact.place == other.place or fact.place in earlier[other.place] for other in taken)


def _earlier(heard: Sequence[Heard]) -> dict[str, frozenset[str]]:
    """For each fact, by its place: the facts that surely came before it, on its own stream or as causes."""
    by_place = {fact.place: fact for fact in heard}
    last: dict[str, str] = {}
    before: dict[str, str | None] = {}
    for fact in heard:
        before[fact.place] = last.get(fact.stream)
        last[fact.stream] = fact.place
    found: dict[str, frozenset[str]] = {}

    def of(place: str) -> frozenset[str]:
        if place not in found:
            found[place] = frozenset()
            causes = [cause for cause in (before[place], by_place[place].causation) if cause in by_place]
            found[place] = frozenset(causes).union(*(of(cause) for cause in causes))
        return found[place]

    for fact in heard:
        of(fact.place)
    return found


def _nearest(
    expected: Expected, heard: Sequence[Heard], taken: Sequence[Heard], earlier: Mapping[str, frozenset[str]]
) -> str:
    """What came instead of the expected fact: one of its type with the fields that differ, or none of its type."""
    same = [fact for fact in heard if fact.type == expected.type and expected.stream in (None, fact.stream)]
    for fact in same:
        if _may_follow(fact, taken, earlier):
            other = {
                name: fact.data.get(name, "missing")
                for name, value in expected.fields.items()
                if name not in fact.data or not matches(value, fact.data[name])
            }
            return str(Expected(fact.type, fact.stream, other))
    return f"{expected.type} only before {taken[-1].type}" if same else f"no {expected.type}"


def _told(step: Step, expected: str, got: str, heard: Sequence[Heard]) -> str:
    lines = [f"{step}", f"  expected: {expected}", f"  got:      {got}", *(f"    {fact}" for fact in heard)]
    return "\n".join(lines if heard else [*lines, "    no fact followed"])
