"""Tables, shoes and rounds as a console asks for them."""

import pytest

from schemas import facts
from schemas.house_rules import SHIPPED_DIRECTORY, read_house_rules
from tests.shoe.table import LIMITS, TABLE, Table, house_rules, reason, types
from tests.shoe.tables import ended, opened, played, second_shoe


def test_a_table_opens_with_the_whole_rules_and_limits() -> None:
    table = Table()
    assert table.open(gaming_day="2025-11-29") == [
        facts.TableOpened(
            table=TABLE,
            house_rules=table.rules,
            house_rules_sha256="f" * 64,
            limits=LIMITS,
            limits_version=1,
            layouts=1,
            seats=7,
            gaming_day="2025-11-29",
        )
    ]


def test_a_table_opens_with_fewer_layouts_and_seats_than_the_house_has() -> None:
    table = Table(house_rules(layouts=2))
    (fact,) = table.open(layouts=1, seats=3)
    assert isinstance(fact, facts.TableOpened)
    assert (fact.layouts, fact.seats) == (1, 3)


def test_limits_are_counted_over_closing() -> None:
    table = opened()
    table.close()
    (fact,) = table.open()
    assert isinstance(fact, facts.TableOpened)
    assert fact.limits_version == 2
    table.load()
    (round_opened,) = table.open_round(1)
    assert isinstance(round_opened, facts.RoundOpened)
    assert round_opened.limits_version == 2


def test_shoes_are_counted_over_closing() -> None:
    table = second_shoe()
    table.close()
    table.open()
    assert reason(table.load(number=1)) == "expired"
    assert types(table.load(number=3)) == ["shoe.started"]


def test_closing_a_table_ends_its_shoe_first() -> None:
    table = played()
    ended_shoe, closed_table = table.close()
    assert isinstance(ended_shoe, facts.ShoeEnded)
    assert (ended_shoe.reason, ended_shoe.rounds) == ("table_closed", 2)
    assert closed_table == facts.TableClosed(table=TABLE, reason="request")


def test_closing_a_table_without_a_shoe_in_play_ends_none() -> None:
    assert types(opened().close()) == ["table.closed"]
    assert types(ended().close()) == ["table.closed"]


def test_the_console_ends_a_shoe_for_its_own_reason() -> None:
    (fact,) = played().end_shoe()
    assert isinstance(fact, facts.ShoeEnded)
    assert (fact.reason, fact.rounds) == ("worn", 2)


def test_what_is_asked_of_a_shoe_stands_in_its_start() -> None:
    (fact,) = opened().load("physical", burned=3, deck_set="set 4", cut_at=0)
    assert fact == facts.ShoeStarted(
        table=TABLE,
        shoe_number=1,
        kind="physical",
        decks=1,
        cut_card_depth=14,
        burned=3,
        burn_card=None,
        cut_by="bettor",
        cut_at=0,
        shuffled_by="dealer",
        deck_set="set 4",
    )


@pytest.mark.parametrize("cut_at", [None, 0, 52])
def test_the_cut_may_be_anywhere_in_the_cards_or_nowhere(cut_at: int | None) -> None:
    assert types(opened().load(cut_at=cut_at)) == ["shoe.started"]


def test_every_shipped_rule_set_opens_a_table() -> None:
    house = read_house_rules(SHIPPED_DIRECTORY)
    for name in house:
        table = Table()
        table.house = house
        assert types(table.open(house_rules=name)) == ["table.opened"], name
