"""Part: a state's items of one kind, each a record of its own. Frozen, like all of a state.

A table may have thousands of items, and a step changes one or two. A changed copy shares all else with its original (a
hash array mapped trie, Bagwell 2001), and it names the items that are not stored yet, so that nobody has to look for
them. Items come in no order.
"""

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from typing import Self, TypeVar, cast

import immutables

ItemT = TypeVar("ItemT")


class Part(Mapping[str, ItemT]):
    """Items by key. `changed`: the keys whose records are not what the items say, of items that are gone too.

    A subclass keeps sums or indexes of its items right in `_replaced`, which it is told of each single change.
    """

    def __init__(self, items: Mapping[str, ItemT] | None = None) -> None:
        self._items: immutables.Map[str, ItemT] = immutables.Map()
        self._changed: immutables.Map[str, None] = immutables.Map()
        for key, item in (items or {}).items():
            self._put(key, item)
        self._changed = immutables.Map()

    def with_item(self, key: str, item: ItemT) -> Self:
        """A copy with this item under its key."""
        changed = self._copy()
        changed._put(key, item)
        return changed

    def with_changes(self, changes: Mapping[str, ItemT | None]) -> Self:
        """A copy with these items, and without those that are None."""
        changed = self._copy()
        for key, item in changes.items():
            if item is not None:
                changed._put(key, item)
            elif key in self._items:
                changed._replaced(key, self._items[key], None)
                changed._items = changed._items.delete(key)
                changed._changed = changed._changed.set(key, None)
        return changed

    def stored(self) -> Self:
        """A copy whose records say all that its items say."""
        if not self._changed:
            return self
        changed = self._copy()
        changed._changed = immutables.Map()
        return changed

    @property
    def changed(self) -> Iterable[str]:
        """The keys whose records are to be written, or removed where no item stands under them."""
        return self._changed.keys()

    # The trie's own views: those of Mapping would ask for each item by its key.
    def items(self) -> ItemsView[str, ItemT]:
        """Keys and items, in no order."""
        return cast("ItemsView[str, ItemT]", self._items.items())

    def values(self) -> ValuesView[ItemT]:
        """The items, in no order."""
        return cast("ValuesView[ItemT]", self._items.values())

    def __getitem__(self, key: str) -> ItemT:
        return self._items[key]

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self._items)!r})"

    def _copy(self) -> Self:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        return copy

    def _put(self, key: str, item: ItemT) -> None:
        self._replaced(key, self._items.get(key), item)
        self._items = self._items.set(key, item)
        self._changed = self._changed.set(key, None)

    def _replaced(self, key: str, before: ItemT | None, after: ItemT | None) -> None:
        """One item is about to be another, to come (`before` is None) or to go (`after` is None)."""
