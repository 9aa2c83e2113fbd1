"""Requests that come again: told so, as far as the table remembers."""

import json
from pathlib import Path

import msgspec
import pytest

from schemas import facts, requests
from schemas.streams import EVENTS, decider
from services.shoe.core import State
from tests.shoe.table import TABLE, Table, reason, types
from tests.shoe.tables import closed, opened

GOLDEN = Path(__file__).parents[1] / "golden"


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
    table = closed()
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
    table = opened()
    asked = requests.ShoeEnd(table=TABLE, operator="boss", shoe_number=1, reason="worn")
    for number in range(257):
        table.take(asked, id=f"c-{number}")
    assert len(table.state.memory) == 256
    assert types(table.take(asked, id="c-1")) == ["request.repeated"]
    assert types(table.take(asked, id="c-0")) == ["request.refused"]
    assert types(table.take(asked, id="c-1")) == ["request.refused"]
    assert types(table.take(asked, id="c-2")) == ["request.refused"]
    assert types(table.take(asked, id="c-256")) == ["request.repeated"]


def test_the_order_of_identities_survives_a_reload_in_any_order() -> None:
    table = opened()
    asked = requests.ShoeEnd(table=TABLE, operator="boss", shoe_number=1, reason="worn")
    for number in range(256):
        table.take(asked, id=f"c-{number}")
    table.stored.rows = dict(sorted(table.stored.rows.items(), key=lambda row: row[1]))
    table.take(asked, id="c-256")
    assert types(table.take(asked, id="c-1")) == ["request.repeated"]
    assert types(table.take(asked, id="c-0")) == ["request.refused"]


# Every console request, at a table that was never opened.
NEVER_OPENED = [kind for kind in EVENTS["console"] if decider("console", kind.type) == "shoe"]


@pytest.mark.parametrize("kind", NEVER_OPENED, ids=lambda kind: kind.type)
def test_a_table_that_was_never_opened_remembers_nobody(kind: type[requests.ConsoleRequest]) -> None:
    sample = json.loads((GOLDEN / f"{kind.type}.json").read_text())
    table = Table()
    elsewhere = {"table": TABLE, "house_rules": "none"}
    asked = msgspec.convert({field: elsewhere.get(field, value) for field, value in sample.items()}, kind)
    for _ in range(2):
        (refused,) = table.take(asked, id="c-1")
        assert isinstance(refused, facts.RequestRefused)
    assert table.state == State(table=TABLE)


def test_the_request_that_opens_a_table_is_remembered() -> None:
    table = Table()
    table.open()
    assert len(table.state.memory) == 1


def test_a_table_never_seen_has_the_initial_state() -> None:
    assert msgspec.json.encode(State(table="t")) == b'{"table":"t"}'


def test_the_shoe_has_no_source_of_chance_and_the_core_no_key() -> None:
    folder = Path(__file__).parents[2] / "services" / "shoe"
    sources = {path.name: path.read_text() for path in folder.rglob("*.py")}
    assert {name for name, text in sources.items() if "import random" in text or "import secrets" in text} == set()
    assert {name for name, text in sources.items() if "shoe.draw " in text} == {"dealer.py"}
    assert {name for name, text in sources.items() if "shoe.keys " in text} == {"app.py", "dealer.py"}
