"""Filling in what a scenario leaves out of its requests, from what the facts said so far about its tables.

A number is the next one where something is opened, loaded or scanned, and the present one everywhere else.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args, get_type_hints

import msgspec

from schemas.events import Request
from schemas.house_rules import HouseRules
from schemas.requests import CardScan, CutCardScan
from schemas.streams import EVENTS, REQUEST_STREAMS
from services.floor.scenario.file_format import Scenario, Step
from services.floor.scenario.matching import Heard

TABLE: Final = "scenario"
CUT_CARD: Final = "cut"
_UNIT_MINOR: Final = 500
_MAIN: Final = {"minimum_minor": 30_000, "maximum_minor": 30_000_000}
_OTHER: Final = {"minimum_minor": 10_000, "maximum_minor": 2_000_000}
_CONSTANTS: Final = {
    "operator": "dealer",
    "kind": "physical",
    "shuffled_by": "dealer",
    "cut_by": "dealer",
    "reason": "scenario",
    "bettor_id": "bettor",
}
_TYPES: Final[dict[str, type[Request]]] = {
    event.type: event for stream in REQUEST_STREAMS for event in EVENTS[stream] if issubclass(event, Request)
}


class Sending(msgspec.Struct, frozen=True):
    """A request as it is sent: any JSON, right or wrong. `given`: what the scenario has written of it."""

    stream: str
    type: str
    id: str | None
    table: str
    data: dict[str, Any]
    given: Mapping[str, Any]


class ScenarioTable:
    """One table: its shoe and round, the number of the next card out of its shoe, and its stakes by id."""

    def __init__(self) -> None:
        self.shoe_number = self.round_number = 0
        self.ordinal = 1
        self.currency: str | None = None
        self.stakes: dict[str, tuple[str, int]] = {}
        self.last_bet_id: str | None = None
        self.is_open = self.is_held = self.in_round = False
        self.bets_named = 0
        self._goes_on_at: int | None = None

    def sent(self, event_type: str, data: Mapping[str, Any]) -> None:
        """A request is sent. A card is counted when it is scanned, also when the services refuse it."""
        ordinal = data.get("ordinal")
        if event_type == CardScan.type and isinstance(ordinal, int):
            self.ordinal = max(self.ordinal, ordinal + 1)
        if event_type == "round.void":
            self._goes_on_at = data.get("next_ordinal")

    def hear(self, fact_type: str, data: Mapping[str, Any]) -> None:
        """A fact about this table."""
        match fact_type:
            case "table.opened":
                self.is_open, self.currency = True, data["limits"]["currency"]
            case "table.closed":
                self.is_open = self.is_held = False
            case "table.held" | "table.released":
                self.is_held = fact_type == "table.held"
            case "limits.changed":
                self.currency = data["limits"]["currency"]
            case "shoe.started":
                self.shoe_number, self.round_number, self.ordinal = data["shoe_number"], 0, data["burned"] + 1
            case "round.opened":
                self.round_number, self.in_round = data["round_number"], True
            case "round.ended" | "round.voided":
                self.in_round = False
                if fact_type == "round.voided" and self._goes_on_at is not None:
                    self.ordinal, self._goes_on_at = self._goes_on_at, None
            case "bet.accepted" | "bet.changed" | "bet.cancelled":
                self.stakes[data["bet_id"]] = (data["bet"], data["revision"])
                if fact_type == "bet.accepted":
                    self.last_bet_id = data["bet_id"]
            case _:
                pass


class ScenarioTables:
    """All tables of one scenario. `suffix`: added to each table's name, so that every run has tables of its own."""

    def __init__(self, scenario: Scenario, house_name: str, rules: HouseRules, suffix: str = "") -> None:
        self._scenario = scenario
        self._house_name = house_name
        self._rules = rules
        self._suffix = suffix
        self._tables: dict[str, ScenarioTable] = {}
        self._last_wager = "0-0"

    def real(self, name: str) -> str:
        """A table's name on the streams."""
        return f"{name}{self._suffix}"

    def table(self, real: str) -> ScenarioTable:
        """The table of this name on the streams."""
        return self._tables.setdefault(real, ScenarioTable())

    @property
    def names(self) -> tuple[str, ...]:
        """The tables that requests were sent to, by their names on the streams."""
        return tuple(self._tables)

    def beginning(self) -> Iterator[Sending]:
        """What comes before the first step: opening a table and loading a physical shoe, where no step does it."""
        types = [
            given["type"] if isinstance(given, dict) else CardScan.type
            for step in self._scenario.steps
            for given in step.given
        ]
        if "table.open" not in types:
            yield self._filled("console", {"type": "table.open"})
            if next((name for name in types if _names_a_shoe(name)), None) != "shoe.load":
                yield self._filled("console", {"type": "shoe.load"})

    def ending(self) -> Iterator[Sending]:
        """What closes all tables of the scenario, as far as that is possible."""
        for real, table in self._tables.items():
            name = {"table": real.removesuffix(self._suffix)}
            if table.is_held:
                yield self._filled("console", {"type": "table.release", **name})
            if table.in_round:
                yield self._filled("console", {"type": "round.void", **name})
            if table.is_open:
                yield self._filled("console", {"type": "table.close", **name})

    def sendings(self, step: Step) -> Iterator[Sending]:
        """What a step sends. Each request is filled in when it is taken, from all that was sent and heard before."""
        for given in step.given:
            if step.sends != "shoe":
                yield self._filled(step.sends, given)
            elif given == CUT_CARD:
                yield self._filled("scans", {"type": CutCardScan.type})
            else:
                yield self._filled("scans", {"type": CardScan.type, "card": given})

    def sent(self, sending: Sending, entry_id: str) -> None:
        """A request was written, under this entry id."""
        if sending.stream == "wagers":
            self._last_wager = entry_id

    def hear(self, heard: Sequence[Heard]) -> None:
        """The facts that followed a batch."""
        for fact in heard:
            if fact.table in self._tables:
                self._tables[fact.table].hear(fact.type, fact.data)

    def _filled(self, stream: str, given: Mapping[str, Any]) -> Sending:
        """A request, filled in. A request of an unknown type gets only its table."""
        event_type, request_id = given["type"], given.get("id")
        data = {name: value for name, value in given.items() if name not in ("type", "id")}
        real = self.real(str(data.get("table", TABLE)))
        table = self.table(real)
        if "table" not in data or isinstance(data["table"], str):
            data["table"] = real
        if event := _TYPES.get(event_type):
            for field in msgspec.structs.fields(event):
                if field.name not in data and field.required:
                    value = self._missing(table, event_type, field.name, data)
                    if value is not None or type(None) in get_args(get_type_hints(event)[field.name]):
                        data[field.name] = value
        table.sent(event_type, data)
        return Sending(stream, event_type, request_id, real, data, given)

    def _missing(self, table: ScenarioTable, event_type: str, field: str, data: Mapping[str, Any]) -> Any:
        stake = table.stakes.get(str(data.get("bet_id")))
        match field:
            case "shoe_number":
                return table.shoe_number + 1 if event_type == "shoe.load" else max(table.shoe_number, 1)
            case "round_number":
                return table.round_number + 1 if event_type == "round.open" else max(table.round_number, 1)
            case "ordinal":
                return table.ordinal
            case "wagers_through":
                return self._last_wager
            case "house_rules":
                return self._house_name if event_type == "table.open" else None
            case "limits":
                return self._limits()
            case "currency":
                return table.currency or self._limits()["currency"]
            case "bet_id" if event_type == "bet.place":
                table.bets_named += 1
                return f"bet-{table.bets_named}"
            case "bet_id":
                return table.last_bet_id
            case "revision":
                return stake[1] if stake else 0
            case "bet":
                return stake[0] if stake else None
            case _:
                return _CONSTANTS.get(field)

    def _limits(self) -> dict[str, Any]:
        """Plausible limits for every bet that the house offers, with those that the scenario names."""
        names = dict.fromkeys(bet.name for bet in self._rules.bets)
        return {
            "currency": "HKD",
            "unit_minor": _UNIT_MINOR,
            "bets": {name: _MAIN if name in ("player", "banker") else _OTHER for name in names},
            **self._scenario.limits,
        }


def _names_a_shoe(event_type: str) -> bool:
    event = _TYPES.get(event_type)
    return event is not None and "shoe_number" in event.__struct_fields__
