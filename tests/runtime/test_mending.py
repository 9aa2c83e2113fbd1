"""A stream whose ids are used up is copied, and a pit reads on."""

import pytest
from redis.exceptions import ResponseError

from services.runtime.mending import mend_stream
from tests.runtime.pits import ToyPit, soon
from tests.runtime.toy import bet, packed
from tests.servers import Server

LAST_ID = "18446744073709551615-18446744073709551615"
FAR_ID = "99999999999999-1"


@pytest.mark.parametrize("far_id", [LAST_ID, FAR_ID])
@pytest.mark.parametrize("reads", [False, True], ids=["was not read", "was read"])
async def test_a_stream_with_ids_far_ahead_is_mended_and_read_on(
    server: Server, toy_pit: ToyPit, far_id: str, *, reads: bool
) -> None:
    pit = await toy_pit.start_and_wait()
    toy_pit.send("wagers", bet(amount_minor=1), bet(amount_minor=2))
    await soon(lambda: len(toy_pit.facts()) == 2)
    if not reads:
        pit.stop.set()
        await toy_pit.ended()
    toy_pit.client.execute_command("XADD", toy_pit.key("wagers"), far_id, *packed(bet(amount_minor=3)))
    if reads:
        await soon(lambda: len(toy_pit.facts()) == 3)
    if far_id == LAST_ID:
        with pytest.raises(ResponseError):
            toy_pit.send("wagers", bet(amount_minor=4))
    before = [fields for _, fields in toy_pit.client.xrange(toy_pit.key("wagers"))]
    assert mend_stream(server.url, toy_pit.name, "wagers") == (3, 1)
    assert [fields for _, fields in toy_pit.client.xrange(toy_pit.key("wagers"))] == before
    if not reads:
        toy_pit.start()
    toy_pit.send("wagers", bet(amount_minor=4))
    await soon(lambda: toy_pit.facts() == [f"bet.accepted t {number}" for number in (1, 2, 3, 4)])
    assert toy_pit.rejects() == []


def test_a_stream_in_order_is_left_as_it_is(server: Server, toy_pit: ToyPit) -> None:
    toy_pit.send("wagers", bet(), bet())
    before = toy_pit.client.dump(toy_pit.key("wagers"))
    assert mend_stream(server.url, toy_pit.name, "wagers") == (2, 0)
    assert toy_pit.client.dump(toy_pit.key("wagers")) == before
