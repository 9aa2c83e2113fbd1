"""Pits of a test's own, and a log to look into."""

from collections.abc import AsyncIterator, Iterator

import pytest
import structlog
from structlog.testing import capture_logs
from structlog.typing import EventDict

from tests.runtime.pits import ToyPit
from tests.servers import Server


@pytest.fixture
def log() -> Iterator[list[EventDict]]:
    """What is logged while the test runs, from debug up; the configuration is as before behind it."""
    before = structlog.get_config()
    structlog.reset_defaults()
    with capture_logs() as lines:
        yield lines
    structlog.configure(**before)


@pytest.fixture
async def toy_pit(server: Server) -> AsyncIterator[ToyPit]:
    """A fresh pit."""
    pit = ToyPit(server)
    yield pit
    await pit.cancel()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beats, blocked reads and looks for quarantine last an instant: the test waits for them and not for the time."""
    monkeypatch.setattr("services.runtime.ownership.BEAT_SECONDS", 0.05)
    monkeypatch.setattr("services.runtime.connection.BLOCK_MILLISECONDS", 50)
    monkeypatch.setattr("services.runtime.pit.STOPPED_LOOK_SECONDS", 0.05)
