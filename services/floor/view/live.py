"""Showing the demo's tables while they play: facts from the streams, shown at a pace that a person can follow."""

import asyncio
import contextlib
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.live import Live

from schemas import facts
from schemas.codec import Entry
from schemas.events import Event
from services.floor.demo.tables import TABLES
from services.floor.pit_client import PitClient
from services.floor.play_and_books import Books, Play, books_after, play_after
from services.floor.view.latencies import Latency, read_latencies
from services.floor.view.screen import picture, round_line

# The services deal a round in a few milliseconds; on the felt each of these takes its time.
PAUSES_SECONDS: Final[dict[type[Event], float]] = {
    facts.BettingClosed: 0.5,
    facts.CardDealt: 0.55,
    facts.DrawCalled: 0.7,
    facts.RoundDecided: 0.5,
    facts.RoundEnded: 0.4,
}
_FRAME_SECONDS: Final = 0.1
_METRICS_SECONDS: Final = 1.0


class Stage:
    """The tables as they are shown: facts wait here for their turn. Times are the caller's, of any one clock."""

    def __init__(self) -> None:
        self._tables = {name: (Play(table=name), Books(table=name)) for name in TABLES}
        self._waiting: dict[str, deque[tuple[str, Event]]] = {name: deque() for name in TABLES}
        self._next_at_seconds = dict.fromkeys(TABLES, 0.0)

    @property
    def tables(self) -> Sequence[tuple[Play, Books]]:
        """Every table as it is shown now."""
        return list(self._tables.values())

    def put(self, entries: Iterable[Entry]) -> None:
        """Facts that are new, in the order in which they are to be shown."""
        for entry in entries:
            if entry.event.table in self._waiting:
                self._waiting[entry.event.table].append((entry.stream, entry.event))

    def skip(self) -> None:
        """Show all that waits at once: the past, at the start."""
        for name in TABLES:
            while self._waiting[name]:
                self._show(name)

    def advance(self, now_seconds: float) -> list[tuple[Play, Books]]:
        """Show what is due; the tables whose round was settled by it. A round that is over holds no new one up."""
        settled = []
        for name, waiting in self._waiting.items():
            while waiting and (now_seconds >= self._next_at_seconds[name] or _behind(waiting)):
                event = self._show(name)
                self._next_at_seconds[name] = now_seconds + PAUSES_SECONDS.get(type(event), 0.0)
                if isinstance(event, facts.RoundSettled):
                    settled.append(self._tables[name])
        return settled

    def _show(self, name: str) -> Event:
        stream, event = self._waiting[name].popleft()
        play, books = self._tables[name]
        if stream == "bets":
            books = books_after(books, event)
        else:
            play = play_after(play, event)
        self._tables[name] = (play, books)
        return event


def _behind(waiting: Iterable[tuple[str, Event]]) -> bool:
    return any(isinstance(event, facts.RoundOpened) for _, event in list(waiting)[1:])


async def show(client: PitClient, metrics: Sequence[str], output: Console) -> None:
    """Show the tables for ever: drawn on a terminal, elsewhere each settled round as a line."""
    stage = Stage()
    async for page in client.past():
        stage.put(fact.entry for fact in page)
        stage.skip()
    reading = asyncio.create_task(_read(client, stage))
    try:
        if output.is_terminal:
            await _draw(stage, metrics, output, reading)
        else:
            await _tell(stage, reading)
    finally:
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reading


async def _read(client: PitClient, stage: Stage) -> None:
    while True:
        # Nothing orders two streams but cause and effect; for the eye, on one machine, its clock will do.
        stage.put(fact.entry for fact in sorted(await client.read(), key=lambda fact: fact.time))


async def _draw(stage: Stage, metrics: Sequence[str], output: Console, reading: "asyncio.Task[None]") -> None:
    latencies: dict[str, Latency] = {}
    measured_at_seconds = 0.0
    shown: object = None
    with Live(console=output, screen=True, auto_refresh=False) as live:
        while not reading.done():
            now_seconds = time.monotonic()
            if now_seconds - measured_at_seconds >= _METRICS_SECONDS:
                latencies = latencies | await read_latencies(metrics)
                measured_at_seconds = now_seconds
            stage.advance(now_seconds)
            scene = (stage.tables, latencies, output.size)
            if scene != shown:
                width, height = output.size
                live.update(picture(stage.tables, latencies, width=width, height=height), refresh=True)
                shown = scene
            await asyncio.sleep(_FRAME_SECONDS)
    await reading


async def _tell(stage: Stage, reading: "asyncio.Task[None]") -> None:
    while not reading.done():
        for play, books in stage.advance(time.monotonic()):
            sys.stdout.write(f"{round_line(play, books)}\n")
        sys.stdout.flush()
        await asyncio.sleep(_FRAME_SECONDS)
    await reading
