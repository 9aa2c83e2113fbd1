"""What the services wrote in an evening with crashes follows from their entries and the cursors they logged."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.servers import Server
from tests.system.evening import play
from tests.system.processes import SERVICES, Services
from tests.system.replaying import Line, Replay, read_log, without_the_last_line_of_each_life

PIT = "evening"
HAPPENED = {
    "shoe": {
        "table.opened",
        "shoe.started",
        "card.dealt",
        "scan.missed",
        "misdeal.detected",
        "round.voided",
        "round.ended",
        "table.closed",
        "request.refused",
        "request.repeated",
    },
    "rules": {"draw.called", "round.decided"},
    "settlement": {
        "bet.accepted",
        "bet.changed",
        "bet.cancelled",
        "bet.rejected",
        "betting.closed",
        "bets.settled",
        "round.settled",
        "request.repeated",
    },
}


class Evening(NamedTuple):
    """What is left of it: the server's streams and the logs."""

    server: Server
    logs: Path


@pytest.fixture(scope="module")
def evening(embedded: Server, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """The evening is over, all that was read is committed."""
    logs = tmp_path_factory.mktemp(PIT)
    # A service that comes back takes its pit at once, and not when the beat of the killed one has run out.
    services = Services(embedded, logs, PIT, module="tests.system.greedy")
    services.start()
    try:
        with embedded.client() as client:
            play(services, client)
    finally:
        services.stop()
    return Evening(embedded, logs)


@pytest.mark.parametrize("service", SERVICES)
def test_the_evening_had_everything_in_it(evening: Evening, service: str) -> None:
    replay = Replay(evening.server, PIT, f"{service}-unused", service)
    written = {fact["type"] for fact in replay.facts(PIT)}
    assert written >= HAPPENED[service]
    assert bool(replay.rejects(PIT)) is (service != "rules")
    lives = [line for line in read_log(evening.logs / f"{service}.log") if line["event"] == "loaded"]
    assert len(lives) == 2


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("logged", [list, without_the_last_line_of_each_life], ids=["all lines", "lines lost"])
async def test_the_entries_replayed_by_the_logged_cursors_give_the_same_facts(
    evening: Evening, service: str, logged: Callable[[Sequence[Line]], list[Line]]
) -> None:
    replay = Replay(evening.server, PIT, f"{service}-{logged.__name__}", service)
    await replay.run(logged(read_log(evening.logs / f"{service}.log")))
    for again, written in zip(replay.facts(replay.beside), replay.facts(PIT), strict=False):
        assert again == written
    assert len(replay.facts(replay.beside)) == len(replay.facts(PIT))
    for part in (replay.rejects, replay.records, replay.cursor):
        assert part(replay.beside) == part(PIT)
