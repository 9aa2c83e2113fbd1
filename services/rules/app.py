"""The rules service: reads `cards`, writes `calls`."""

import time
from collections.abc import Sequence

from faststream import FastStream
from faststream.specification import AsyncAPI

from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import CallsFact, DrawCalled, RoundDecided
from services.rules import core
from services.runtime.broker import PitBroker
from services.runtime.metrics import DRAW_LATENCY
from services.runtime.settings import read_settings


class RulesMeter:
    """Two times of each call: `decide`, the core alone; `read_to_call`, from the card read to the call acknowledged."""

    def __init__(self) -> None:
        self._read_to_call = DRAW_LATENCY.labels("rules", "read_to_call")
        self._decide = DRAW_LATENCY.labels("rules", "decide")

    def decided(self, seconds: float) -> None:
        """So many seconds the core took for a call."""
        self._decide.observe(seconds)

    def read(self, pit: str, entry: Entry, read_at: float) -> None:
        """Rules measure nothing from a single entry."""

    def committed(self, pit: str, facts: Sequence[Fact], read_at: float, committed_at: float) -> None:
        """Each call of the step took as long as the step."""
        for fact in facts:
            if isinstance(fact, DrawCalled | RoundDecided):
                self._read_to_call.observe(committed_at - read_at)


broker = PitBroker(read_settings())
app = FastStream(broker, logger=None, specification=AsyncAPI(title="rules", description=__doc__))
meter = RulesMeter()


@broker.step("rules", state=core.State, evolve=core.evolve, meter=meter)
def rules(state: core.State, entry: Entry) -> list[CallsFact]:
    """The call that is due after the entry. Its time is taken."""
    started_at = time.perf_counter()
    calls = core.decide(state, entry)
    if calls:
        meter.decided(time.perf_counter() - started_at)
    return calls
