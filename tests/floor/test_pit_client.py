"""Following facts: the chain is checked with every entry."""

import pytest

from services.floor.pit_client import BrokenChain, Follower, Raw
from tests.floor import made

ENTRIES = made.sealed(made.round_opened(1), made.card_dealt(1, 2, "player", "8H"), made.round_ended(1))


def test_entries_are_decoded_in_their_order() -> None:
    follower = Follower("demo", "cards")
    found = [*follower.take(ENTRIES[:1]), *follower.take(ENTRIES[1:])]
    assert [entry.type for entry in found] == ["round.opened", "card.dealt", "round.ended"]
    assert (follower.last_id, follower.sequence) == ("3-0", 3)


def test_a_stream_trimmed_before_the_first_reading_is_taken_as_it_comes() -> None:
    assert len(Follower("demo", "cards").take(ENTRIES[1:])) == 2


@pytest.mark.parametrize(
    "entries",
    [
        [ENTRIES[0], ENTRIES[2]],
        [ENTRIES[0], ENTRIES[0]],
        [ENTRIES[0], (b"2-0", {**ENTRIES[1][1], b"data": ENTRIES[1][1][b"data"].replace(b"8H", b"9H")})],
        [(b"1-0", {**ENTRIES[0][1], b"time": b"2026-01-01T00:00:01Z"})],
    ],
    ids=["missing", "twice", "another-card", "another-time"],
)
def test_an_entry_that_does_not_continue_the_one_before_is_an_error(entries: list[Raw]) -> None:
    with pytest.raises(BrokenChain):
        Follower("demo", "cards").take(entries)
