"""A table whose key is missing or rotated: its cards wait, all else goes on, and no card changes."""

from typing import Any

import pytest

from schemas import facts
from schemas.events import Fact
from services.decider.outcome import LateAnswer
from services.shoe.core import evolve
from services.shoe.dealer import Dealer
from tests.keys import key_from
from tests.shoe.asking import hold, release, report_damage
from tests.shoe.loop import Loop
from tests.shoe.table import Table, house_rules, reason, types, without_identities
from tests.shoe.virtual import loaded, of_cards

FIRST = key_from(0)  # a table's own key
SECOND = key_from("second")


def betting(**fields: Any) -> Table:
    """Round 1 of a virtual shoe takes bets."""
    table = loaded(**fields)
    table.open_round(1)
    return table


def lose(table: Table, *others: Any) -> None:
    """The replica is started again without the table's key."""
    table.dealer = Dealer(others)


def find(table: Table, *keys: Any) -> list[Fact]:
    """The replica is started again with these keys and loads the pit: what it writes then."""
    table.dealer = Dealer(keys or (FIRST,))
    written: list[Fact] = []
    for outcome in table.dealer.resume("pit", table.state):
        fact: Any = outcome.fact if isinstance(outcome, LateAnswer) else outcome
        assert isinstance(outcome, LateAnswer) or not isinstance(outcome, Fact), "a fact without a cause"
        table.state = evolve(table.state, fact)
        if isinstance(fact, Fact):
            table.facts.append(fact)
            written.append(fact)
    return written


def places(table: Table) -> set[str]:
    """The entries that what goes on now will be the answer of."""
    return {out.place for out in Dealer([FIRST]).resume("pit", table.state) if isinstance(out, LateAnswer)}


def faces(written: list[Any]) -> list[str | None]:
    return [card.card for card in of_cards(written)]


# --- no key at all ----------------------------------------------------------------------------------------------------


def test_without_any_key_no_virtual_shoe_is_loaded_and_a_physical_one_is() -> None:
    table = Table()
    lose(table)
    table.open()
    before = table.state
    assert reason(table.load()) == "no_key"
    assert without_identities(table.state) == without_identities(before)
    assert table.dealer.lacks(table.state) is None
    assert types(table.load("physical")) == ["shoe.started"]
    assert types(table.open_round(1)) == ["round.opened"]
    assert table.dealer.lacks(table.state) is None


@pytest.mark.parametrize("demonstration", [False, True])
def test_without_any_key_no_round_of_a_virtual_shoe_opens(demonstration: bool) -> None:
    table = Table(house_rules(demonstration_rounds=1))
    table.open()
    table.load()
    lose(table)
    assert table.dealer.lacks(table.state) == ""
    assert reason(table.open_round(1, demonstration=demonstration)) == "no_key"
    table.dealer = Dealer([FIRST])
    assert table.dealer.lacks(table.state) is None
    assert types(table.open_round(1, demonstration=demonstration))[0] == "round.opened"


@pytest.mark.parametrize("asked", [{"number": 2}, {"number": 1, "shoe": 2}, {"number": 1, "burn": 99}])
def test_what_is_wrong_with_a_round_is_told_before_the_missing_key(asked: dict[str, Any]) -> None:
    table = Table()
    table.open()
    table.load()
    lose(table)
    assert reason(table.open_round(**asked)) != "no_key"


# --- the key of a round in play ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("others", [(), (SECOND,)], ids=["no key", "another key"])
def test_cards_that_are_due_wait_for_their_key_and_are_the_same(others: tuple[Any, ...]) -> None:
    right, table = betting(), betting()
    expected = of_cards(right.close_betting(1))
    lose(table, *others)
    assert table.dealer.lacks(table.state) == FIRST.fingerprint
    assert table.close_betting(1) == []
    assert find(table, SECOND) == []
    assert places(table) == {f"bets/{table.entries}-0"}
    assert find(table) == expected
    assert find(table) == []


