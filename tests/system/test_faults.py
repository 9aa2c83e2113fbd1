"""Kills, silence and two owners, on real servers: play goes on and nothing is lost or done twice."""

import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.servers import Server, eventually
from tests.system.floor import Floor, assert_consistent
from tests.system.processes import SERVICES, Services

GOES_ON_SECONDS = 15.0

# Where in a round a service is killed, and the fact about the present round that shows that it is there.
PLACES = {
    "open": ("bets", "round.settled"),
    "bet": ("cards", "round.opened"),
    "close": ("bets", "bet.accepted"),
    "deal": ("bets", "betting.closed"),
    "settle": ("cards", "round.ended"),
}


@pytest.mark.parametrize("service", SERVICES)
def test_a_killed_service_goes_on_where_it_was(floor: Floor, services: Services, service: str) -> None:
    def strike(target: str, place: str) -> None:
        if place == target:
            stream, event_type = PLACES[place]
            assert floor.of_this_round(stream, event_type), f"the round is not at {place!r}"
            services.kill(service)
            services.start(service)

    floor.begin()
    floor.play_round()
    for place in PLACES:
        floor.play_round(seconds=GOES_ON_SECONDS, at=partial(strike, place))
    floor.play_round()


def test_two_owners_of_everything_conflict_and_write_nothing_twice(server: Server, tmp_path: Path) -> None:
    services = Services(server, tmp_path, f"owners-{tmp_path.name}", module="tests.system.greedy")
    services.start(*SERVICES, *(f"{name}.2" for name in SERVICES))
    try:
        with server.client() as client:
            floor = Floor(client, services.pits[0])
            floor.begin("six-deck-online")
            for _ in range(200):
                floor.play_round(bets=1)
            assert_consistent(floor)
        conflicts = sum(services.log(name).read_text().count("Conflict") for name in services.names)
        assert conflicts > 0
    finally:
        services.stop()


@pytest.fixture
def mortal_floor(mortal_server: Server, tmp_path: Path) -> Iterator[Floor]:
    """A table on a server that the test may kill."""
    services = Services(mortal_server, tmp_path, "mortal")
    services.start()
    with mortal_server.client() as client:
        floor = Floor(client, "mortal")
        floor.begin()
        yield floor
        assert_consistent(floor)
    services.stop()


def test_a_killed_server_comes_back_with_all_that_it_acknowledged(mortal_server: Server, mortal_floor: Floor) -> None:
    mortal_floor.play_round()
    mortal_floor.open_round()
    mortal_floor.wait("cards", "round.opened")
    place = f"wagers/{mortal_floor.send('wagers', mortal_floor.bet())}"
    accepted = mortal_floor.answer("bets", place)
    mortal_server.kill()
    mortal_server.start()
    assert mortal_floor.answer("bets", place) == accepted
    mortal_floor.close_betting()
    (settled,) = mortal_floor.wait("bets", "round.settled")
    assert settled["placed_minor"] == 10_000
    mortal_floor.play_round()


def test_dropped_connections_are_made_anew(mortal_server: Server, mortal_floor: Floor) -> None:
    mortal_floor.open_round()
    mortal_floor.wait("cards", "round.opened")
    mortal_server.client().client_kill_filter(_type="normal", skipme=True)
    mortal_floor.close_betting()
    mortal_floor.wait("bets", "round.settled", seconds=GOES_ON_SECONDS)


def test_a_server_that_hangs_and_wakes_is_played_on(mortal_server: Server, mortal_floor: Floor, tmp_path: Path) -> None:
    mortal_floor.open_round()
    mortal_floor.wait("cards", "round.opened")
    mortal_server.send_signal(signal.SIGSTOP)
    eventually(lambda: "no reply" in (tmp_path / "shoe.log").read_text())
    mortal_server.send_signal(signal.SIGCONT)
    mortal_floor.close_betting()
    mortal_floor.wait("bets", "round.settled", seconds=GOES_ON_SECONDS)


@pytest.mark.parametrize("hangs", [False, True], ids=["server answers", "server hangs"])
def test_a_service_leaves_within_three_seconds_of_sigterm(
    mortal_server: Server, tmp_path: Path, *, hangs: bool
) -> None:
    services = Services(mortal_server, tmp_path, "leaving")
    services.start()
    try:
        for name in SERVICES:
            eventually(partial(services.has_logged, name, '"loaded"'))
        if hangs:
            mortal_server.send_signal(signal.SIGSTOP)
        assert [services.terminate(name, seconds=3.0) for name in SERVICES] == [0, 0, 0]
    finally:
        services.stop()
    if not hangs:
        assert mortal_server.client().keys("baccarat:*:replicas:*") == []
