"""The rules service: reads `cards`, writes `calls`."""

import time
from collections.abc import Sequence

from faststream import FastStream
from faststream.specification import AsyncAPI

from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import DrawCalled, RoundDecided
from services.rules import core
from services.runtime.broker import PitBroker
from services.runtime.metrics import DRAW_LATENCY
from services.runtime.settings import read_settings


class RulesMeter:
    """`decide`: the core alone, when it calls. `read_to_call`: card read → call acknowledged."""

    def __init__(self) -> None:
        self._read_to_call = DRAW_LATENCY.labels("rules", "read_to_call")
        self._decide = DRAW_LATENCY.labels("rules", "decide")

    def decided(self, seconds: float) -> None:
        """The core took so long for a call."""
        self._decide.observe(seconds)

    def read(self, entry: Entry, read_at: float) -> None:
        """Nothing is measured from a single entry here."""

    def committed(self, facts: Sequence[Fact], read_at: float, committed_at: float) -> None:
        """Each call of the step took as long as the step."""
        for fact in facts:
            if isinstance(fact, DrawCalled | RoundDecided):
                self._read_to_call.observe(committed_at - read_at)


broker = PitBroker(read_settings())
app = FastStream(broker, logger=None, specification=AsyncAPI(title="rules", description=__doc__))
meter = RulesMeter()


@broker.step("rules", state=core.State, evolve=core.evolve, meter=meter)
def rules(state: core.State, entry: Entry) -> Sequence[Fact]:
    """The call that the entry makes due, timed when there is one."""
    started_at = time.perf_counter()
    calls = core.decide(state, entry)
    if calls:
        meter.decided(time.perf_counter() - started_at)
    return calls
