"""What one event of ordinary play costs each core: evolve and decide alone, without codec, records or streams."""

import statistics
import time
from collections import defaultdict
from dataclasses import replace
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from schemas.codec import Entry
from schemas.events import Fact
from schemas.limits import BetLimits, Limits
from schemas.requests import BetPlace, BettingClose, RoundOpen, ShoeLoad, TableOpen
from schemas.streams import EVENTS, Service
from services.runtime.service import Definition
from tests.simulation.pit import Memory, Pit

TABLE: Final = "macau-1"
BETS: Final = ("player", "banker", "player", "tie", "banker", "player_pair", "banker_pair")
PROMISED_MICROSECONDS: Final = 20
_BOUNDS: Final = BetLimits(minimum_minor=10_000, maximum_minor=100_000_000)
_LIMITS: Final = Limits(currency="HKD", unit_minor=100, bets=dict.fromkeys(BETS, _BOUNDS))


class Stopwatch:
    """A core's definition that adds up the seconds of each entry, by the entry's type."""

    def __init__(self, definition: Definition[Any]) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.definition = replace(definition, decide=self._decide, evolve=self._evolve)
        self._core = definition
        self._own = {event.type for event in EVENTS[definition.output]}
        self._spent: list[float] = []

    def _decide(self, state: Any, entry: Entry) -> Any:
        if not isinstance(entry.event, Fact):
            self._spent = []
        started_at = time.perf_counter()
        outcomes = self._core.decide(state, entry)
        self._spent.append(time.perf_counter() - started_at)
        self.seconds[entry.type].append(0.0)
        self._count(entry.type)
        return outcomes

    def _evolve(self, state: Any, event: Any) -> Any:
        begins = isinstance(event, Fact) and event.type not in self._own
        if begins:
            self._spent = []
        started_at = time.perf_counter()
        after = self._core.evolve(state, event)
        self._spent.append(time.perf_counter() - started_at)
        if not begins:
            self._count(self._type)
        return after

    def _count(self, event_type: str) -> None:
        """The last entry of this type has cost so much up to now."""
        self._type = event_type
        self.seconds[event_type][-1] = sum(self._spent)


def measure(rounds: int) -> None:
    """Play so many rounds of a table with seven bets in memory, and print the medians."""
    watches = _play(rounds)
    table = Table(title=f"one event of ordinary play, {rounds} rounds with {len(BETS)} bets: decide and evolve")
    for column in ("core", "event", "count", "median µs", "p99 µs"):
        table.add_column(column, justify="left" if column in ("core", "event") else "right")
    for name, watch in watches.items():
        everything = [seconds for times in watch.seconds.values() for seconds in times]
        for event_type, times in sorted(watch.seconds.items()):
            if len(times) >= 10:
                table.add_row(name, event_type, str(len(times)), *_figures(times))
        table.add_row(name, "all", str(len(everything)), *_figures(everything), style="bold", end_section=True)
    Console(width=100).print(table)
    Console(width=100).print(f"promised: a median under {PROMISED_MICROSECONDS} µs for each core")


def _figures(times: list[float]) -> tuple[str, str]:
    return f"{statistics.median(times) * 1e6:.1f}", f"{statistics.quantiles(times, n=100)[98] * 1e6:.1f}"


def _play(rounds: int) -> dict[Service, Stopwatch]:
    pit = Pit()
    watches = {name: Stopwatch(memory.definition) for name, memory in pit.services.items()}
    for name, watch in watches.items():
        pit.services[name] = Memory(watch.definition)
    pit.send("console", TableOpen(table=TABLE, operator="d", house_rules="macau-continuous-shuffler", limits=_LIMITS))
    load = ShoeLoad(
        table=TABLE, operator="d", shoe_number=1, kind="virtual", shuffled_by=None, cut_by=None, cut_at=None
    )
    pit.send("console", load)
    for number in range(1, rounds + 1):
        here: dict[str, Any] = {"table": TABLE, "shoe_number": 1, "round_number": number}
        pit.send("console", RoundOpen(**here, operator="d"))
        pit.run()
        for seat, bet in enumerate(BETS):
            bet_id = f"{number}-{seat}"
            wager = BetPlace(**here, bet_id=bet_id, bettor_id=f"b{seat}", bet=bet, amount_minor=10_000, currency="HKD")
            pit.send("wagers", wager)
        pit.run()
        pit.send("console", BettingClose(**here, operator="d", wagers_through=f"{len(BETS) * number}-0"))
        pit.run()
    return watches
