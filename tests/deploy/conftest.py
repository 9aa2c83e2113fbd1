"""Servers of their own: these tests empty them."""

from collections.abc import Iterator

import pytest

from tests.servers import SERVERS, Server, serve


@pytest.fixture(scope="package", params=SERVERS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the function library, one of each kind."""
    with serve(request.param, tmp_path_factory.mktemp("server")) as running:
        yield running
