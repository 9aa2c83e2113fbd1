"""What a server has acknowledged stands after SIGKILL and after a failover, with the shipped users and settings."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.streams import EVENTS, pit_key
from tests.servers import Server, eventually
from tests.system.floor import Floor, assert_consistent
from tests.system.processes import Services

PIT = "durable"
Streams = dict[str, list[tuple[bytes, dict[bytes, bytes]]]]


def streams_of(client: Any) -> Streams:
    """Every entry of the pit."""
    return {stream: client.xrange(pit_key(PIT, stream)) for stream in (*EVENTS, "rejects")}


def assert_still_there(acknowledged: Streams, client: Any) -> None:
    """Every entry that was read before, with its id and in its place."""
    found = streams_of(client)
    for stream, entries in acknowledged.items():
        assert found[stream][: len(entries)] == entries, f"{stream}: {len(found[stream])} of {len(entries)} entries"


@pytest.fixture
def replica(mortal_server: Server, tmp_path: Path) -> Iterator[Server]:
    """A second server of the same kind that copies the first."""
    directory = tmp_path / "replica"
    directory.mkdir()
    replica = Server(mortal_server.kind, directory)
    replica.start(mortal_server)
    yield replica
    replica.kill()


def play(server: Server, logs: Path, floor: Floor | None = None) -> Floor:
    """Three rounds and half of one by fresh services, which are killed in it."""
    logs.mkdir()
    services = Services(server, logs, PIT)
    services.start()
    try:
        if floor is None:
            floor = Floor(server.client(), PIT)
            floor.begin()
        for _ in range(3):
            floor.play_round()
        floor.open_round()
        floor.wait("cards", "round.opened")
        floor.send("wagers", floor.bet())
        floor.add("wagers", [b"no", b"event"])
        floor.wait("bets", "bet.accepted")
    finally:
        services.stop()
    return floor


def go_on(server: Server, logs: Path, floor: Floor) -> None:
    """The half of a round is played to its end by fresh services, and another one."""
    logs.mkdir()
    services = Services(server, logs, PIT)
    services.start()
    try:
        floor.client = server.client()
        floor.close_betting()
        floor.wait("bets", "round.settled")
        floor.play_round()
        assert_consistent(floor)
    finally:
        services.stop()


@pytest.mark.parametrize("rewritten", [False, True], ids=["written", "rewritten"])
def test_a_killed_server_has_every_entry_when_it_starts_again(
    mortal_server: Server, tmp_path: Path, *, rewritten: bool
) -> None:
    floor = play(mortal_server, tmp_path / "before")
    client = mortal_server.client()
    if rewritten:
        client.bgrewriteaof()
        eventually(lambda: client.info("persistence")["aof_rewrite_in_progress"] == 0)
    acknowledged = streams_of(client)
    for _ in range(2):
        mortal_server.kill()
        mortal_server.start()
        assert_still_there(acknowledged, client)
    go_on(mortal_server, tmp_path / "after", floor)


def test_a_promoted_replica_has_every_entry_and_keeps_it_when_it_is_killed(
    mortal_server: Server, replica: Server, tmp_path: Path
) -> None:
    floor = play(mortal_server, tmp_path / "before")
    master, client = mortal_server.client(), replica.client()
    acknowledged = streams_of(master)
    master.xadd(pit_key("other", "marker"), {"the": "last"})
    eventually(lambda: client.exists(pit_key("other", "marker")))
    mortal_server.kill()
    client.replicaof("NO", "ONE")
    assert_still_there(acknowledged, client)
    go_on(replica, tmp_path / "between", floor)
    acknowledged = streams_of(client)
    replica.kill()
    replica.start()
    assert_still_there(acknowledged, client)
