"""A table that stands still for a dispute: nothing is opened, dealt or ended until it is released."""

from collections.abc import Callable
from typing import Any

import pytest

from schemas import facts, requests
from services.decider.outcome import LateAnswer
from services.shoe.core import wanted
from tests.shoe.asking import WHO, change_house_rules, hold, release, report_damage, set_limits
from tests.shoe.physical import DECK
from tests.shoe.table import TABLE, Table, reason, types, without_identities
from tests.shoe.tables import betting, closed, ended, fresh, loaded, opened, physical, played, unsettled

RELEASE = requests.TableRelease(**WHO)
Given = Callable[[], Table]
Ask = Callable[[Table], list[Any]]


def cards_wanted(table: Table) -> int:
    """How many cards are dealt when the table is released."""
    wants = wanted(table.state, table.entry(RELEASE))
    return 0 if wants is None else wants.cards - len(wants.known)


REFUSALS: list[tuple[str, Given, Ask]] = [
    ("unknown_table", fresh, hold),
    ("table_not_open", closed, hold),
    ("unknown_table", fresh, release),
    ("table_not_open", closed, release),
    ("table_not_held", opened, release),
    ("table_not_held", betting, release),
]


@pytest.mark.parametrize(("expected", "given", "ask"), REFUSALS)
def test_a_table_is_held_while_it_is_open_and_released_while_it_is_held(expected: str, given: Given, ask: Ask) -> None:
    table = given()
    before = table.state
    assert reason(ask(table)) == expected
    assert without_identities(table.state) == without_identities(before)


@pytest.mark.parametrize("given", [opened, loaded, betting, unsettled, played, ended, physical])
def test_no_card_is_wanted_where_nothing_is_due(given: Given) -> None:
    table = given()
    assert cards_wanted(table) == 0
    hold(table)
    assert cards_wanted(table) == 0


@pytest.mark.parametrize("given", [opened, loaded, betting, unsettled, played, ended, physical])
def test_a_table_is_held_and_released_at_any_time(given: Given) -> None:
    table = given()
    before = table.state
    assert hold(table) == [facts.TableHeld(table=TABLE, reason="disputed")]
    assert release(table) == [facts.TableReleased(table=TABLE)]
    assert without_identities(table.state) == without_identities(before)


AT_A_HELD_TABLE: list[tuple[Given, Ask]] = [
    (opened, hold),
    (opened, lambda t: t.open()),
    (opened, lambda t: t.close()),
    (opened, lambda t: t.load()),
    (opened, set_limits),
    (opened, change_house_rules),
    (loaded, lambda t: t.open_round(1)),
    (loaded, lambda t: t.end_shoe()),
    (loaded, report_damage),
    (played, lambda t: t.open_round(3)),
]


@pytest.mark.parametrize(("given", "ask"), AT_A_HELD_TABLE)
def test_a_held_table_takes_no_request_but_its_release(given: Given, ask: Ask) -> None:
    table = given()
    hold(table)
    before = table.state
    assert reason(ask(table)) == "table_held"
    assert without_identities(table.state) == without_identities(before)


def test_a_dispute_may_end_in_a_void() -> None:
    table = betting()
    hold(table)
    assert types(table.void(1)) == ["round.voided"]
    assert types(release(table)) == ["table.released"]


def test_books_that_close_at_a_held_table_bring_the_first_cards_when_it_is_released() -> None:
    table = betting()
    hold(table)
    assert table.close_betting(1) == []
    assert cards_wanted(table) == 4
    assert types(release(table)) == ["table.released", *["card.dealt"] * 4]
    assert types(table.call_draw(1, "player", 4)) == ["card.dealt"]


def test_a_draw_called_at_a_held_table_is_dealt_once_when_it_is_released() -> None:
    table = betting()
    table.close_betting(1)
    hold(table)
    assert table.call_draw(1, "banker", 4) == []
    assert table.call_draw(1, "banker", 4) == []
    assert cards_wanted(table) == 1
    _, third = release(table)
    assert isinstance(third, facts.CardDealt)
    assert (third.side, third.position, third.card_number) == ("banker", 3, 5)
    assert types(table.decide_round(1, 5)) == ["round.ended"]


