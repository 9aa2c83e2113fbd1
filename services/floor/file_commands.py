"""What the commands `replay` and `scenario` share: where they play a file, their exit codes, and their error lines."""

import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import click
import uvloop
from redis.exceptions import RedisError

from services.floor.host.child_processes import ChildDied
from services.floor.host.data_folder import CannotRun
from services.floor.host.running_system import PITS, running_system
from services.floor.host.signals import Signalled, unless_signalled
from services.floor.pit_client import PitError

ALL_AGREE: Final = 0
SOME_DIFFER: Final = 1
NOT_PLAYED: Final = 2
SIGNALLED: Final = 130


def run_file_command(work: Coroutine[Any, Any, int]) -> int:
    """Run a command's work until it is done or a signal ends it. Returns the exit code."""
    try:
        return uvloop.run(unless_signalled(work))
    except Signalled:
        return SIGNALLED


async def play_in_pit(
    pit: str,
    redis_url: str | None,
    play: Callable[[str], Coroutine[Any, Any, int]],
    *,
    house_directory: Path | None = None,
) -> int:
    """Play in a pit of running services, given the URL of their server. Returns the exit code.

    Without a URL a server and services are started for the time that it takes. Nobody needs their data afterwards.
    """
    if redis_url is None and pit not in PITS:
        return not_played(f"pit {pit}: the embedded services own only {', '.join(PITS)}")
    try:
        if redis_url is not None:
            return await play(redis_url)
        with tempfile.TemporaryDirectory(prefix="baccarat-") as directory:
            async with running_system(Path(directory), house_directory=house_directory, durable=False) as system:
                return await system.children.unless_broken(play(system.urls["floor"]))
    except (PitError, CannotRun, ChildDied, RedisError, OSError) as error:
        return not_played(f"pit {pit}: {error}")


def not_played(problem: str) -> int:
    """Write in one line why nothing was played, or why it ended early. Returns the exit code."""
    click.echo(" ".join(problem.split()), err=True)
    return NOT_PLAYED
