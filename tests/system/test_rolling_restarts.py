"""Replicas come and go while tables play: no pit stops for it, nothing is lost."""

import itertools
import threading
from pathlib import Path

import pytest

from tests.servers import Server, eventually
from tests.system.floor import Floor, assert_consistent
from tests.system.processes import SERVICES, Services

RESTARTS = 30


def restart_all(services: Services, done: threading.Event) -> None:
    """Start a second replica of a service, end the first, and so on."""
    try:
        for number, service in zip(range(RESTARTS), itertools.cycle(SERVICES), strict=False):
            old, new = (f"{service}.{number // 3 + step}" for step in (0, 1))
            services.start(new)
            eventually(lambda name=new: services.has_logged(name, '"started"'))  # type: ignore[misc] # bound at once
            assert services.terminate(old, seconds=3.0) == 0
    finally:
        done.set()


@pytest.mark.timeout(300)
def test_thirty_rolling_restarts_stop_no_pit(server: Server, tmp_path: Path) -> None:
    services = Services(server, tmp_path, f"rolling-{server.kind}")
    services.start(*(f"{name}.0" for name in SERVICES))
    done = threading.Event()
    restarts = threading.Thread(target=restart_all, args=(services, done))
    try:
        floor = Floor(server.client(), services.pits[0])
        floor.begin("six-deck-online")
        restarts.start()
        rounds = 0
        while not done.is_set():
            floor.play_round()
            rounds += 1
        floor.play_round()
        assert_consistent(floor)
    finally:
        restarts.join()
        services.stop()
    assert rounds > RESTARTS
    stopped = [name for name in services.names if services.has_logged(name, "pit stopped")]
    assert not stopped
    assert len(services.names) == RESTARTS + len(SERVICES)