def test_a_round_decided_at_a_held_table_ends_when_it_is_released() -> None:
    table = betting()
    table.close_betting(1)
    hold(table)
    assert table.decide_round(1, 4) == []
    assert types(release(table)) == ["table.released", "round.ended"]
    assert types(table.settle(1)) == []
    hold(table)
    assert types(release(table)) == ["table.released"]


def test_a_call_from_other_cards_is_dropped_at_a_held_table_too() -> None:
    table = betting()
    table.close_betting(1)
    hold(table)
    assert table.decide_round(1, 3) == []
    assert types(release(table)) == ["table.released"]
    assert types(table.decide_round(1, 4)) == ["round.ended"]


def test_cards_of_a_physical_shoe_wait_and_each_answers_its_own_scan() -> None:
    table = physical()
    table.open_round(1)
    table.close_betting(1)
    table.scan_all(1, *DECK[:2])
    hold(table)
    assert table.scan_all(3, *DECK[2:4]) == []
    assert types(release(table)) == ["table.released", "card.dealt", "card.dealt"]
    places = [outcome.place for outcome in table.last_outcomes if isinstance(outcome, LateAnswer)]
    assert places == ["scans/8-0", "scans/9-0"]
    assert types(table.decide_round(1, 4)) == ["round.ended"]


def test_a_physical_shoe_goes_on_dealing_after_a_release_before_its_cards() -> None:
    table = physical()
    table.open_round(1)
    hold(table)
    assert table.close_betting(1) == []
    assert types(release(table)) == ["table.released"]
    assert types(table.scan_all(1, *DECK[:4])) == ["card.dealt"] * 4


def test_a_failed_scan_at_a_held_table_is_told_at_once() -> None:
    table = physical()
    table.open_round(1)
    table.close_betting(1)
    hold(table)
    assert types(table.scan(1, None)) == ["scan.missed"]
    assert table.scan(1, "8H") == []
    assert types(release(table)) == ["table.released", "card.dealt"]


@pytest.mark.parametrize("call", [lambda t: t.decide_round(1, 4), lambda t: t.call_draw(1, "player", 4)])
def test_a_round_misdealt_at_a_held_table_waits_for_the_console_behind_its_release(call: Ask) -> None:
    table = physical()
    table.open_round(1)
    table.close_betting(1)
    table.scan_all(1, *DECK[:4])
    hold(table)
    assert call(table) == []
    assert types(table.scan(9, DECK[8])) == ["misdeal.detected"]
    assert types(release(table)) == ["table.released"]
    assert types(table.void(1)) == ["round.voided"]


def test_a_card_that_waits_in_a_round_misdealt_at_a_held_table_is_not_dealt() -> None:
    table = physical()
    table.open_round(1)
    table.close_betting(1)
    table.scan_all(1, *DECK[:4])
    table.call_draw(1, "player", 4)
    hold(table)
    assert table.scan(5, DECK[4]) == []
    assert types(table.scan(9, DECK[8])) == ["misdeal.detected"]
    assert types(release(table)) == ["table.released"]


def test_a_shoe_whose_last_round_is_settled_at_a_held_table_ends_when_it_is_released() -> None:
    table = betting()
    table.close_betting(1)
    table.decide_round(1, 4)
    report_damage(table)
    hold(table)
    assert table.settle(1) == []
    assert types(release(table)) == ["table.released", "shoe.ended"]


def test_a_surplus_card_at_a_held_table_is_told_and_ends_no_shoe() -> None:
    table = physical()
    hold(table)
    assert types(table.scan(52, "8H")) == ["misdeal.detected"]
    assert types(release(table)) == ["table.released", "shoe.ended"]
