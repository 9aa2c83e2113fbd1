"""The three services as processes on the embedded server, for one pit."""

from tests.floor_replay.conftest import services, url
from tests.servers import embedded

__all__ = ["embedded", "services", "url"]
