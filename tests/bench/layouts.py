"""What one `bet.place` costs settlement when many stakes lie on the layout and many ended ones are still known."""

import itertools
import statistics
import time
from typing import Final

from rich.console import Console
from rich.table import Table as Printed

from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import CardsFact
from schemas.house_rules import HouseRules
from schemas.limits import STAKES_MAX, BetLimits
from schemas.requests import BetPlace
from services.runtime.records import Records
from services.settlement.core import State, decide, evolve
from tests.settlement.drive import LIMITS, MACAU, TABLE, Table, house, limits

MARKS: Final = (7, 100, STAKES_MAX)  # stakes on the layout
WAGERS: Final = 7  # measured before each mark
KEPT: Final = (0, 3, 10)  # rounds of STAKES_MAX stakes that are settled and can still be corrected
ROUNDS: Final = 5  # measured behind them
_BETS: Final = ("player", "banker", "tie", "player_pair", "banker_pair")
_BOUNDS: Final = BetLimits(minimum_minor=100, maximum_minor=10**9, total_minor=10**12)
_LIMITS: Final = limits(bets=dict.fromkeys(LIMITS.bets, _BOUNDS), differential_limit_minor=10**12)


class TimedTable(Table):
    """A table that takes each entry as a step of its own. `seconds`: of the last one's decide, evolve and records."""

    def __init__(self, rules: HouseRules) -> None:
        self._records: Records[State] = Records(State)
        self.seconds = 0.0
        super().__init__(rules, _LIMITS)

    def _step(self, entry: Entry) -> list[Fact]:
        started_at = time.perf_counter()
        before = self.state
        state = evolve(before, entry.event) if isinstance(entry.event, CardsFact) else before
        outcomes = decide(state, entry)
        for outcome in outcomes:
            state = evolve(state, outcome)
        for _ in self._records.changes(TABLE, before, state):
            pass
        self.state = self._records.stored(state)
        self.seconds = time.perf_counter() - started_at
        return [outcome for outcome in outcomes if isinstance(outcome, Fact)]


def measure() -> None:
    """Print the medians for each number of rounds kept and of stakes on the layout, and their ratio to the first."""
    printed = Printed(title=f"one bet.place: decide, evolve and records, median of {WAGERS * ROUNDS}")
    for column in ("rounds kept", "stakes on the layout", "median µs", "to the first"):
        printed.add_column(column, justify="right")
    first = 0.0
    for kept in KEPT:
        for mark, seconds in _play(kept).items():
            median = statistics.median(seconds)
            first = first or median
            printed.add_row(str(kept), str(mark), f"{median * 1e6:.1f}", f"{median / first:.2f}")
        printed.add_section()
    Console(width=100).print(printed)


def _play(kept: int) -> dict[int, list[float]]:
    """The seconds of the wagers before each mark, in rounds that follow so many full ones."""
    table = TimedTable(house(MACAU, correctable_rounds=kept))
    seconds: dict[int, list[float]] = {mark: [] for mark in MARKS}
    for number in range(kept + ROUNDS):
        if not kept:
            table = TimedTable(house(MACAU))
        table.open_round()
        for stakes, bet in zip(range(1, STAKES_MAX + 1), itertools.cycle(_BETS), strict=False):
            _place(table, f"{number}-{stakes}", bet, f"bettor {stakes % 100}")
            for mark in MARKS:
                if number >= kept and mark - WAGERS < stakes <= mark:
                    seconds[mark].append(table.seconds)
        table.close_betting()
        table.end_round("player")
    return seconds


def _place(table: Table, bet_id: str, bet: str, bettor_id: str) -> None:
    wager = BetPlace(
        table=TABLE,
        shoe_number=table.shoe_number,
        round_number=table.round_number,
        bet_id=bet_id,
        bettor_id=bettor_id,
        bet=bet,
        amount_minor=100,
        currency=_LIMITS.currency,
    )
    table.send(wager)
