"""Each refusal of a console's request or a scan: it says why and changes nothing else."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from schemas import facts, requests
from schemas.limits import BetLimits
from tests.shoe.table import LIMITS, TABLE, Table, detail, reason, without_identities
from tests.shoe.tables import betting, closed, ended, fresh, loaded, opened, physical, played, second_shoe, unsettled


def limits(**fields: Any) -> Any:
    return msgspec.structs.replace(LIMITS, **fields)


BAD_BET = {"player": BetLimits(minimum_minor=500, maximum_minor=100)}
Ask = Callable[[Table], list[Any]]

REFUSALS: list[tuple[str, Callable[[], Table], Ask]] = [
    # table.open
    ("unknown_house_rules", fresh, lambda t: t.open(house_rules="none-such")),
    ("limits_impossible", fresh, lambda t: t.open(limits=limits(bets=BAD_BET))),
    ("out_of_range", fresh, lambda t: t.open(layouts=0)),
    ("out_of_range", fresh, lambda t: t.open(layouts=2)),
    ("out_of_range", fresh, lambda t: t.open(seats=0)),
    ("out_of_range", fresh, lambda t: t.open(seats=8)),
    ("table_already_open", opened, lambda t: t.open()),
    ("table_already_open", betting, lambda t: t.open(house_rules="none-such")),
    # table.close
    ("unknown_table", fresh, lambda t: t.close()),
    ("table_not_open", closed, lambda t: t.close()),
    ("round_running", betting, lambda t: t.close()),
    ("round_running", unsettled, lambda t: t.close()),
    # shoe.load
    ("unknown_table", fresh, lambda t: t.load()),
    ("table_not_open", closed, lambda t: t.load()),
    ("wrong_shoe", opened, lambda t: t.load(number=0)),
    ("wrong_shoe", opened, lambda t: t.load(number=-1)),
    ("wrong_shoe", opened, lambda t: t.load(number=2)),
    ("shoe_busy", loaded, lambda t: t.load(number=1)),
    ("shoe_busy", loaded, lambda t: t.load(number=2)),
    ("wrong_shoe", loaded, lambda t: t.load(number=3)),
    ("expired", ended, lambda t: t.load(number=1)),
    ("wrong_shoe", ended, lambda t: t.load(number=3)),
    ("expired", second_shoe, lambda t: t.load(number=1)),
    ("out_of_range", opened, lambda t: t.load(cut_at=-1)),
    ("out_of_range", opened, lambda t: t.load(cut_at=53)),
    ("out_of_range", opened, lambda t: t.load(burned=1)),
    ("out_of_range", opened, lambda t: t.load("physical", burned=-1)),
    ("out_of_range", opened, lambda t: t.load("physical", burned=39)),
    # shoe.end
    ("unknown_table", fresh, lambda t: t.end_shoe()),
    ("table_not_open", closed, lambda t: t.end_shoe()),
    ("no_shoe", opened, lambda t: t.end_shoe()),
    ("round_running", betting, lambda t: t.end_shoe()),
    ("round_running", unsettled, lambda t: t.end_shoe()),
    ("shoe_finished", ended, lambda t: t.end_shoe()),
    ("no_shoe", ended, lambda t: t.end_shoe(2)),
    ("expired", second_shoe, lambda t: t.end_shoe(1)),
    ("wrong_shoe", second_shoe, lambda t: t.end_shoe(3)),
    ("wrong_shoe", loaded, lambda t: t.end_shoe(0)),
    # round.open
    ("unknown_table", fresh, lambda t: t.open_round(1)),
    ("table_not_open", closed, lambda t: t.open_round(1)),
    ("no_shoe", opened, lambda t: t.open_round(1)),
    ("wrong_round", loaded, lambda t: t.open_round(0)),
    ("wrong_round", loaded, lambda t: t.open_round(-3)),
    ("wrong_round", loaded, lambda t: t.open_round(2)),
    ("wrong_shoe", loaded, lambda t: t.open_round(1, shoe=2)),
    ("round_running", betting, lambda t: t.open_round(1)),
    ("round_running", betting, lambda t: t.open_round(2)),
    ("round_running", unsettled, lambda t: t.open_round(2)),
    ("wrong_round", betting, lambda t: t.open_round(3)),
    ("expired", played, lambda t: t.open_round(1)),
    ("round_over", played, lambda t: t.open_round(2)),
    ("wrong_round", played, lambda t: t.open_round(4)),
    ("shoe_finished", ended, lambda t: t.open_round(3)),
    ("no_shoe", ended, lambda t: t.open_round(1, shoe=2)),
    ("expired", second_shoe, lambda t: t.open_round(3, shoe=1)),
    ("out_of_range", loaded, lambda t: t.open_round(1, burn=-1)),
    ("out_of_range", loaded, lambda t: t.open_round(1, burn=47)),
    ("out_of_range", physical, lambda t: t.open_round(1, burn=47)),
    ("not_offered", loaded, lambda t: t.open_round(1, demonstration=True)),
    # round.void
    ("unknown_table", fresh, lambda t: t.void(1)),
    ("table_not_open", closed, lambda t: t.void(1)),
    ("no_shoe", opened, lambda t: t.void(1)),
    ("wrong_round", loaded, lambda t: t.void(0)),
    ("wrong_round", loaded, lambda t: t.void(1)),
    ("wrong_round", betting, lambda t: t.void(2)),
    ("wrong_shoe", betting, lambda t: t.void(1, shoe=2)),
    ("round_over", unsettled, lambda t: t.void(1)),
    ("expired", played, lambda t: t.void(1)),
    ("round_over", played, lambda t: t.void(2)),
    ("wrong_round", played, lambda t: t.void(3)),
    ("wrong_round", played, lambda t: t.void(4)),
    ("expired", ended, lambda t: t.void(1)),
    ("round_over", ended, lambda t: t.void(2)),
    ("shoe_finished", ended, lambda t: t.void(3)),
    ("no_shoe", ended, lambda t: t.void(1, shoe=2)),
    ("expired", second_shoe, lambda t: t.void(2, shoe=1)),
    ("out_of_range", betting, lambda t: t.void(1, next_ordinal=1)),
    # scans
    ("unknown_table", fresh, lambda t: t.scan(1, "8H")),
    ("table_not_open", closed, lambda t: t.scan(1, "8H")),
    ("no_shoe", opened, lambda t: t.scan(1, "8H")),
    ("card_not_expected", betting, lambda t: t.scan(1, "8H")),
    ("card_not_expected", betting, lambda t: t.scan(0, None)),
    ("wrong_shoe", physical, lambda t: t.scan(1, "8H", shoe=2)),
    ("expired", second_shoe, lambda t: t.scan(1, "8H", shoe=1)),
    ("shoe_finished", ended, lambda t: t.scan(1, "8H")),
    ("out_of_range", physical, lambda t: t.scan(0, "8H")),
    ("out_of_range", physical, lambda t: t.scan(53, "8H")),
    ("out_of_range", physical, lambda t: t.scan(10**12, "8H")),
    ("unknown_table", fresh, lambda t: t.scan_cut_card(1)),
    ("card_not_expected", betting, lambda t: t.scan_cut_card(1)),
    ("wrong_shoe", physical, lambda t: t.scan_cut_card(1, shoe=2)),
    ("out_of_range", physical, lambda t: t.scan_cut_card(53)),
]


@pytest.mark.parametrize(("expected", "given", "ask"), REFUSALS)
def test_a_refused_request_says_why_and_changes_nothing_else(
    expected: str, given: Callable[[], Table], ask: Ask
) -> None:
    table = given()
    before = table.state
    assert reason(ask(table)) == expected
    assert without_identities(table.state) == without_identities(before)


@pytest.mark.parametrize(
    ("expected", "given", "ask"),
    [
        ("expected shoe_number 1", opened, lambda t: t.load(number=7)),
        ("expected shoe_number 2", ended, lambda t: t.load(number=7)),
        ("expected shoe_number 2", second_shoe, lambda t: t.open_round(1, shoe=7)),
        ("expected round_number 3", played, lambda t: t.open_round(7)),
        ("expected round_number 1", betting, lambda t: t.void(7)),
        (
            "bets.player: not 1 <= minimum_minor <= maximum_minor <= 1000000000000",
            fresh,
            lambda t: t.open(limits=limits(bets=BAD_BET)),
        ),
        ("burn: allowed are 0 to 46", loaded, lambda t: t.open_round(1, burn=47)),
    ],
)
def test_a_refusal_tells_what_was_expected(expected: str, given: Callable[[], Table], ask: Ask) -> None:
    assert detail(ask(given())) == expected


def test_a_refusal_names_the_request() -> None:
    table = Table()
    asked = requests.ShoeEnd(table=TABLE, operator="dealer", shoe_number=1, reason="worn")
    (refused,) = table.take(asked, id="c-17")
    assert refused == facts.RequestRefused(
        table=TABLE,
        request_id="c-17",
        request_type="shoe.end",
        reason="unknown_table",
        detail="no table of this name was ever opened",
    )
