"""Parts: frozen maps that know which of their records are not written yet."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.decider.part import Part

_keys = st.sampled_from(list("abcdef"))
_changes = st.lists(st.dictionaries(_keys, st.none() | st.integers(0, 9), max_size=4), max_size=12)


class Summed(Part[int]):
    """Keeps the sum of its items."""

    def __init__(self, items: Any = None) -> None:
        self.sum = 0
        super().__init__(items)

    def _replaced(self, key: str, before: int | None, after: int | None) -> None:
        self.sum += (after or 0) - (before or 0)


def test_a_changed_copy_leaves_its_original_as_it_was() -> None:
    first = Part({"a": 1})
    second = first.with_item("b", 2).with_item("a", 3)
    assert dict(first) == {"a": 1}
    assert dict(second) == {"a": 3, "b": 2}


def test_a_part_names_what_changed_since_it_was_stored() -> None:
    part = Part({"a": 1, "b": 2, "c": 3})
    assert set(part.changed) == set()
    part = part.with_item("a", 9).with_changes({"b": None, "d": 4, "no such": None})
    assert set(part.changed) == {"a", "b", "d"}
    assert set(part.stored().changed) == set()
    assert dict(part.stored()) == {"a": 9, "c": 3, "d": 4}


def test_parts_with_the_same_items_are_equal_whatever_is_stored_of_them() -> None:
    assert Part({"a": 1}) == Part[int]().with_item("a", 1)
    assert Part({"a": 1}) != Part({"a": 2})


@given(st.dictionaries(_keys, st.integers(0, 9)), _changes)
def test_a_part_is_a_dictionary_that_keeps_count(start: dict[str, int], changes: list[dict[str, int | None]]) -> None:
    part, plain, touched = Summed(start), dict(start), set()
    for change in changes:
        for key, item in change.items():
            if item is not None:
                plain[key] = item
                touched.add(key)
            elif plain.pop(key, None) is not None:
                touched.add(key)
        part = part.with_changes(change)
        assert (dict(part), len(part), part.sum) == (plain, len(plain), sum(plain.values()))
        assert sorted(part.items()) == sorted(plain.items())
    assert set(part.changed) == touched
