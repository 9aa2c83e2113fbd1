"""The draw decision, three ways in one interleaved run: a card's commit acknowledged → its call read by the shoe."""

import random
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psutil
import uvloop
from rich.console import Console
from rich.progress import track
from rich.table import Table

from schemas.cards import CARDS, POINTS
from schemas.codec import ChainHead, seal
from schemas.events import Fact
from schemas.facts import CardDealt, RoundOpened, RoundVoided
from tests.bench.ways import TIME, WAYS, Shoe
from tests.servers import Server, serve

BLOCK_ROUNDS: Final = 50
WARM_UP_BLOCKS: Final = 2
# What the project promises: the ratio of ours to the peer, at most.
PROMISES: Final = {"pool": ("p50 <= 0.75, cpu <= 0.70"), "faststream": "p50 <= 0.25"}


class Dealer:
    """Commits the four first cards of round after round, as the shoe would."""

    def __init__(self, pit: str) -> None:
        self._random = random.Random(2_026)  # the three ways must deal the same cards
        self._source = f"/baccarat/{pit}/shoe"
        self._version = ""
        self._head = ChainHead()
        self._round_number = 0

    def arguments(self) -> list[bytes]:
        """The arguments of the commit that opens the next round and deals its four first cards."""
        self._round_number += 1
        facts: list[bytes] = []
        dealt = list(self._facts())
        for fact in dealt:
            entry, self._head = seal(
                fact, self._head, source=self._source, time=TIME, causation="bets/1-0", traceparent=None
            )
            facts += (b"%d" % len(entry), *entry)
        expected, self._version = self._version, secrets.token_hex(16)
        return [expected.encode(), self._version.encode(), b"0", b"0", b"%d" % len(dealt), *facts, b"0", b"0", b"0"]

    def _facts(self) -> Iterator[Fact]:
        here: dict[str, Any] = {"table": "macau-1", "shoe_number": 1, "round_number": self._round_number}
        if self._round_number > 1:
            last = {**here, "round_number": self._round_number - 1}
            yield RoundVoided(**last, revision=0, reason="the call is all that is measured")
        yield RoundOpened(**here, demonstration=False, burned=0, cards_left=400, last_round=False, limits_version=1)
        for number, card in enumerate(self._random.sample(CARDS, 4)):
            yield CardDealt(
                **here,
                card_number=4 * self._round_number + number,
                side=("player", "banker")[number % 2],
                position=1 + number // 2,
                card=card,
                points=POINTS[card],
            )


def measure(rounds: int, fsync: str) -> None:
    """Run the three ways in turn, block by block, and print the table."""
    with tempfile.TemporaryDirectory() as directory, serve("embedded", Path(directory)) as server:
        server.client().config_set("appendfsync", fsync)
        uvloop.run(_measure(server, rounds, fsync))


async def _measure(server: Server, rounds: int, fsync: str) -> None:
    with _rules(server.url) as processes:
        shoes: dict[str, Shoe] = {}
        dealers = {way: Dealer(f"bench-{way}") for way in WAYS}
        for way, (_, shoe_of_way) in WAYS.items():
            shoe = shoe_of_way(server.url, f"bench-{way}")
            await shoe.start()
            shoes[way] = shoe
        seconds: dict[str, list[float]] = {way: [] for way in WAYS}
        cpu_seconds = dict.fromkeys(WAYS, 0.0)
        calls: dict[str, list[bytes]] = {way: [] for way in WAYS}
        blocks = WARM_UP_BLOCKS + rounds // BLOCK_ROUNDS
        for block in track(range(blocks), "measuring", console=Console(stderr=True), transient=True):
            for way, shoe in shoes.items():
                cpu_before = _cpu_seconds(processes[way])
                for _ in range(BLOCK_ROUNDS):
                    latency, call = await shoe.deal(dealers[way].arguments())
                    calls[way].append(call)
                    if block >= WARM_UP_BLOCKS:
                        seconds[way].append(latency)
                if block >= WARM_UP_BLOCKS:
                    cpu_seconds[way] += _cpu_seconds(processes[way]) - cpu_before
        assert calls["ours"] == calls["pool"] == calls["faststream"], "the ways do not call the same"
        _print(seconds, cpu_seconds, fsync)


@contextmanager
def _rules(url: str) -> Iterator[dict[str, psutil.Process]]:
    running = {
        way: subprocess.Popen(
            [sys.executable, "-m", "tests.bench.ways", way, url, f"bench-{way}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for way in WAYS
    }
    try:
        yield {way: psutil.Process(process.pid) for way, process in running.items()}
    finally:
        for process in running.values():
            process.kill()
            process.wait()


def _cpu_seconds(rules: psutil.Process) -> float:
    times = rules.cpu_times()
    return float(times.user + times.system) + time.process_time()


def _print(seconds: dict[str, list[float]], cpu_seconds: dict[str, float], fsync: str) -> None:
    table = Table(title=f"card's commit acknowledged → call read, one table, appendfsync {fsync}")
    for column in ("way", "calls", "p50 µs", "p99 µs", "CPU µs a call", "ours ÷ it: p50", "ours ÷ it: CPU", "promised"):
        table.add_column(column, justify="left" if column in ("way", "promised") else "right")
    median = {way: statistics.median(values) for way, values in seconds.items()}
    for way, values in seconds.items():
        cpu = cpu_seconds[way] / len(values)
        ratios = [f"{median['ours'] / median[way]:.2f}", f"{cpu_seconds['ours'] / cpu_seconds[way]:.2f}"]
        table.add_row(
            way,
            str(len(values)),
            f"{median[way] * 1e6:.0f}",
            f"{_percentile(values, 99) * 1e6:.0f}",
            f"{cpu * 1e6:.0f}",
            *(["", ""] if way == "ours" else ratios),
            PROMISES.get(way, ""),
        )
    Console(width=120).print(table)


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]
