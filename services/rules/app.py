"""The rules service: reads `cards`, writes `calls`."""

import time
from collections.abc import Sequence

from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import CallsFact, DrawCalled, RoundDecided
from services.rules import core
from services.runtime.application import application
from services.runtime.metrics import DRAW_LATENCY
from services.runtime.service import Definition
from services.runtime.settings import read_settings


class RulesMeter:
    """Two times of each call: `decide`, the core alone; `read_to_call`, from the card read to the call acknowledged."""

    def __init__(self) -> None:
        self._read_to_call = DRAW_LATENCY.labels("rules", "read_to_call")
        self._decide = DRAW_LATENCY.labels("rules", "decide")

    def decide(self, state: core.State, entry: Entry) -> list[CallsFact]:
        """What the core decides. Its time is taken when it is a call."""
        started_at = time.perf_counter()
        calls = core.decide(state, entry)
        if calls:
            self._decide.observe(time.perf_counter() - started_at)
        return calls

    def read(self, entry: Entry, read_at: float) -> None:
        """Rules measure nothing from a single entry."""

    def committed(self, facts: Sequence[Fact], read_at: float, committed_at: float) -> None:
        """Each call of the step took as long as the step."""
        for fact in facts:
            if isinstance(fact, DrawCalled | RoundDecided):
                self._read_to_call.observe(committed_at - read_at)


def definition() -> Definition[core.State]:
    """The rules service for the runtime."""
    meter = RulesMeter()
    return Definition(name="rules", state=core.State, decide=meter.decide, evolve=core.evolve, meter=meter)


app = application(definition(), read_settings())
