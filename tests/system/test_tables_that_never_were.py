"""Requests about tables that were never opened: each is answered, and nothing of it stays in any service's memory."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.codec import encode_request
from schemas.events import Request
from schemas.requests import BetPlace, BettingClose, CardScan, RoundOpen, SeatTake, TableClose, TableHold
from schemas.streams import cursor_key, pit_key, state_key
from tests.servers import Server, eventually
from tests.system.floor import Floor, assert_chain
from tests.system.processes import SERVICES, Services

PIT = "never"
COUNT = 100_000
PER_PIPELINE = 5_000
POLL_SECONDS = 0.5
GROWTH_BYTES_MAX = 32 * 2**20


def console(table: str) -> Iterator[Request]:
    """One of each kind, over and over."""
    here: dict[str, Any] = {"table": table, "operator": "d"}
    in_round = {**here, "shoe_number": 1, "round_number": 1}
    yield TableClose(**here)
    yield TableHold(**here, reason="why")
    yield RoundOpen(**in_round)
    yield BettingClose(**in_round, wagers_through="0-0")
    yield SeatTake(**here, bettor_id="b", seat=1)


def wagers(table: str) -> Iterator[Request]:
    """A bet."""
    yield BetPlace(
        table=table,
        shoe_number=1,
        round_number=1,
        bet_id=table,
        bettor_id="b",
        bet="tie",
        amount_minor=1,
        currency="HKD",
    )


def scans(table: str) -> Iterator[Request]:
    """A card."""
    yield CardScan(table=table, shoe_number=1, ordinal=1, card="AS")


def send(client: Any, stream: str, made: Iterator[Request]) -> None:
    """Write so many of these."""
    with client.pipeline(transaction=False) as pipeline:
        for number, request in enumerate(itertools.islice(made, COUNT), start=1):
            parts = encode_request(request, id=str(number), source="/test", time="2026-01-01T00:00:00.000000Z")
            pipeline.execute_command("XADD", pit_key(PIT, stream), "*", *parts)
            if number % PER_PIPELINE == 0:
                pipeline.execute()
        pipeline.execute()


def have_taken_all(client: Any) -> bool:
    """Whether both deciders have come to the end of what they read."""
    time.sleep(POLL_SECONDS)
    floor = Floor(client, PIT)
    ends = {stream: floor.end_of(stream).encode() for stream in ("console", "wagers", "scans")}
    read = {"shoe": ("console", "scans"), "settlement": ("console", "wagers")}
    return all(
        client.hget(cursor_key(PIT, service), stream) == ends[stream]
        for service, streams in read.items()
        for stream in streams
    )


@pytest.mark.timeout(300)
def test_a_hundred_thousand_requests_on_each_stream_leave_nothing_behind(embedded: Server, tmp_path: Path) -> None:
    client = embedded.client()
    client.config_set("appendfsync", "no")
    services = Services(embedded, tmp_path, PIT)
    services.start()
    try:
        eventually(lambda: all(services.has_logged(name, '"loaded"') for name in SERVICES))
        for name in SERVICES:
            services.hold(name)  # else they wake for each entry that is written
        before = {name: services.peak_bytes(name) for name in SERVICES}
        tables = (f"never-{number}" for number in itertools.count())
        for stream, kinds in (("console", console), ("wagers", wagers), ("scans", scans)):
            send(client, stream, (request for table in tables for request in kinds(table)))
        for name in SERVICES:
            services.go_on(name)
        eventually(lambda: have_taken_all(client), seconds=240)
        after = {name: services.peak_bytes(name) for name in SERVICES}
    finally:
        services.stop()
    print({name: f"{before[name] / 2**20:.0f} to {after[name] / 2**20:.0f} MiB" for name in SERVICES})
    assert all(after[name] - before[name] < GROWTH_BYTES_MAX for name in SERVICES)
    assert [client.hkeys(state_key(PIT, name)) for name in SERVICES] == [[b"version"]] * 3
    assert client.xlen(pit_key(PIT, "cards")) + client.xlen(pit_key(PIT, "bets")) == 3 * COUNT
    assert_chain(client, PIT, "bets")
    client.delete(*client.keys(pit_key(PIT, "*")))
    client.config_set("appendfsync", "always")
