"""A pit's task on real servers: what it writes, in which order, and where it stops."""

import asyncio
import dataclasses

import pytest
from structlog.typing import EventDict

from schemas.codec import Entry
from schemas.requests import BetPlace
from schemas.streams import cursor_key
from services.decider.outcome import Outcome
from services.runtime.step import READ_COUNT
from tests.runtime.pits import ToyPit, metric, said, soon
from tests.runtime.toy import BREAKS, DEFINITION, State, bet, cancel, close, decide, opened


async def test_requests_become_facts_and_are_counted(toy_pit: ToyPit) -> None:
    before = metric("baccarat_facts_total", type="bet.accepted")
    toy_pit.send("wagers", bet(amount_minor=1), bet(amount_minor=2))
    toy_pit.start()
    await soon(lambda: toy_pit.facts() == ["bet.accepted t 1", "bet.accepted t 2"])
    toy_pit.send("console", close(toy_pit.cursor("wagers")))
    await soon(lambda: toy_pit.facts()[2:] == ["betting.closed t"])
    await soon(lambda: metric("baccarat_facts_total", type="bet.accepted") == before + 2)


async def test_what_is_no_event_is_rejected_and_counted(toy_pit: ToyPit) -> None:
    before = metric("baccarat_rejects_total")
    toy_pit.add("wagers", [b"type", b"bet.place", b"data", b"{"])
    toy_pit.start()
    await soon(lambda: toy_pit.rejects() == [("wagers", "wrong_shape")])
    await soon(lambda: metric("baccarat_rejects_total") == before + 1)


async def test_an_error_of_ours_stops_the_pit_at_the_entry_until_its_table_is_set_aside(
    toy_pit: ToyPit, log: list[EventDict]
) -> None:
    pit = await toy_pit.start_and_wait()
    with toy_pit.client.pipeline() as together:
        toy_pit.send("wagers", bet("good"), bet("bad", BREAKS), bet("bad"), bet("good", 3), client=together)
        *_, impassable, _, _ = together.execute()
    await soon(lambda: pit.impassable is not None)
    assert toy_pit.facts() == ["bet.accepted good 100"]
    (line,) = said(log, "pit stopped")
    assert (line["log_level"], line["entry"], line["table"]) == ("error", f"wagers/{impassable.decode()}", "bad")
    assert "told to break" in line["cause"]
    toy_pit.set_aside("bad")
    await soon(lambda: pit.impassable is None)
    await soon(lambda: toy_pit.facts() == ["bet.accepted good 100", "bet.accepted good 3"])
    assert toy_pit.rejects() == [("wagers", "quarantined")] * 2


async def test_of_two_owners_one_commits_and_the_other_conflicts(toy_pit: ToyPit, log: list[EventDict]) -> None:
    def outcomes() -> tuple[float, float]:
        count = metric("baccarat_commits_total", outcome="ok"), metric("baccarat_commits_total", outcome="conflict")
        return count[0] - before[0], count[1] - before[1]

    before = (0.0, 0.0)
    before = outcomes()
    for _ in range(2):
        await toy_pit.start_and_wait()
    toy_pit.send("wagers", bet())
    await soon(lambda: outcomes() == (1, 1))
    assert toy_pit.facts() == ["bet.accepted t 100"]
    await soon(lambda: len(said(log, "loaded")) == 3)
    toy_pit.send("console", close("0-0"))
    await soon(lambda: outcomes()[0] == 2)
    assert toy_pit.facts() == ["bet.accepted t 100", "betting.closed t"]


async def test_a_blocked_read_that_wakes_on_wagers_takes_the_console_first(toy_pit: ToyPit) -> None:
    await toy_pit.start_and_wait()
    with toy_pit.client.pipeline(transaction=True) as together:
        toy_pit.send("wagers", bet(), client=together)
        toy_pit.send("console", close("0-0"), client=together)
        wager, _ = together.execute()
    await soon(lambda: toy_pit.cursor("wagers") == wager.decode())
    assert toy_pit.facts() == ["betting.closed t"]


def _decide_once_a_round_is_open(state: State, entry: Entry) -> list[Outcome]:
    return [] if isinstance(entry.event, BetPlace) and not state.rounds else decide(state, entry)


async def test_a_blocked_read_that_wakes_on_wagers_takes_the_cards_first(toy_pit: ToyPit) -> None:
    await toy_pit.start_and_wait(dataclasses.replace(DEFINITION, decide=_decide_once_a_round_is_open))
    with toy_pit.client.pipeline(transaction=True) as together:
        toy_pit.send("wagers", bet(), client=together)
        toy_pit.add("cards", opened(1)[0], client=together)
        wager, _ = together.execute()
    await soon(lambda: toy_pit.cursor("wagers") == wager.decode())
    assert toy_pit.facts() == ["bet.accepted t 100"]


