"""The settlement service: reads `cards`, `console` and `wagers`, writes `bets`."""

from collections.abc import Sequence
from typing import Any

from faststream import FastStream
from faststream.specification import AsyncAPI

from schemas.codec import Entry
from schemas.events import Event, Fact
from schemas.facts import RoundSettled
from schemas.requests import BettingClose
from schemas.streams import Stream
from services.runtime.broker import PitBroker
from services.runtime.metrics import DRAW_LATENCY
from services.runtime.settings import read_settings
from services.settlement import core


class SettlementMeter:
    """`ended_to_settled`: round's end read → its books acknowledged."""

    def __init__(self) -> None:
        self._ended_to_settled = DRAW_LATENCY.labels("settlement", "ended_to_settled")

    def read(self, entry: Entry, read_at: float) -> None:
        """Nothing is measured from a single entry here."""

    def committed(self, facts: Sequence[Fact], read_at: float, committed_at: float) -> None:
        """Each round settled in the step took as long as the step."""
        for fact in facts:
            if isinstance(fact, RoundSettled):
                self._ended_to_settled.observe(committed_at - read_at)


def wagers_first(event: Event) -> tuple[Stream, str] | None:
    """Betting closes behind the wagers that the console had seen."""
    return ("wagers", event.wagers_through) if isinstance(event, BettingClose) else None


broker = PitBroker(read_settings())
app = FastStream(broker, logger=None, specification=AsyncAPI(title="settlement", description=__doc__))


@broker.step("settlement", state=core.State, evolve=core.evolve, meter=SettlementMeter(), waits_for=wagers_first)
def settlement(state: core.State, entry: Entry) -> Sequence[Any]:
    """What the entry brings about."""
    return core.decide(state, entry)
