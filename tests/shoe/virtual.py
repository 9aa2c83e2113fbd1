"""A virtual shoe at a table of its own."""

from typing import Any

from schemas import facts
from tests.shoe.table import Table, house_rules


def loaded(stacked: tuple[str, ...] = (), **fields: Any) -> Table:
    table = Table(house_rules(**fields), stacked)
    table.open()
    table.load()
    return table


def of_cards(written: list[Any]) -> list[facts.CardDealt]:
    return [fact for fact in written if isinstance(fact, facts.CardDealt)]