async def test_entries_without_effect_are_committed_within_about_a_second(toy_pit: ToyPit) -> None:
    await toy_pit.start_and_wait()
    toy_pit.send("wagers", cancel())
    (entry_id,) = [entry_id.decode() for entry_id, _ in toy_pit.client.xrange(toy_pit.key("wagers"))]
    await soon(lambda: toy_pit.cursor("wagers") == entry_id, seconds=2.0)
    assert toy_pit.facts() == []


async def test_entries_without_effect_are_committed_at_stop(toy_pit: ToyPit) -> None:
    pit = await toy_pit.start_and_wait()
    pit.stop.set()
    toy_pit.send("wagers", cancel())
    await toy_pit.ended()
    assert toy_pit.cursor("wagers") != ""


@pytest.mark.parametrize("stop_after", range(8))
async def test_a_pit_that_is_stopped_while_it_loads_leaves_nothing_half_done(toy_pit: ToyPit, stop_after: int) -> None:
    toy_pit.send("wagers", bet())
    pit = toy_pit.start()
    for _ in range(stop_after):
        await asyncio.sleep(0)
    pit.stop.set()
    await toy_pit.ended()
    assert (toy_pit.facts(), toy_pit.cursor("sequence")) in [([], ""), (["bet.accepted t 100"], "1")]
    assert pit.connection is None


async def test_records_of_a_newer_format_are_not_taken(toy_pit: ToyPit, log: list[EventDict]) -> None:
    cursor = cursor_key(toy_pit.name, DEFINITION.name)
    toy_pit.client.hset(cursor, mapping={"format": DEFINITION.record_format + 1})
    toy_pit.send("wagers", bet())
    before = metric("baccarat_commits_total", outcome="error")
    toy_pit.start()
    await soon(lambda: metric("baccarat_commits_total", outcome="error") >= before + 3)
    assert toy_pit.facts() == []
    (line,) = said(log, "loading again")
    assert "format 2" in line["error"]
    assert not said(log, "loaded")
    toy_pit.client.hset(cursor, mapping={"format": DEFINITION.record_format})
    await soon(lambda: toy_pit.facts() == ["bet.accepted t 100"])


ATTEMPTS = 6


@pytest.mark.parametrize("fault", ["input of another type", "output of another type", "no right to commit"])
async def test_a_lasting_error_is_tried_with_backoff_and_said_once(
    toy_pit: ToyPit, log: list[EventDict], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def no_wait(event: asyncio.Event, seconds: float) -> bool:
        waits.append(seconds)
        await asyncio.sleep(0.001)
        return event.is_set()

    monkeypatch.setattr("services.runtime.pit.wait", no_wait)
    url = toy_pit.url
    with toy_pit.client.pipeline() as backlog:  # a read without effect goes well before each commit that does not
        toy_pit.send("wagers", *(cancel() for _ in range(READ_COUNT)), bet(), client=backlog)
        backlog.execute()
    match fault:
        case "input of another type":
            toy_pit.client.set(toy_pit.key("cards"), "a string")
        case "output of another type":
            toy_pit.client.set(toy_pit.key("bets"), "a string")
        case _:
            user = f"user-{toy_pit.name}"
            toy_pit.client.acl_setuser(
                user, enabled=True, reset=True, passwords=["+secret"], keys=["*"], commands=["+@all", "-xadd"]
            )
            url = f"redis://{user}:secret@{url.partition('@')[2]}"
    pit = toy_pit.start(url=url)
    await soon(lambda: len(waits) >= ATTEMPTS)
    assert waits[:ATTEMPTS] == [0.01, 0.02, 0.04, 0.08, 0.16, 0.32]
    assert pit.impassable is None
    assert len(said(log, "loading again")) == 1
    assert len(said(log, "loaded")) == 1
    toy_pit.client.delete(toy_pit.key("cards"))
    if "output" in fault:
        toy_pit.client.delete(toy_pit.key("bets"))
    if "right" in fault:
        toy_pit.client.acl_setuser(user, enabled=True, commands=["+xadd"])
    await soon(lambda: toy_pit.facts() == ["bet.accepted t 100"])
    await soon(lambda: len(said(log, "going on")) == 1)


async def test_an_error_that_comes_back_is_said_again(toy_pit: ToyPit, log: list[EventDict]) -> None:
    toy_pit.start()
    for _ in range(2):
        toy_pit.client.set(toy_pit.key("rejects"), "a string")
        toy_pit.send("wagers", bet())
        await soon(lambda: said(log, "loading again"))
        toy_pit.client.delete(toy_pit.key("rejects"))
        (line,) = await soon(lambda: said(log, "going on"))
        assert "WRONGTYPE" in line["after"]
        log.clear()
    assert toy_pit.facts() == ["bet.accepted t 100"] * 2


async def test_an_unreadable_name_in_quarantine_keeps_nobody_from_playing(toy_pit: ToyPit) -> None:
    toy_pit.set_aside(b"\xff\xfe")
    toy_pit.send("wagers", bet())
    toy_pit.start()
    await soon(lambda: toy_pit.facts() == ["bet.accepted t 100"])
