"""The arguments of `commit_v1`, in the order that functions.lua states."""

from collections.abc import Iterable, Sequence

Pairs = Sequence[tuple[bytes, bytes]]


def commit_arguments(
    expected: str,
    version: str,
    *,
    landings: Pairs,
    cursors: Pairs,
    facts: Sequence[Sequence[bytes]],
    rejects: Sequence[Sequence[bytes]],
    records: Iterable[tuple[bytes, bytes | None]],
) -> list[bytes]:
    """What one step writes. `facts` and `rejects` are entries: name, value, …; a record without a value is removed."""
    written: list[tuple[bytes, bytes]] = []
    removed: list[bytes] = []
    for name, value in records:
        if value is None:
            removed.append(name)
        else:
            written.append((name, value))
    arguments = [expected.encode(), version.encode()]
    for pairs in (landings, cursors):
        _add_pairs(arguments, pairs)
    for entries in (facts, rejects):
        arguments.append(b"%d" % len(entries))
        for entry in entries:
            arguments.append(b"%d" % len(entry))
            arguments += entry
    _add_pairs(arguments, written)
    arguments.append(b"%d" % len(removed))
    arguments += removed
    return arguments


def _add_pairs(arguments: list[bytes], pairs: Pairs) -> None:
    arguments.append(b"%d" % len(pairs))
    for pair in pairs:
        arguments += pair
