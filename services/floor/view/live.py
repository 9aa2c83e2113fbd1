"""The live view: follows the facts of a pit and shows its open tables at a pace that a person can follow."""

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from rich.console import Console
from rich.live import Live

from services.floor.pit_client import PitClient
from services.floor.view.latencies import Latency, read_latencies
from services.floor.view.screen import Scene, screen
from services.floor.view.stage import Stage
from services.floor.view.texts import restarts_line, round_line

_FRAME_SECONDS: Final = 0.1
_METRICS_SECONDS: Final = 1.0


class ShownRun(msgspec.Struct, frozen=True):
    """The run whose tables are shown.

    `addresses`: the line that the run began with. `metrics`: the services' URLs. `restarts`: how often each process was
    started again so far.
    """

    addresses: str
    metrics: Sequence[str]
    restarts: Callable[[], Mapping[str, int]]


async def show(client: PitClient, run: ShownRun, output: Console) -> None:
    """Show the tables for ever: drawn on a terminal, elsewhere each settled round as a line."""
    stage = Stage()
    async for page in client.past():
        stage.put(fact.entry for fact in page)
        stage.skip()
    reading = asyncio.create_task(_read(client, stage))
    try:
        if output.is_terminal:
            await _draw(stage, run, output, reading)
        else:
            await _tell(stage, run, reading)
        await reading
    finally:
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reading


async def _read(client: PitClient, stage: Stage) -> None:
    while True:
        # The facts of two streams have no order of their own. The time orders them well enough for the eye.
        stage.put(fact.entry for fact in sorted(await client.read(), key=lambda fact: fact.time))


async def _draw(stage: Stage, run: ShownRun, output: Console, reading: "asyncio.Task[None]") -> None:
    latencies: dict[str, Latency] = {}
    measured_at_seconds = 0.0
    shown: object = None
    with Live(console=output, screen=True, auto_refresh=False) as live:
        while not reading.done():
            now_seconds = time.monotonic()
            if now_seconds - measured_at_seconds >= _METRICS_SECONDS:
                latencies = latencies | await read_latencies(run.metrics)
                measured_at_seconds = now_seconds
            stage.advance(now_seconds)
            scene = Scene(addresses=run.addresses, tables=stage.tables, latencies=latencies, restarts=run.restarts())
            width, height = output.size
            if (scene, width, height) != shown:
                live.update(screen(scene, width=width, height=height), refresh=True)
                shown = (scene, width, height)
            await asyncio.sleep(_FRAME_SECONDS)


async def _tell(stage: Stage, run: ShownRun, reading: "asyncio.Task[None]") -> None:
    told_restarts = ""
    while not reading.done():
        lines = [round_line(play, books) for play, books in stage.advance(time.monotonic())]
        if (said := restarts_line(run.restarts())) != told_restarts:
            lines.append(said)
            told_restarts = said
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
        await asyncio.sleep(_FRAME_SECONDS)
