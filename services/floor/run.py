"""The command `run`: server, services and demo floor together, shown live or played flat out."""

import asyncio
import contextlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from redis.exceptions import RedisError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from services.floor.demo.tables import PIT, TABLES
from services.floor.host.child_processes import ChildDied, Command
from services.floor.host.data_folder import CannotRun
from services.floor.host.running_system import System, running_system
from services.floor.host.signals import Signalled, unless_signalled
from services.floor.ledger import Ledger
from services.floor.pit_client import PitClient, PitError, ReadFact
from services.floor.view.latencies import Latency, read_latencies
from services.floor.view.live import ShownRun, show

FAILED: Final = 1
INTERRUPTED: Final = 130


def run(rounds: int | None, port: int | None, redis_url: str | None, data_directory: Path) -> int:
    """Run until a signal comes, or until each table has played so many rounds. Returns the exit code."""
    try:
        return asyncio.run(unless_signalled(_run(rounds, port, redis_url, data_directory.absolute())))
    except Signalled as signalled:
        # With SIGHUP the terminal is gone, and nobody reads this.
        with contextlib.suppress(OSError):
            _say(f"ended by {signalled}: all that this run started has stopped; the next run goes on from here")
        return 0 if rounds is None else INTERRUPTED
    except (CannotRun, ChildDied, PitError, RedisError, OSError) as error:
        sys.stderr.write(f"run: {' '.join(str(error).split())}\n")
        return FAILED


async def _run(rounds: int | None, port: int | None, redis_url: str | None, data_directory: Path) -> int:
    async with running_system(data_directory, port=port, redis_url=redis_url) as system:
        if rounds is None:
            await _show(system)
            raise AssertionError("the view ends by a signal only")
        return await system.children.unless_broken(_play(system, rounds))


async def _show(system: System) -> None:
    _start_demo(system, {})
    addresses = _addresses(system)
    _say(addresses)
    shown = ShownRun(addresses, tuple(system.metrics.values()), lambda: system.children.restarts)
    async with PitClient(system.urls["floor"], PIT, patient=True) as client:
        await system.children.unless_broken(show(client, shown, Console()))


async def _play(system: System, rounds: int) -> int:
    ledger = Ledger()
    async with PitClient(system.urls["floor"], PIT, streams=("bets",), patient=True) as client:
        async for page in client.past():
            _add(ledger, page)
        rounds_before = sum(ledger.rounds.values())
        goal = {table: ledger.rounds.get(table, 0) + rounds for table in TABLES}
        _start_demo(system, {"DEMO_ROUNDS": msgspec.json.encode(goal).decode()})
        _say(_addresses(system))
        with _progress() as progress:
            task = progress.add_task("rounds", total=rounds * len(TABLES))
            while missing := sum(max(0, goal[table] - ledger.rounds.get(table, 0)) for table in TABLES):
                progress.update(task, completed=rounds * len(TABLES) - missing)
                _add(ledger, await client.read())
            progress.update(task, completed=rounds * len(TABLES))
    return await _conclude(ledger, system, rounds_before)


async def _conclude(ledger: Ledger, system: System, rounds_before: int) -> int:
    """Say what was played. The first field is about this run, the latency too; all others are about all the data."""
    latency = (await read_latencies(tuple(system.metrics.values()))).get("card_to_call", Latency(0, None, None))
    for problem in ledger.problems:
        sys.stderr.write(f"run: {problem}\n")
    rounds = sum(ledger.rounds.values())
    _say(
        f"rounds_this_run={rounds - rounds_before} rounds={rounds} bets={ledger.bets}"
        f" placed_minor={ledger.placed_minor} returned_minor={ledger.returned_minor} house_minor={ledger.house_minor}"
        f" on_layout_minor={ledger.on_layout_minor} balanced={'yes' if ledger.balanced else 'no'}"
        f" draw_p50_us={_microseconds(latency.p50_seconds)}"
        f" draw_p99_us={_microseconds(latency.p99_seconds)}"
    )
    return 0 if ledger.balanced else FAILED


def _microseconds(seconds: float | None) -> str:
    return "none" if seconds is None else f"{seconds * 1e6:.0f}"


def _add(ledger: Ledger, facts: Iterable[ReadFact]) -> None:
    for fact in facts:
        ledger.add(fact.event)


def _start_demo(system: System, environment: dict[str, str]) -> None:
    command = (sys.executable, "-m", "services.floor.demo")
    system.children.start_layer(Command("demo", command, {"REDIS_URL": system.urls["floor"], **environment}))


def _addresses(system: System) -> str:
    return f"redis={system.urls['floor']} metrics={','.join(system.metrics.values())} pit={PIT}"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    errors = Console(stderr=True)
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
