"""A table's streams: only facts that continue their chain are heard, and a refusal ends the program."""

from collections.abc import Iterator

import pytest

from schemas.codec import ChainHead, seal
from schemas.events import Fact
from schemas.facts import RequestRefused, TableClosed
from schemas.streams import pit_key
from services.floor.replay.table_streams import FloorError, TableStreams
from tests.servers import Server

PIT = "streams"


@pytest.fixture
def server(embedded: Server) -> Iterator[Server]:
    yield embedded
    with embedded.client() as client:
        client.flushall()


def written(server: Server, head: ChainHead, *facts: Fact) -> ChainHead:
    """Facts written to `cards`, as the shoe would, behind `head`."""
    for fact in facts:
        entry, head = seal(
            fact,
            head,
            source="/baccarat/streams/shoe",
            time="2026-01-01T00:00:00.000000Z",
            causation="console/1-0",
            traceparent=None,
        )
        with server.client() as client:
            client.execute_command("XADD", pit_key(PIT, "cards"), "*", *entry)
    return head


def closed(table: str, reason: str = "done") -> TableClosed:
    return TableClosed(table=table, reason=reason)


async def test_facts_of_this_table_are_heard_from_the_start_on(server: Server) -> None:
    head = written(server, ChainHead(), closed("ours", "before"), closed("other", "before"))
    async with TableStreams(server.url, PIT, "ours") as streams:
        written(server, head, closed("other"), closed("ours", "first"), closed("other"), closed("ours", "second"))
        assert [await streams.hear(), await streams.hear()] == [closed("ours", "first"), closed("ours", "second")]


async def test_a_fact_of_any_table_that_breaks_the_chain_is_not_trusted(server: Server) -> None:
    written(server, ChainHead(), closed("other"))
    async with TableStreams(server.url, PIT, "ours") as streams:
        written(server, ChainHead(1, "f" * 64), closed("other"), closed("ours"))
        with pytest.raises(FloorError, match=r"^cards/\S+ does not continue cards/\S+$"):
            await streams.hear()


async def test_a_lost_fact_is_noticed(server: Server) -> None:
    head = written(server, ChainHead(), closed("other"))
    async with TableStreams(server.url, PIT, "ours") as streams:
        written(server, ChainHead(2, head.chain), closed("ours"))
        with pytest.raises(FloorError, match="does not continue"):
            await streams.hear()


async def test_a_refusal_says_which_request_and_why(server: Server) -> None:
    refused = RequestRefused(
        table="ours", request_id="1", request_type="round.open", reason="wrong_round", detail="expected round_number 2"
    )
    async with TableStreams(server.url, PIT, "ours") as streams:
        written(server, ChainHead(), refused)
        with pytest.raises(FloorError, match=r"^round\.open was refused: wrong_round: expected round_number 2$"):
            await streams.hear()


async def test_a_stream_that_is_none_is_one_line(server: Server) -> None:
    async with TableStreams(server.url, PIT, "ours") as streams:
        with server.client() as client:
            client.execute_command("XADD", pit_key(PIT, "calls"), "*", "type", "rubbish")
        with pytest.raises(FloorError, match=r"^wrong_shape: "):
            await streams.hear()
