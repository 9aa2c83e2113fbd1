"""What the examples connect to: a floor whose services follow a script, and one that the real services run."""

from collections.abc import Iterator

import pytest

from tests.examples.scripted_floor import ScriptedFloor
from tests.servers import Server
from tests.system.floor import Floor
from tests.system.processes import Services


@pytest.fixture
def floor(embedded: Server) -> Iterator[ScriptedFloor]:
    """A pit with one open table, `macau-1`, in its shoe 3, whose round 7 has been played."""
    with ScriptedFloor(embedded.url, "scripted", "macau-1") as floor:
        yield floor


@pytest.fixture(scope="module")
def pit(embedded: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A pit that the three services run."""
    services = Services(embedded, tmp_path_factory.mktemp("services"), "examples")
    services.start()
    yield services.pits[0]
    services.stop()


@pytest.fixture
def real_floor(embedded: Server, pit: str) -> Iterator[Floor]:
    """A table of that pit, open with its first shoe."""
    with embedded.client() as client:
        floor = Floor(client, pit)
        floor.answer("cards", f"console/{floor.open_table()}", seconds=60)  # the services may just be starting
        floor.answer("cards", f"console/{floor.load_shoe()}")
        yield floor
