"""The three services as processes on the embedded server, for one pit."""

from collections.abc import Iterator

import pytest

from tests.floor_replay.records import PIT
from tests.servers import Server, embedded
from tests.system.processes import Services

__all__ = ["embedded"]


@pytest.fixture(scope="module")
def services(embedded: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = Services(embedded, tmp_path_factory.mktemp("services"), PIT)
    services.start()
    yield services
    services.stop()


@pytest.fixture
def url(embedded: Server, services: Services) -> str:
    assert services.names, "they run"
    return embedded.url
