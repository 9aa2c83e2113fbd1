"""A physical shoe brought to each point of its first round."""

from typing import Any

from schemas import facts
from schemas.events import Fact
from tests.shoe.table import Table, house_rules

DECK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def loaded(burned: int = 0, **fields: Any) -> Table:
    table = Table(house_rules(**fields))
    table.open()
    table.load("physical", burned=burned)
    return table


def betting(burn: int = 0, **fields: Any) -> Table:
    table = loaded(**fields)
    table.open_round(1, burn=burn)
    return table


def dealing(**fields: Any) -> Table:
    table = betting(**fields)
    table.close_betting(1)
    return table


def calling(**fields: Any) -> Table:
    """Four cards are dealt: AC and 3C to Player, 2C and 4C to Banker."""
    table = dealing(**fields)
    table.scan_all(1, *DECK[:4])
    return table


def over(**fields: Any) -> Table:
    table = calling(**fields)
    table.decide_round(1, 4)
    return table


def settled(**fields: Any) -> Table:
    table = over(**fields)
    table.settle(1)
    return table


def misdealt() -> Table:
    """Four cards are dealt, then ordinal 7 comes in place of 5."""
    table = calling()
    table.scan(7, "7C")
    return table


def the_misdeal(written: list[Fact]) -> facts.MisdealDetected:
    (fact,) = (fact for fact in written if isinstance(fact, facts.MisdealDetected))
    return fact


def dealt(table: Table) -> list[tuple[int, str, int, str | None]]:
    return [(fact.card_number, fact.side, fact.position, fact.card) for fact in table.of(facts.CardDealt)]


FIRST_FOUR = [(1, "player", 1, "AC"), (2, "banker", 1, "2C"), (3, "player", 2, "3C"), (4, "banker", 2, "4C")]
