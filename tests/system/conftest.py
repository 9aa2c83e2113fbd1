"""A pit that the three services run, and a server that may be killed."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import SERVERS, Server, serve
from tests.system.floor import Floor, assert_consistent
from tests.system.processes import Services

_pits = itertools.count(1)


@pytest.fixture
def services(server: Server, tmp_path: Path) -> Iterator[Services]:
    """The three services, for one pit of their own on a shared server."""
    services = Services(server, tmp_path, f"pit-{next(_pits)}")
    services.start()
    yield services
    services.stop()


@pytest.fixture
def floor(server: Server, services: Services) -> Iterator[Floor]:
    """A table of that pit; whatever the test did, the pit is consistent behind it."""
    with server.client() as client:
        floor = Floor(client, services.pits[0])
        yield floor
        assert_consistent(floor)


@pytest.fixture(params=SERVERS)
def mortal_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own."""
    directory = tmp_path / "server"
    directory.mkdir()
    with serve(request.param, directory) as running:
        yield running
