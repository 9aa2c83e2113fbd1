"""One table of a recorded pit, asked by hand. What a request leaves out is filled in as in scenarios."""

import json
from pathlib import Path
from typing import Any, Final

from services.floor.scenario.file_format import Scenario, Step
from services.floor.scenario.matching import Heard
from services.floor.scenario.request_filling import ScenarioTables, Sending
from tests.recording.recorder import Recorder
from tests.scenarios.memory import heard_since
from tests.simulation.pit import TIME

# By whom each request of the console is approved; house rules that ask for nobody are content with it.
SUPERVISOR: Final = "supervisor"


class Desk:
    """Tells one table's requests and hears its facts."""

    def __init__(self, recorder: Recorder, house_rules: str, name: str, **limits: Any) -> None:
        self.recorder = recorder
        scenario = Scenario(
            path=Path(name),
            title=name,
            articles=(),
            options=(),
            house=house_rules,
            house_rules=None,
            refused=(),
            limits=limits,
            steps=(),
        )
        self._tables = ScenarioTables(scenario, house_rules, recorder.part.house[house_rules][0], suffix=f"-{name}")
        self._start = len(recorder.pit.order)
        self._sent: dict[str, tuple[Any, list[bytes]]] = {}

    def write(self, sends: str, *given: Any) -> None:
        """Requests to one stream, or cards out of the shoe (`shoe`). They wait."""
        step = Step(number=0, line=0, sends=sends, given=given, expect=(), absent=(), exactly=False)
        for sending in self._tables.sendings(step):
            self._write(sending)

    def hear(self) -> list[Heard]:
        """Let the pit get quiet; what was said of this table since it was heard last."""
        self.recorder.run()
        names = ("", *self._tables.names)
        heard = [fact for fact in heard_since(self.recorder.pit, self._start) if fact.table in names]
        self._start = len(self.recorder.pit.order)
        self._tables.hear(heard)
        return heard

    def ask(self, sends: str, *given: Any) -> list[Heard]:
        """Requests, and what followed."""
        self.write(sends, *given)
        return self.hear()

    def console(self, type: str, **fields: Any) -> list[Heard]:
        """One request of the console, approved."""
        return self.ask("console", {"type": type, "approved_by": SUPERVISOR, **fields})

    def bet(self, bet_id: str, bet: str, amount_minor: int, **fields: Any) -> list[Heard]:
        """One stake."""
        return self.ask(
            "wagers", {"type": "bet.place", "bet_id": bet_id, "bet": bet, "amount_minor": amount_minor, **fields}
        )

    def shoe(self, *cards: str | None) -> list[Heard]:
        """The next cards out of the shoe, one after the other; null is a failed read, `cut` the cut card."""
        return self.ask("shoe", *cards)

    def round(self, *cards: str, **fields: Any) -> list[Heard]:
        """A round: opened, closed, and dealt if the shoe is physical."""
        self.console("round.open", **fields)
        self.console("betting.close")
        return self.shoe(*cards)

    def _write(self, sending: Sending) -> None:
        """The same identity and words again are the same entry, byte for byte."""
        request_id = sending.id or f"request-{len(self._sent)}"
        known = self._sent.get(request_id)
        entry = known[1] if known and known[0] == sending.given else _entry(sending, request_id)
        self._sent.setdefault(request_id, (sending.given, entry))
        place = self.recorder.write(sending.stream, entry)
        self._tables.sent(sending, place.partition("/")[2])


def _entry(sending: Sending, request_id: str) -> list[bytes]:
    fields = {
        "specversion": "1.0",
        "id": request_id,
        "source": f"/desk/{sending.table}",
        "type": sending.type,
        "subject": sending.table,
        "time": TIME,
        "data": json.dumps(sending.data, separators=(",", ":"), ensure_ascii=False),
    }
    return [part.encode() for pair in fields.items() for part in pair]
