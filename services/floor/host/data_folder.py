"""A data folder, and the lock that gives it to one run at a time.

The lock is held by the run itself and by every leash. So the folder is free only when the run's last child is gone.
"""

import contextlib
import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

LOCK_SECONDS: Final = 15.0
_POLL_SECONDS: Final = 0.05


class CannotRun(Exception):
    """Nothing can be started. The message says why, in one line for the user."""


@contextlib.contextmanager
def locked(data_directory: Path) -> Iterator[int]:
    """Lock a data folder for the body, and make the folder when it is missing. Gives the lock's descriptor.

    The children of a run that was killed get some time to end. Raises CannotRun.
    """
    try:
        data_directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(data_directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise CannotRun(f"the data folder {data_directory} cannot be used: {error.strerror}") from None
    try:
        until = time.monotonic() + LOCK_SECONDS
        while not _try_lock(descriptor):
            owner = os.pread(descriptor, 32, 0).decode() or "unknown"
            if _is_alive(owner) or time.monotonic() > until:
                raise CannotRun(f"already running on {data_directory}, pid {owner}")
            time.sleep(_POLL_SECONDS)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, also while it is being written."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def key_file(data_directory: Path) -> Path:
    """The file with the shoe's master key. It is made once: without it the rounds in play could not go on."""
    path = data_directory / "shoe.key"
    if not path.exists():
        whole = path.with_suffix(".new")
        write_private(whole, f"{secrets.token_hex(32)}\n")
        whole.rename(path)
    return path


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        return True
    return True
