"""Tables, shoes and rounds as a console asks for them: what is opened, what is refused, and that a refusal is all."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from schemas import facts, requests
from schemas.house_rules import SHIPPED_DIRECTORY, read_house_rules
from schemas.limits import BetLimits
from services.shoe.core import State
from tests.shoe.table import LIMITS, TABLE, Table, detail, house_rules, reason, types, without_identities


def fresh() -> Table:
    return Table()


def opened() -> Table:
    table = Table()
    table.open()
    return table


def closed() -> Table:
    table = opened()
    table.close()
    return table


def loaded() -> Table:
    table = opened()
    table.load()
    return table


def physical() -> Table:
    table = opened()
    table.load("physical")
    return table


def betting() -> Table:
    table = loaded()
    table.open_round(1)
    return table


def played() -> Table:
    """Two rounds are settled."""
    table = loaded()
    table.play_round(1)
    table.play_round(2)
    return table


def unsettled() -> Table:
    table = betting()
    table.void(1)
    return table


def ended() -> Table:
    """Shoe 1 has ended after two rounds, and no other is loaded."""
    table = played()
    table.end_shoe()
    return table


def second_shoe() -> Table:
    table = ended()
    table.load(number=2)
    return table


def limits(**fields: Any) -> Any:
    return msgspec.structs.replace(LIMITS, **fields)


BAD_BET = {"player": BetLimits(minimum_minor=500, maximum_minor=100)}
Ask = Callable[[Table], list[Any]]

REFUSALS: list[tuple[str, Callable[[], Table], Ask]] = [
    # table.open
    ("unknown_house_rules", fresh, lambda t: t.open(house_rules="none-such")),
    ("limits_impossible", fresh, lambda t: t.open(limits=limits(bets=BAD_BET))),
    ("not_supported", fresh, lambda t: t.open(limits=limits(differential_limit_minor=1000))),
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
    ("not_supported", loaded, lambda t: t.open_round(1, demonstration=True)),
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


@pytest.mark.parametrize("given", [fresh, opened, betting])
def test_a_reserved_request_is_not_supported_anywhere(given: Callable[[], Table]) -> None:
    assert reason(given().take(requests.NotBuiltYet(table=TABLE), type="limits.set")) == "not_supported"


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


# --- identities ----------------------------------------------------------------------------------------------------


def test_a_repeated_request_is_told_so_with_the_place_of_its_first_copy() -> None:
    table = opened()
    load = requests.ShoeLoad(
        table=TABLE, operator="d", kind="virtual", shoe_number=1, shuffled_by=None, cut_by=None, cut_at=None
    )
    first = table.entry(load, id="c-1")
    table.take_entry(first)
    before = table.state
    assert table.take(load, id="c-1") == [
        facts.RequestRepeated(table=TABLE, request_id="c-1", request_type="shoe.load", first=first.place)
    ]
    assert table.state == before


def test_a_refused_request_is_repeated_too() -> None:
    table = Table()
    asked = requests.TableClose(table=TABLE, operator="boss")
    first = table.entry(asked, id="c-1")
    table.take_entry(first)
    (fact,) = table.take(asked, id="c-1")
    assert isinstance(fact, facts.RequestRepeated)
    assert fact.first == first.place


def test_an_identity_with_other_data_is_refused() -> None:
    table = opened()
    table.take(requests.TableClose(table=TABLE, operator="boss"), id="c-1")
    before = table.state
    assert reason(table.take(requests.TableClose(table=TABLE, operator="other"), id="c-1")) == "id_reused"
    assert table.state == before


def test_the_last_256_identities_are_remembered_and_no_more() -> None:
    table = Table()
    asked = requests.TableClose(table=TABLE, operator="boss")
    for number in range(257):
        table.take(asked, id=f"c-{number}")
    assert len(table.state.identities) == 256
    assert types(table.take(asked, id="c-1")) == ["request.repeated"]
    assert types(table.take(asked, id="c-0")) == ["request.refused"]
    assert types(table.take(asked, id="c-1")) == ["request.refused"]
    assert types(table.take(asked, id="c-2")) == ["request.refused"]
    assert types(table.take(asked, id="c-256")) == ["request.repeated"]


def test_the_order_of_identities_survives_a_reload_in_any_order() -> None:
    table = Table()
    asked = requests.TableClose(table=TABLE, operator="boss")
    for number in range(256):
        table.take(asked, id=f"c-{number}")
    shuffled = dict(sorted(table.state.identities.items(), key=lambda item: item[1].identity))
    table.state = msgspec.structs.replace(table.state, identities=shuffled)
    table.take(asked, id="c-256")
    assert types(table.take(asked, id="c-1")) == ["request.repeated"]
    assert types(table.take(asked, id="c-0")) == ["request.refused"]


def test_a_table_never_seen_has_the_initial_state() -> None:
    assert msgspec.json.encode(State(table="t")) == b'{"table":"t"}'


def test_the_core_has_no_random_source() -> None:
    folder = Path(__file__).parents[2] / "services" / "shoe"
    sources = {path.name: path.read_text() for path in folder.glob("*.py")}
    assert {name for name, text in sources.items() if "secrets" in text} == {"draw.py"}
    assert {name for name, text in sources.items() if "shoe.draw" in text} <= {"app.py"}
