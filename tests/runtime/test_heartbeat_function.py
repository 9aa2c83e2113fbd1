"""`alive_v1` on real servers: who lives, whatever the server's clock does."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from tests.servers import Server, eventually

_keys = itertools.count(1)
Beat = Callable[..., list[str]]


@pytest.fixture
def beat(server: Server) -> Beat:
    """A beat of a replica of a service of its own."""
    client: Any = server.client()
    key = f"baccarat:{{beat-{next(_keys)}}}:replicas:rules"

    def beat_once(name: str, word: str = "stay") -> list[str]:
        return sorted(row.decode() for row in client.fcall("alive_v1", 1, key, name, word))

    beat_once.client, beat_once.key = client, key  # type: ignore[attr-defined] # for the tests that set marks
    return beat_once


def mark(beat: Any, name: str, milliseconds: int) -> None:
    """Set a replica's mark so many milliseconds from the server's present."""
    seconds, microseconds = beat.client.time()
    beat.client.zadd(beat.key, {name: seconds * 1_000 + microseconds // 1_000 + milliseconds})


def test_replicas_that_beat_are_alive_until_they_leave(beat: Beat) -> None:
    assert beat("a") == ["a"]
    assert beat("b") == ["a", "b"]
    assert beat("a", "leave") == ["b"]
    assert beat("b", "leave") == []


def test_a_replica_that_beats_no_more_is_gone_within_two_seconds(beat: Beat) -> None:
    beat("a")
    assert beat("b") == ["a", "b"]
    eventually(lambda: beat("b") == ["b"], seconds=3.0)


# A mark's distance from the server's clock; a mark lies 2,000 ms ahead when it is made.
MARKS = [
    (-62_000, False),
    (-10, False),
    (1_000, True),
    (62_000, False),
    (3_600_000, False),
]


@pytest.mark.parametrize(("milliseconds", "alive"), MARKS)
def test_a_mark_of_another_time_is_nobody(beat: Beat, milliseconds: int, *, alive: bool) -> None:
    """A clock that was set back leaves the marks of the dead in the future."""
    mark(beat, "other", milliseconds)
    assert ("other" in beat("a")) is alive
    assert ("other" in beat("a", "leave")) is alive
