"""Requests that somebody removes before they are read: said in `rejects`, counted, and play goes on behind them."""

import pytest
from structlog.typing import EventDict

from tests.runtime.pits import ToyPit, metric, said, soon
from tests.runtime.toy import bet

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks last an instant."""
    monkeypatch.setattr("services.runtime.pit.LOOK_SECONDS", 0.05)


def strike(pit: ToyPit, fault: str) -> None:
    """Somebody does it while nobody reads. Three bets came before, two come with it; all but the last are gone."""
    wagers = pit.key("wagers")
    match fault:
        case "trimmed to one by XADD":
            pit.send("wagers", bet(amount_minor=1), bet(amount_minor=2))
            pit.client.xadd(wagers, {"no": "event"}, maxlen=1, approximate=False)
        case "trimmed by id":
            pit.send("wagers", bet(amount_minor=1), bet(amount_minor=2))
            (last, _), *_ = pit.client.xrevrange(wagers, count=1)
            pit.client.xtrim(wagers, minid=last.decode(), approximate=False)
        case "two deleted":
            pit.send("wagers", bet(amount_minor=1), bet(amount_minor=2))
            pit.client.xdel(wagers, *[entry_id for entry_id, _ in pit.client.xrevrange(wagers, count=2)])
        case "the stream deleted":
            pit.send("wagers", bet(amount_minor=1), bet(amount_minor=2))
            pit.client.delete(wagers)
        case _:
            pit.client.delete(wagers)
            pit.client.xadd(wagers, {"no": "event"}, id="1-0")


# What is done, and how many are said to be lost.
FAULTS = [
    ("trimmed to one by XADD", "2 entries"),
    ("trimmed by id", "1 entries"),
    ("two deleted", "2 entries"),
    ("the stream deleted", "deleted and begun again"),
    ("begun again with lower ids", "deleted and begun again"),
]


@pytest.mark.parametrize(("fault", "words"), FAULTS)
async def test_requests_that_are_removed_unread_are_said_once_and_the_next_is_taken(
    toy_pit: ToyPit, log: list[EventDict], fault: str, words: str
) -> None:
    first = await toy_pit.start_and_wait()
    toy_pit.send("wagers", bet(), bet(), bet())
    await soon(lambda: len(toy_pit.facts()) == 3)
    first.stop.set()
    await toy_pit.ended()
    strike(toy_pit, fault)
    toy_pit.start()
    await soon(lambda: ("wagers", "entries_lost") in toy_pit.rejects())
    details = [fields[b"detail"].decode() for _, fields in toy_pit.client.xrange(toy_pit.key("rejects"))]
    assert any(words in detail for detail in details), details
    assert metric("baccarat_entries_lost_total", pit=toy_pit.name, stream="wagers") >= 1
    toy_pit.send("wagers", bet(amount_minor=7))
    await soon(lambda: toy_pit.facts()[-1] == "bet.accepted t 7")
    seen = len(said(log, "entries lost"))
    toy_pit.send("wagers", bet(amount_minor=8))
    await soon(lambda: toy_pit.facts()[-1] == "bet.accepted t 8")
    assert toy_pit.rejects().count(("wagers", "entries_lost")) == seen == 1


async def test_entries_that_are_removed_when_they_were_read_are_no_loss(toy_pit: ToyPit, log: list[EventDict]) -> None:
    await toy_pit.start_and_wait()
    for number in range(1, 4):
        toy_pit.send("wagers", bet(amount_minor=number), bet(amount_minor=number))
        await soon(lambda count=2 * number: len(toy_pit.facts()) == count)  # type: ignore[misc] # bound at once
        toy_pit.client.xtrim(toy_pit.key("wagers"), maxlen=1, approximate=False)
    toy_pit.send("wagers", bet(amount_minor=9))
    await soon(lambda: toy_pit.facts()[-1] == "bet.accepted t 9")
    assert not said(log, "entries lost")
    assert toy_pit.rejects() == []
