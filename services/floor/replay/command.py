"""The command `replay`: a file of recorded rounds is dealt again by the services, and what they say is compared."""

import asyncio
import secrets
import time
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from services.floor.file_commands import ALL_AGREE, SOME_DIFFER, not_played, play_in_pit, run_file_command
from services.floor.pit_client import PitClient
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


def run_replay(file: Path, pit: str, redis_url: str | None) -> int:
    """Run the command. Returns the exit code."""
    return run_file_command(replay(file, pit, redis_url))


async def replay(file: Path, pit: str, redis_url: str | None) -> int:
    """Play all rounds of `file` at a new table of `pit`, and print which differ. Returns the exit code.

    Without a URL a server and the services are started for the time that it takes.
    """
    try:
        records = read_records(await asyncio.to_thread(file.read_bytes))
    except (OSError, RecordsError) as error:
        return not_played(f"{file}: {error.strerror if isinstance(error, OSError) else error}")

    async def play_at(url: str) -> int:
        async with PitClient(url, pit) as client:
            await client.skip_past()
            return await _play(records, await ReplayTable.opened(client, f"replay-{secrets.token_hex(4)}"))

    return await play_in_pit(pit, redis_url, play_at)


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


def _told(line_number: int, record: Record, played: Played, fields: list[str]) -> str:
    """The line about a round that differs, or that needed a new shoe."""
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
