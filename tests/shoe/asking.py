"""What a floor asks of an open table beside its shoes and rounds."""

from typing import Any

from schemas import requests
from schemas.events import Fact
from tests.shoe.table import LIMITS, TABLE, Table

WHO: dict[str, Any] = {"table": TABLE, "operator": "boss"}


def hold(table: Table) -> list[Fact]:
    return table.take(requests.TableHold(**WHO, reason="disputed"))


def release(table: Table) -> list[Fact]:
    return table.take(requests.TableRelease(**WHO))


def report_damage(table: Table, shoe: int = 1, card_number: int | None = None) -> list[Fact]:
    return table.take(requests.DamageReport(**WHO, shoe_number=shoe, card_number=card_number, reason="bent"))


def set_limits(table: Table, limits: Any = LIMITS) -> list[Fact]:
    return table.take(requests.LimitsSet(**WHO, limits=limits))


def change_house_rules(table: Table, name: str = "other") -> list[Fact]:
    return table.take(requests.HouseRulesChange(**WHO, house_rules=name))
