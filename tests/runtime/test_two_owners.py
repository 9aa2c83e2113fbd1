"""Two owners of one pit: what one commits while the other loads or decides is a conflict and no reason to stop."""

import asyncio
import dataclasses

from structlog.typing import EventDict

from schemas.codec import Entry
from schemas.requests import BetPlace
from schemas.streams import cursor_key, state_key
from services.decider.outcome import Outcome
from services.runtime.connection import PitConnection
from tests.runtime.pits import ToyPit, said, soon
from tests.runtime.slow_proxy import holding_back
from tests.runtime.toy import DEFINITION, State, bet, decide

# A bet of this amount can be decided only behind the bet before it.
SECOND = 667


def _decide_in_order(state: State, entry: Entry) -> list[Outcome]:
    if isinstance(entry.event, BetPlace) and entry.event.amount_minor == SECOND:
        assert len(state.items) == 1, "the first bet is not in the books, or it is there twice"
    return decide(state, entry)


IN_ORDER = dataclasses.replace(DEFINITION, decide=_decide_in_order)


async def test_cursor_and_state_are_of_one_instant_however_late_the_state_is_asked_for(toy_pit: ToyPit) -> None:
    await toy_pit.start_and_wait()
    state = state_key(toy_pit.name, DEFINITION.name).encode()
    async with holding_back(toy_pit.port, b"*2\r\n$7\r\nHGETALL\r\n$%d\r\n%b\r\n" % (len(state), state)) as proxy:
        url = toy_pit.url.replace(f":{toy_pit.port}/", f":{proxy.port}/")
        connection = PitConnection(url, toy_pit.name, DEFINITION)
        await connection.open()
        loading = asyncio.create_task(connection.load())
        await proxy.holds.wait()
        toy_pit.send("wagers", bet())
        await soon(lambda: toy_pit.facts() == ["bet.accepted t 100"])
        assert not loading.done()
        proxy.lets_go.set()
        loaded = await loading
        await connection.close()
    assert (b"wagers" in loaded.cursor) == bool(loaded.state)


async def test_what_cannot_be_decided_on_a_state_of_yesterday_is_decided_on_the_present_one(
    toy_pit: ToyPit, log: list[EventDict]
) -> None:
    await toy_pit.start_and_wait(IN_ORDER)
    with toy_pit.client.pipeline(transaction=True) as other:
        record = '{"amount_minor":100}'
        other.hset(state_key(toy_pit.name, DEFINITION.name), '["t","items","first"]', record)
        for key in (state_key(toy_pit.name, DEFINITION.name), cursor_key(toy_pit.name, DEFINITION.name)):
            other.hset(key, "version", "the other's")
        toy_pit.send("wagers", bet(amount_minor=SECOND), client=other)
        other.execute()
    await soon(lambda: toy_pit.facts() == [f"bet.accepted t {SECOND}"])
    assert not said(log, "pit stopped")
    assert "another process has committed" in said(log, "loading again")[0]["error"]
