"""A pit is taken only as its commits have left it: cursor, records and own stream belong together."""

import pytest
from structlog.typing import EventDict

from schemas.streams import cursor_key, state_key
from tests.runtime.pits import ToyPit, said, soon
from tests.runtime.toy import DEFINITION, bet, opened

# What somebody did behind our back, and how the pit names it.
FAULTS = {
    "the state is deleted": "StateLost",
    "the state is of another commit": "StateLost",
    "the cursor is deleted": "StateLost",
    "cursor and state are deleted": "HistoryLost",
    "the newest fact is deleted": "HistoryLost",
    "the own stream is deleted": "HistoryLost",
    "a fact is added": "HistoryLost",
}


def strike(pit: ToyPit, fault: str) -> None:
    """Do it."""
    cursor, state = cursor_key(pit.name, DEFINITION.name), state_key(pit.name, DEFINITION.name)
    (newest, _), *_ = pit.client.xrevrange(pit.key("bets"))
    match fault:
        case "the state is deleted":
            pit.client.delete(state)
        case "the state is of another commit":
            pit.client.hset(state, "version", "another")
        case "the cursor is deleted":
            pit.client.delete(cursor)
        case "cursor and state are deleted":
            pit.client.delete(cursor, state)
        case "the newest fact is deleted":
            pit.client.xdel(pit.key("bets"), newest)
        case "the own stream is deleted":
            pit.client.delete(pit.key("bets"))
        case _:
            pit.add("bets", opened(1, first=3)[0])


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_pit_whose_records_were_touched_is_not_played_on(
    toy_pit: ToyPit, log: list[EventDict], fault: str
) -> None:
    first = await toy_pit.start_and_wait()
    toy_pit.send("wagers", bet(), bet())
    await soon(lambda: len(toy_pit.facts()) == 2)
    first.stop.set()
    await toy_pit.ended()
    strike(toy_pit, fault)
    before = toy_pit.client.xlen(toy_pit.key("bets"))
    toy_pit.send("wagers", bet())
    second = toy_pit.start()
    await soon(lambda: said(log, "loading again"))
    assert FAULTS[fault] in said(log, "loading again")[0]["error"]
    assert not second.loaded
    assert toy_pit.client.xlen(toy_pit.key("bets")) == before


async def test_a_pit_stops_at_a_fact_that_is_not_what_its_chain_says(toy_pit: ToyPit, log: list[EventDict]) -> None:
    pit = await toy_pit.start_and_wait()
    first, second = opened(2)
    second[second.index(b"time") + 1] = b"2026-01-01T00:00:00.000001Z"
    for fact in (first, second):
        toy_pit.add("cards", fact)
    await soon(lambda: pit.impassable is not None)
    assert pit.impassable is not None
    assert "chain" in pit.impassable.cause


async def test_a_pit_that_is_loaded_again_goes_on_with_the_chain_of_what_it_read(toy_pit: ToyPit) -> None:
    first, second = opened(2)
    pit = await toy_pit.start_and_wait()
    toy_pit.add("cards", first)
    await soon(lambda: toy_pit.cursor("cards.sequence") == "1")
    pit.stop.set()
    await toy_pit.ended()
    again = toy_pit.start()
    toy_pit.add("cards", second)
    await soon(lambda: toy_pit.cursor("cards.sequence") == "2")
    assert again.impassable is None
