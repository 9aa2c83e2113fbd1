"""The course of one scenario: what is sent next, and whether the facts that followed are those that are expected.

It is the same for a running pit and for a pit in memory.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from schemas.house_rules import HouseRules
from schemas.requests import TableOpen
from services.floor.scenario.file_format import Expected, Scenario, ScenarioError, Step
from services.floor.scenario.matching import Heard, difference
from services.floor.scenario.request_filling import ScenarioTables, Sending


class Course:
    """The course of a scenario.

    Whoever plays it takes one batch after the other. Each request of a batch is written, and `sent` is told its entry
    id. When the services are quiet, `hear` is given all facts that followed, and the next batch may be taken.
    """

    def __init__(self, scenario: Scenario, house_name: str, rules: HouseRules, suffix: str = "") -> None:
        self.scenario = scenario
        self.difference: str | None = None
        self._tables = ScenarioTables(scenario, house_name, rules, suffix)
        self._house_name = house_name
        self._entries: dict[str, tuple[Sending, list[bytes]]] = {}
        self._count = 0
        self._heard: tuple[Heard, ...] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables whose facts must be heard, by their names on the streams."""
        return self._tables.names

    def batches(self) -> Iterator[Iterator[Sending]]:
        """What comes before the first step, then the steps, until one differs."""
        for sending in self._tables.beginning():
            yield iter((sending,))
            self._demand_house_rules((sending.given,))
        for step in self.scenario.steps:
            yield self._tables.sendings(step)
            self._demand_house_rules(step.given)
            if said := difference(self._with_real_names(step), self._heard):
                self.difference = f"{self.scenario.path}:{step.line}: {said}"
                return

    def endings(self) -> Iterator[Iterator[Sending]]:
        """What closes the scenario's tables after the last step."""
        for sending in self._tables.ending():
            yield iter((sending,))

    def entry(self, sending: Sending, time: str) -> list[bytes]:
        """The entry of a request. A request with the same id and fields as an earlier one gets the same entry again."""
        self._count += 1
        request_id = sending.id or f"request-{self._count}"
        known = self._entries.get(request_id)
        if known and known[0].given == sending.given:
            return known[1]
        named = {
            "specversion": "1.0",
            "id": request_id,
            "source": f"/scenario/{sending.table}",
            "type": sending.type,
            "subject": sending.table,
            "time": time,
            "data": json.dumps(sending.data, separators=(",", ":"), ensure_ascii=False),
        }
        entry = [part.encode() for pair in named.items() for part in pair]
        self._entries.setdefault(request_id, (sending, entry))
        return entry

    def sent(self, sending: Sending, entry_id: str) -> None:
        """A request was written, under this entry id."""
        self._tables.sent(sending, entry_id)

    def hear(self, heard: Sequence[Heard]) -> None:
        """All facts and rejects that followed a batch."""
        self._heard = tuple(heard)
        self._tables.hear(heard)

    def _demand_house_rules(self, given: Sequence[Any]) -> None:
        """Raise ScenarioError when the services lack the scenario's house rules: then the scenario cannot be played."""
        meant = any(
            isinstance(one, Mapping) and one["type"] == TableOpen.type and "house_rules" not in one for one in given
        )
        if meant and any(fact.data.get("reason") == "unknown_house_rules" for fact in self._heard):
            raise ScenarioError(
                f"{self.scenario.path}: these services do not know the house rules {self._house_name!r}:"
                " put their file into BACCARAT_HOUSE_DIR, or run the scenario without --redis"
            )

    def _with_real_names(self, step: Step) -> Step:
        """The step, with each expected `table` by its name on the streams."""
        return replace(step, expect=tuple(self._with_real_name(expected) for expected in step.expect))

    def _with_real_name(self, expected: Expected) -> Expected:
        if not isinstance(name := expected.fields.get("table"), str):
            return expected
        return replace(expected, fields=expected.fields | {"table": self._tables.real(name)})