def test_a_third_card_waits_for_its_key_and_is_the_same() -> None:
    right, table = betting(), betting()
    for each in (right, table):
        each.close_betting(1)
    (expected,) = right.call_draw(1, "player", 4)
    lose(table)
    assert table.call_draw(1, "player", 4) == []
    assert table.call_draw(1, "player", 4) == []
    assert places(table) == {f"calls/{table.entries - 1}-0"}
    assert find(table) == [expected]
    assert types(table.decide_round(1, 5)) == ["round.ended"]


@pytest.mark.parametrize("held", [False, True])
def test_a_round_that_is_decided_ends_when_its_key_is_here(held: bool) -> None:
    right, table = betting(), betting()
    for each in (right, table):
        each.close_betting(1)
    expected = right.decide_round(1, 4)
    lose(table)
    assert table.decide_round(1, 4) == []
    if held:
        hold(table)
        assert find(table) == []
        assert release(table)[1:] == expected
    else:
        assert find(table) == expected


def test_a_table_is_held_and_released_while_its_key_is_missing() -> None:
    right, table = betting(), betting()
    expected = faces(right.close_betting(1))
    lose(table)
    table.close_betting(1)
    hold(table)
    assert types(release(table)) == ["table.released"]
    hold(table)
    table.dealer = Dealer([FIRST])
    assert faces(release(table)) == expected


def test_a_decision_waits_on_over_a_release_without_the_key() -> None:
    table = betting()
    table.close_betting(1)
    lose(table)
    table.decide_round(1, 4)
    hold(table)
    assert types(release(table)) == ["table.released"]
    assert types(find(table)) == ["round.ended"]


def test_what_needs_the_key_is_refused_and_all_else_goes_on() -> None:
    table = Loop(house_rules(holding=True), prompt=False)
    table.open()
    table.load()
    table.open_round(1)
    table.close_with_holders(1, ("ann", "bob"), ("cem",))
    lose(table, SECOND)
    before = table.state
    assert reason(table.open_card(1, "player", 1)) == "no_key"
    assert reason(table.void(1)) == "no_key"
    assert without_identities(table.state) == without_identities(before)
    assert types(table.pass_cards(1, "player", "bob")) == ["holder.passed"]
    assert types(report_damage(table)) == ["card.damaged"]
    table.dealer = Dealer([SECOND, FIRST])
    assert types(table.open_card(1, "player", 1)) == ["card.opened"]
    assert types(table.void(1)) == ["round.voided"]


def test_what_was_dealt_behind_a_load_is_not_dealt_again_from_another_close() -> None:
    table = betting()
    before = table.state
    lose(table)
    table.close_betting(1)
    assert len(of_cards(find(table))) == 4
    table.state = before
    (voided,) = table.close_betting(1)
    assert isinstance(voided, facts.RoundVoided)
    assert voided.reason == "history_lost"


# --- rotated keys -----------------------------------------------------------------------------------------------------


def test_a_round_goes_on_under_its_own_key_and_the_next_opens_under_the_first_of_the_list() -> None:
    table = betting()
    right = betting()
    table.dealer = Dealer([SECOND, FIRST])
    assert table.close_betting(1) == right.close_betting(1)
    (ended,) = table.decide_round(1, 4)
    assert isinstance(ended, facts.RoundEnded)
    assert [ended] == right.decide_round(1, 4)
    for each in (table, right):
        each.settle(1)
    (opened,), (other,) = table.open_round(2), right.open_round(2)
    assert isinstance(opened, facts.RoundOpened)
    assert isinstance(other, facts.RoundOpened)
    assert opened.commitment != other.commitment
    lose(table, FIRST)
    assert table.dealer.lacks(table.state) == SECOND.fingerprint
    assert table.close_betting(2) == []
    assert len(of_cards(find(table, SECOND))) == 4
