"""A round whose key is lost for ever is given up: it is void, without a proof, and its shoe ends with it."""

from collections.abc import Callable
from typing import Any

import pytest

from schemas import facts, requests
from schemas.events import Fact
from services.shoe.dealer import Dealer
from tests.shoe.asking import hold, release
from tests.shoe.table import TABLE, Table, reason, types, without_identities
from tests.shoe.test_missing_key import FIRST, SECOND, betting, lose
from tests.shoe.virtual import of_cards


def give_up(table: Table, **fields: Any) -> list[Fact]:
    asked: dict[str, Any] = {"operator": "admin", "approved_by": "boss", "shoe_number": 1, "round_number": 1}
    return table.take(requests.KeyLost(table=TABLE, reason="the disk is gone", **asked | fields))


def lost(**fields: Any) -> Table:
    """Cards are due, and nobody has their key."""
    table = betting(**fields)
    lose(table, SECOND)
    table.close_betting(1)
    return table


def with_its_key() -> Table:
    table = lost()
    table.dealer = Dealer([SECOND, FIRST])
    return table


def with_its_key_elsewhere() -> Table:
    table = lost()
    table.dealer.heard("pit", {SECOND.fingerprint, FIRST.fingerprint})
    return table


def physical() -> Table:
    table = Table()
    table.open()
    table.load("physical")
    table.open_round(1)
    return table


def over() -> Table:
    table = betting()
    table.void(1)
    lose(table)
    return table


REFUSED: list[tuple[Callable[[], Table], dict[str, Any], str]] = [
    (with_its_key, {}, "key_not_lost"),
    (with_its_key_elsewhere, {}, "key_not_lost"),
    (lost, {"approved_by": None}, "approval_missing"),
    (lost, {"approved_by": "admin"}, "approval_missing"),
    (lost, {"round_number": 2}, "wrong_round"),
    (lost, {"shoe_number": 2}, "wrong_shoe"),
    (physical, {}, "card_not_expected"),
    (over, {}, "round_over"),
]


@pytest.mark.parametrize(("given", "fields", "expected"), REFUSED)
def test_a_key_is_given_up_by_two_persons_for_the_round_in_play_and_only_when_nobody_has_it(
    given: Callable[[], Table], fields: dict[str, Any], expected: str
) -> None:
    table = given()
    before = table.state
    assert reason(give_up(table, **fields)) == expected
    assert without_identities(table.state) == without_identities(before)


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("holding", [False, True])
def test_the_round_is_void_without_a_key_and_its_shoe_ends_with_it(holding: bool, held: bool) -> None:
    table = lost(holding=holding)
    table.dealer.heard("pit", {SECOND.fingerprint})
    if held:
        hold(table)
    assert give_up(table) == [
        facts.RoundVoided(table=TABLE, shoe_number=1, round_number=1, revision=0, reason="key_lost", key=None)
    ]
    assert table.dealer.lacks(table.state) is None
    ended = table.settle(1)
    if held:
        assert ended == []
        ended = release(table)[1:]
    assert [(fact.type, getattr(fact, "reason", "")) for fact in ended] == [("shoe.ended", "key_lost")]
    assert types(table.load(number=2)) == ["shoe.started"]
    table.open_round(1, 2)
    assert len(of_cards(table.close_betting(1, 2))) == 4


@pytest.mark.parametrize("kind", ["virtual", "physical"])
def test_a_console_that_calls_a_key_lost_ends_no_shoe(kind: str) -> None:
    table = Table()
    table.open()
    table.load(kind)
    table.open_round(1)
    void = requests.RoundVoid(table=TABLE, operator="d", shoe_number=1, round_number=1, reason="key_lost")
    assert types(table.take(void)) == ["round.voided"]
    assert table.settle(1) == []
    assert types(table.open_round(2)) == ["round.opened"]
