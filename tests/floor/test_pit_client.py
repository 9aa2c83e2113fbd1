"""Speaking to a pit: what is written, which facts are trusted, and how long an answer is waited for."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from schemas.codec import ChainHead, decode, seal
from schemas.events import Fact, Request
from schemas.facts import RequestRefused, TableClosed
from schemas.requests import BetCancel, CardScan, TableClose
from schemas.streams import cursor_key, pit_key
from services.floor import pit_client
from services.floor.pit_client import BrokenChain, Follower, PitClient, PitError, Raw, outgoing
from tests.floor import made
from tests.servers import Server

PIT = "client"
ENTRIES = made.sealed(made.round_opened(1), made.card_dealt(1, 2, "player", "8H"), made.round_ended(1))


@pytest.fixture
def server(embedded: Server) -> Iterator[Server]:
    yield embedded
    with embedded.client() as client:
        client.flushall()


def written(server: Server, head: ChainHead, *facts: Fact, stream: str = "cards") -> ChainHead:
    """Facts written to a stream, as its service would, behind `head`."""
    for fact in facts:
        entry, head = seal(
            fact,
            head,
            source="/baccarat/client/shoe",
            time="2026-01-01T00:00:00.000000Z",
            causation="console/1-0",
            traceparent=None,
        )
        with server.client() as client:
            client.execute_command("XADD", pit_key(PIT, stream), "*", *entry)
    return head


def closed(table: str, reason: str = "done") -> TableClosed:
    return TableClosed(table=table, reason=reason)


# --- one stream's chain


def test_entries_are_decoded_in_their_order() -> None:
    follower = Follower("demo", "cards")
    found = [*follower.take(ENTRIES[:1]), *follower.take(ENTRIES[1:])]
    assert [fact.entry.type for fact in found] == ["round.opened", "card.dealt", "round.ended"]
    assert [fact.time for fact in found] == ["2026-01-01T00:00:00Z"] * 3
    assert follower.last_id == "3-0"


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


# --- following


async def test_the_past_is_read_stream_by_stream_and_then_what_is_new(server: Server) -> None:
    head = written(server, ChainHead(), closed("a"), closed("b"))
    written(server, ChainHead(), made.betting_closed(1, {}), stream="bets")
    async with PitClient(server.url, PIT) as client:
        past = [[fact.event.table for fact in page] async for page in client.past()]
        assert past == [["a", "b"], [made.TABLE]]
        written(server, head, closed("c"))
        assert [fact.event for fact in await client.read()] == [closed("c")]


async def test_a_reader_that_skips_the_past_still_knows_its_chain(server: Server) -> None:
    head = written(server, ChainHead(), closed("a"))
    async with PitClient(server.url, PIT) as client:
        await client.skip_past()
        written(server, ChainHead(head.sequence, "f" * 64), closed("b"))
        with pytest.raises(BrokenChain, match=r"^cards/\S+ does not continue cards/\S+$"):
            await client.read()


async def test_facts_of_one_table_are_heard_from_the_start_on(server: Server) -> None:
    head = written(server, ChainHead(), closed("ours", "before"), closed("other", "before"))
    async with PitClient(server.url, PIT) as client:
        await client.skip_past()
        written(server, head, closed("other"), closed("ours", "first"), closed("other"), closed("ours", "second"))
        found = [await client.next_fact("ours"), await client.next_fact("ours")]
        assert found == [closed("ours", "first"), closed("ours", "second")]


async def test_a_fact_of_any_table_that_breaks_the_chain_is_not_trusted(server: Server) -> None:
    written(server, ChainHead(), closed("other"))
    async with PitClient(server.url, PIT) as client:
        await client.skip_past()
        written(server, ChainHead(1, "f" * 64), closed("other"), closed("ours"))
        with pytest.raises(PitError, match=r"^cards/\S+ does not continue cards/\S+$"):
            await client.next_fact("ours")


async def test_a_lost_fact_is_noticed(server: Server) -> None:
    head = written(server, ChainHead(), closed("other"))
    async with PitClient(server.url, PIT) as client:
        await client.skip_past()
        written(server, ChainHead(2, head.chain), closed("ours"))
        with pytest.raises(PitError, match="does not continue"):
            await client.next_fact("ours")


async def test_a_stream_that_is_none_is_one_line(server: Server) -> None:
    async with PitClient(server.url, PIT) as client:
        with server.client() as administrator:
            administrator.execute_command("XADD", pit_key(PIT, "calls"), "*", "type", "rubbish")
        with pytest.raises(PitError, match=r"^wrong_shape: "):
            await client.next_fact("ours")


# --- answers


async def test_a_refusal_says_which_request_and_why(server: Server) -> None:
    refused = RequestRefused(
        table="ours", request_id="1", request_type="round.open", reason="wrong_round", detail="expected round_number 2"
    )
    async with PitClient(server.url, PIT) as client:
        written(server, ChainHead(), refused)
        with pytest.raises(PitError, match=r"^round\.open was refused: wrong_round: expected round_number 2$"):
            await client.next_fact("ours")


async def test_an_answer_that_does_not_come_is_one_line_that_names_the_last_fact(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with PitClient(server.url, PIT) as client:
        written(server, ChainHead(), closed("ours"))
        await client.next_fact("ours")
        monkeypatch.setattr(pit_client, "ANSWER_SECONDS", 0.1)
        with pytest.raises(PitError, match=r"^the services gave no answer within 0\.1 s after table\.closed$"):
            await client.next_fact("ours")


def test_a_url_that_is_none_is_one_line() -> None:
    with pytest.raises(PitError, match=r"^the server's URL: "):
        PitClient("rubbish", PIT)


# --- writing

CLOSE = TableClose(table="ours", operator="o")


@pytest.mark.parametrize(
    ("request_", "stream"),
    [
        (CLOSE, "console"),
        (CardScan(table="ours", shoe_number=1, ordinal=1, card="8H"), "scans"),
        (BetCancel(table="ours", shoe_number=1, round_number=1, bet_id="b", revision=0), "wagers"),
    ],
    ids=["console", "scans", "wagers"],
)
async def test_a_request_goes_to_its_own_stream_as_it_was_made(server: Server, request_: Request, stream: str) -> None:
    async with PitClient(server.url, PIT) as client:
        assert await client.last_id(stream) == "0-0"
        first, second = await client.write(*[outgoing(request_, id=name, source="/test") for name in ("one", "two")])
        assert await client.last_id(stream) == second
        entries = await client.entries_after(stream, "0-0")
        assert [entry_id.decode() for entry_id, _ in entries] == [first, second]
        assert [entry.event for entry in map(decoded(stream), entries)] == [request_, request_]
        assert [entry.id for entry in map(decoded(stream), entries)] == ["one", "two"]
        assert await client.entries_after(stream, second) == []


def decoded(stream: str) -> Any:
    return lambda raw: decode(stream, raw[0].decode(), [part for pair in raw[1].items() for part in pair])


async def test_what_is_asked_goes_out_once_with_the_next_read_under_a_new_identity(server: Server) -> None:
    written(server, ChainHead(), closed("ours"), closed("ours"))
    async with PitClient(server.url, PIT) as client:
        client.ask(CLOSE, source="/test")
        client.ask(CLOSE, source="/test")
        assert await client.entries_after("console", "0-0") == []
        await client.next_fact("ours")
        await client.next_fact("ours")
        entries = [decoded("console")(raw) for raw in await client.entries_after("console", "0-0")]
        assert [entry.event for entry in entries] == [CLOSE, CLOSE]
        assert len({uuid.UUID(entry.id) for entry in entries}) == 2


async def test_a_service_that_has_taken_nothing_stands_at_the_start(server: Server) -> None:
    with server.client() as administrator:
        administrator.hset(cursor_key(PIT, "settlement"), mapping={"version": b"\xff", "wagers": "7-1"})
    async with PitClient(server.url, PIT) as client:
        assert await client.cursors("settlement") == {"cards": "0-0", "console": "0-0", "wagers": "7-1"}
