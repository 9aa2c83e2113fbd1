"""Article 1: decks, seats and layouts of a table."""

import pytest

from schemas import facts
from tests.shoe.table import Table, assert_counts_are_whole, detail, house_rules, types, unseen_of


@pytest.mark.parametrize("decks", [6, 7, 8, 9, 10, 11, 12])
@pytest.mark.parametrize("kind", ["virtual", "physical"])
def test_a_shoe_holds_52_cards_of_each_of_its_decks(decks: int, kind: str) -> None:
    table = Table(house_rules(decks=decks))
    table.open()
    (started,) = table.load(kind)
    assert isinstance(started, facts.ShoeStarted)
    assert started.decks == decks
    assert table.state.unseen == unseen_of(decks)
    (opened,) = table.open_round(1)
    assert isinstance(opened, facts.RoundOpened)
    assert opened.cards_left == 52 * decks
    table.void(1)
    table.settle(1)
    table.end_shoe()
    assert_counts_are_whole(table, decks)


@pytest.mark.parametrize("decks", [6, 7])
def test_a_card_comes_as_often_as_there_are_decks_and_one_more_is_a_failed_read(decks: int) -> None:
    table = Table(house_rules(decks=decks))
    table.open()
    table.load("physical")
    table.open_round(1, burn=decks)
    table.close_betting(1)
    for ordinal in range(1, decks + 1):
        assert table.scan(ordinal, "8H") == []
    assert types(table.scan(decks + 1, "8H")) == ["scan.missed"]
    assert types(table.scan(decks + 1, "8D")) == ["card.dealt"]


@pytest.mark.parametrize("layouts", [1, 2])
def test_a_table_has_one_or_two_layouts_and_one_shoe_for_both(layouts: int) -> None:
    table = Table(house_rules(layouts=2, seats=14))
    (opened,) = table.open(layouts=layouts)
    assert isinstance(opened, facts.TableOpened)
    assert (opened.layouts, opened.seats) == (layouts, 14)
    table.load()
    assert types(table.open_round(1)) == ["round.opened"]


@pytest.mark.parametrize(("field", "asked", "most"), [("layouts", 3, 2), ("layouts", 0, 2), ("seats", 10, 9)])
def test_a_table_has_no_more_than_the_house(field: str, asked: int, most: int) -> None:
    table = Table(house_rules(layouts=2, seats=9))
    assert detail(table.open(**{field: asked})) == f"{field}: allowed are 1 to {most}"
