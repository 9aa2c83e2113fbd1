"""Entries far too large, on every request stream: each is answered by a reject, and no service dies of them."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from redis import Redis

from schemas.streams import pit_key
from tests.servers import ROOT, SERVERS, Server, serve
from tests.system.floor import Floor, assert_consistent
from tests.system.processes import SERVICES, Services

PIT = "large"
VALUE = b"x" * 900_000
# Stream, how many entries, and the fields of each: 0.9 MB, 6.3 MB, 120 MB and 300 MB an entry.
SENT = [
    ("wagers", 1_000, 1),
    ("wagers", 45, 7),
    ("wagers", 1, 333),
    ("console", 100, 1),
    ("console", 1, 133),
    ("scans", 100, 1),
    ("scans", 1, 133),
]
SILENCE_SECONDS = 60  # a server takes seconds for 300 MB
# Of these there is one large entry behind another, and small ones between.
BETWEEN = 5


def memory_limit_bytes() -> int:
    """What the manifests allow a service."""
    pod = yaml.safe_load((ROOT / "deploy" / "kustomize" / "base" / "pod.yaml").read_text())
    (container,) = pod["spec"]["template"]["spec"]["containers"]
    found = re.fullmatch(r"(\d+)Mi", container["resources"]["limits"]["memory"])
    assert found is not None
    return int(found[1]) * 2**20


def send_large(client: Any, stream: str, count: int, fields: int) -> None:
    """Write so many entries of so many large fields, in one command each."""
    parts = [part for number in range(fields) for part in (b"%d" % number, VALUE)]
    for _ in range(count):
        client.execute_command("XADD", pit_key(PIT, stream), "*", *parts)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", SERVERS)
def test_entries_of_any_size_are_rejected_and_the_honest_bet_behind_them_is_taken(kind: str, tmp_path: Path) -> None:
    directory = tmp_path / "server"
    directory.mkdir()
    with serve(kind, directory) as server:
        play_among_large_entries(server, tmp_path)


def play_among_large_entries(server: Server, tmp_path: Path) -> None:
    """A round whose requests stand behind the large entries; the services start on all of them."""
    client: Any = Redis.from_url(server.url, socket_timeout=SILENCE_SECONDS)
    client.config_set("appendfsync", "no")  # a gigabyte is written here, and nothing of it is to survive
    services = Services(server, tmp_path, PIT)
    floor = Floor(client, PIT)
    services.start()
    try:
        floor.begin()
        floor.open_round()
        floor.wait("cards", "round.opened")
        services.stop()
        for stream, count, fields in SENT:
            send_large(client, stream, count, fields)
        for number in range(BETWEEN):
            floor.send("wagers", floor.bet("tie"))
            send_large(client, "wagers", 1, 7 + number)
        place = f"wagers/{floor.send('wagers', floor.bet())}"
        services.start()
        assert floor.answer("bets", place, seconds=120)["type"] == "bet.accepted"
        floor.close_betting()
        floor.wait("bets", "round.settled", seconds=120)
        floor.play_round()
        assert_consistent(floor)
        peaks = {name: services.peak_bytes(name) for name in SERVICES}
        print({name: f"{peak / 2**20:.0f} MiB at most" for name, peak in peaks.items()})
        assert all(peak < memory_limit_bytes() for peak in peaks.values()), peaks
        assert not any(map(partial(services.has_logged, text="pit stopped"), SERVICES))
    finally:
        services.stop()
    rejects = client.xrange(pit_key(PIT, "rejects"))
    reasons = [(fields[b"stream"].decode(), fields[b"reason"]) for _, fields in rejects]
    sent = {
        stream: sum(count for name, count, _ in SENT if name == stream) for stream in ("wagers", "console", "scans")
    }
    sent["wagers"] += BETWEEN
    for stream, count in sent.items():
        assert reasons.count((stream, b"too_large")) == count
    assert len(reasons) == sum(sent.values())
