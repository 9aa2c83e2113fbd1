"""The command `replay`: a file of recorded rounds is dealt again by the services, and what they say is compared."""

import asyncio
import secrets
import tempfile
import time
from pathlib import Path
from typing import Final

import click
import msgspec
import uvloop
from redis.asyncio import Redis
from redis.exceptions import RedisError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from services.floor.host.child_processes import ChildDied
from services.floor.host.embedded_server import CannotRun
from services.floor.host.running_system import PITS, running_system, unless_signalled
from services.floor.pit_client import PitClient, PitError
from services.floor.replay.dealing import Played, ReplayTable
from services.floor.replay.recorded_rounds import (
    RESULT_LETTERS,
    Record,
    RecordsError,
    differences,
    keeps_article_9,
    pairs_letters,
    read_records,
)

ALL_AGREE: Final = 0
SOME_DIFFER: Final = 1
NOT_PLAYED: Final = 2
SIGNALLED: Final = 130


def run_replay(file: Path, pit: str, redis_url: str | None) -> int:
    """The command `replay`, until the end or a signal; the process's exit code."""
    code = uvloop.run(unless_signalled(replay(file, pit, redis_url)))
    return SIGNALLED if code is None else code


async def replay(file: Path, pit: str, redis_url: str | None) -> int:
    """Play every round of `file` at a table of its own in `pit` and print what differs; the process's exit code.

    Without a URL it starts a server and the services for the time it takes.
    """
    try:
        records = read_records(await asyncio.to_thread(file.read_bytes))
    except (OSError, RecordsError) as error:
        return _not_played(f"{file}: {error.strerror if isinstance(error, OSError) else error}")
    try:
        if redis_url is not None:
            return await _play_at(redis_url, pit, records)
        if pit not in PITS:
            return _not_played(f"pit {pit}: the embedded services own only {', '.join(PITS)}")
        with tempfile.TemporaryDirectory(prefix="replay-") as directory:
            async with running_system(Path(directory)) as system:
                await forgo_durability(system.urls["administrator"])
                return await system.children.unless_broken(_play_at(system.urls["floor"], pit, records))
    except (PitError, CannotRun, ChildDied, RedisError, OSError) as error:
        return _not_played(f"pit {pit}: {error}")


async def forgo_durability(administrator_url: str) -> None:
    """What is thrown away in the end need not wait for the disk: that takes half of a round's time."""
    async with Redis.from_url(administrator_url) as administrator:
        await administrator.config_set("appendonly", "no")


async def _play_at(redis_url: str, pit: str, records: list[tuple[int, Record]]) -> int:
    async with PitClient(redis_url, pit) as client:
        await client.skip_past()
        return await _play(records, await ReplayTable.opened(client, f"replay-{secrets.token_hex(4)}"))


async def _play(records: list[tuple[int, Record]], table: ReplayTable) -> int:
    output = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("differ {task.fields[differ]}"), TimeRemainingColumn())
    differ = 0
    started_at_seconds = time.monotonic()
    with Progress(*columns, console=output, transient=True, disable=not output.is_terminal) as progress:
        task = progress.add_task("", total=len(records), differ=0)
        for line_number, record in records:
            played = await table.play(record)
            fields = differences(record, played.ended, played.settled) if played.ended else ["void"]
            differ += bool(fields)
            if fields or played.new_shoe:
                output.print(_told(line_number, record, played, fields))
            progress.update(task, advance=1, differ=differ)
    rounds_per_s = len(records) / (time.monotonic() - started_at_seconds)
    await table.leave()
    output.print(f"rounds={len(records)} agree={len(records) - differ} differ={differ} rounds_per_s={rounds_per_s:.0f}")
    return SOME_DIFFER if differ else ALL_AGREE


def _not_played(problem: str) -> int:
    click.echo(" ".join(problem.split()), err=True)
    return NOT_PLAYED


def _told(line_number: int, record: Record, played: Played, fields: list[str]) -> str:
    """The line about a round that differs, or that had to start a new shoe."""
    parts = [f"line {line_number}: {msgspec.json.encode(record).decode()}", f"services: {_said(played)}"]
    if fields:
        parts.append(f"differs in {', '.join(fields)}")
        parts.append(f"the record {'keeps' if keeps_article_9(record) else 'breaks'} article 9")
    else:
        parts.append("agrees")
    if played.new_shoe:
        parts.append(f"new shoe: {played.new_shoe}")
    return " | ".join(parts)


def _said(played: Played) -> str:
    ended, settled = played.ended, played.settled.result
    if ended is None:
        return f"void: {played.parted}"
    return (
        f"player {' '.join(ended.player_cards)} ({ended.player_total}),"
        f" banker {' '.join(ended.banker_cards)} ({ended.banker_total}),"
        f' result {RESULT_LETTERS[ended.result]}, pairs "{pairs_letters(ended)}",'
        f" natural {int(ended.natural)}, settled {RESULT_LETTERS[settled] if settled else 'void'}"
    )
