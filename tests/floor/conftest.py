"""The three services as processes on the embedded server, for the one pit in which files are played."""

from collections.abc import Iterator
from functools import partial

import pytest

from tests.floor.replay.records import PIT
from tests.servers import Server, eventually
from tests.system.processes import Services


@pytest.fixture(scope="module")
def services(embedded: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = Services(embedded, tmp_path_factory.mktemp("services"), PIT)
    services.start()
    # On a busy machine they take longer to start than a floor program waits for an answer.
    for name in services.names:
        eventually(partial(services.has_logged, name, '"loaded"'), seconds=60)
    yield services
    services.stop()


@pytest.fixture
def url(embedded: Server, services: Services) -> str:
    assert services.names, "they run"
    return embedded.url
