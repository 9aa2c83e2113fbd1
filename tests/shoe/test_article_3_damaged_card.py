"""Article 3: a card is damaged. The round in play stands, the shoe ends behind it, new decks come."""

from collections.abc import Callable
from typing import Any

import pytest

from schemas import facts
from tests.shoe.asking import report_damage
from tests.shoe.table import (
    TABLE,
    Table,
    assert_counts_are_whole,
    detail,
    house_rules,
    reason,
    types,
    without_identities,
)
from tests.shoe.tables import betting, closed, ended, fresh, loaded, opened, physical, played, second_shoe, unsettled


def damaged(last_round: int, card_number: int | None = None) -> facts.CardDamaged:
    return facts.CardDamaged(table=TABLE, shoe_number=1, card_number=card_number, last_round=last_round)


def test_the_round_in_play_stands_and_the_shoe_ends_behind_it() -> None:
    table = betting()
    table.close_betting(1)
    assert report_damage(table, card_number=2) == [damaged(1, card_number=2)]
    assert types(table.call_draw(1, "player", 4)) == ["card.dealt"]
    assert types(table.decide_round(1, 5)) == ["round.ended"]
    assert types(table.settle(1)) == ["shoe.ended"]
    end = assert_counts_are_whole(table)
    assert (end.reason, end.rounds) == ("damaged_card", 1)
    assert reason(table.open_round(2)) == "shoe_finished"
    assert types(table.load(number=2)) == ["shoe.started"]


def test_a_round_that_takes_bets_stands_too() -> None:
    table = betting()
    assert report_damage(table) == [damaged(1)]
    table.close_betting(1)
    table.decide_round(1, 4)
    assert types(table.settle(1)) == ["shoe.ended"]


def test_a_round_that_is_void_is_the_last_one_too() -> None:
    table = betting()
    report_damage(table)
    table.void(1)
    assert types(table.settle(1)) == ["shoe.ended"]


def test_a_round_that_is_not_settled_yet_is_the_last_one() -> None:
    table = unsettled()
    assert report_damage(table) == [damaged(1)]
    assert types(table.settle(1)) == ["shoe.ended"]


@pytest.mark.parametrize(("given", "last"), [(loaded, 0), (physical, 0), (played, 2)])
def test_between_rounds_the_shoe_ends_at_once(given: Callable[[], Table], last: int) -> None:
    table = given()
    written = report_damage(table)
    assert written[0] == damaged(last)
    assert types(written) == ["card.damaged", "shoe.ended"]
    end = assert_counts_are_whole(table)
    assert (end.reason, end.rounds) == ("damaged_card", last)


def test_a_second_damaged_card_is_told_and_changes_no_more() -> None:
    table = betting()
    report_damage(table, card_number=1)
    assert report_damage(table, card_number=2) == [damaged(1, card_number=2)]
    table.void(1)
    assert types(table.settle(1)) == ["shoe.ended"]


def test_a_damaged_card_counts_more_than_the_cut_card() -> None:
    table = Table(house_rules(cut_card_depth=52, rounds_after_cut_card=1))
    table.open()
    table.load()
    table.open_round(1)
    table.close_betting(1)
    (reached,) = table.of(facts.CutCardReached)
    assert reached.last_round == 2
    report_damage(table)
    table.decide_round(1, 4)
    (end,) = table.settle(1)
    assert isinstance(end, facts.ShoeEnded)
    assert end.reason == "damaged_card"


def test_a_shuffler_gets_new_decks_too() -> None:
    table = Table(house_rules(dealing="continuous_shuffler", cut_card_depth=0))
    table.open()
    table.load()
    table.play_round(1)
    assert types(report_damage(table, card_number=50)) == ["card.damaged", "shoe.ended"]


@pytest.mark.parametrize(
    ("expected", "given", "ask"),
    [
        ("unknown_table", fresh, report_damage),
        ("table_not_open", closed, report_damage),
        ("no_shoe", opened, report_damage),
        ("shoe_finished", ended, report_damage),
        ("expired", second_shoe, report_damage),
        ("wrong_shoe", loaded, lambda t: report_damage(t, shoe=2)),
        ("out_of_range", loaded, lambda t: report_damage(t, card_number=0)),
        ("out_of_range", loaded, lambda t: report_damage(t, card_number=53)),
        ("out_of_range", played, lambda t: report_damage(t, card_number=53)),
    ],
)
def test_a_report_that_cannot_be_is_refused(
    expected: str, given: Callable[[], Table], ask: Callable[[Table], Any]
) -> None:
    table = given()
    before = table.state
    assert reason(ask(table)) == expected
    assert without_identities(table.state) == without_identities(before)


def test_the_refusal_of_a_card_number_says_what_is_allowed() -> None:
    assert detail(report_damage(loaded(), card_number=53)) == "card_number: allowed are 1 to 52"
