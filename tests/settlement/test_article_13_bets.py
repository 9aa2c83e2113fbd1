"""Article 13: what a bettor may stake beside what he has staked."""

from typing import Final

import pytest

from schemas.facts import BetAccepted, BetCancelled, BetChanged
from tests.settlement.drive import MACAU, Table, house, opened, reason
from tests.settlement.reading import rows, sums

WITH_MAIN: Final = house(pair_requires_main=True, both_sides=True)
ONE_SIDE: Final = house(both_sides=False)


# --- pairs ---


@pytest.mark.parametrize("pair", ["player_pair", "banker_pair"])
@pytest.mark.parametrize("main", ["player", "banker"])
def test_article_13_a_pair_is_taken_in_addition_to_either_side(pair: str, main: str) -> None:
    table = opened(WITH_MAIN)
    table.place("m", main, 100)
    assert isinstance(table.place("x", pair, 20), BetAccepted)


@pytest.mark.parametrize("beside", [None, "tie", "player_pair", "another bettor's"])
def test_article_13_a_pair_without_a_main_bet_of_the_same_bettor_is_refused(beside: str | None) -> None:
    table = opened(WITH_MAIN)
    if beside == "another bettor's":
        table.place("m", "player", 100, bettor_id="bob")
    elif beside:
        table.place("m", beside, 20)
    assert reason(table.place("x", "banker_pair", 20)) == "pair_without_main"


def test_article_13_a_main_bet_taken_back_carries_no_pair() -> None:
    table = opened(WITH_MAIN)
    table.place("m", "player", 100)
    table.cancel("m", 0)
    assert reason(table.place("x", "player_pair", 20)) == "pair_without_main"


def test_article_13_the_only_main_bet_cannot_become_the_pair() -> None:
    table = opened(WITH_MAIN)
    table.place("m", "player", 100)
    assert reason(table.change("m", 0, "player_pair", 100)) == "pair_without_main"


def test_article_13_a_carried_stake_is_a_main_bet() -> None:
    table = opened(WITH_MAIN)
    table.place("m", "player", 100)
    table.close_betting()
    table.end_round("tie")
    table.open_round()
    assert isinstance(table.place("x", "player_pair", 20), BetAccepted)


def test_article_13_a_house_may_take_pairs_alone() -> None:
    table = opened(house(pair_requires_main=False))
    assert isinstance(table.place("x", "player_pair", 20), BetAccepted)
    assert table.cuts_at_closing() == []


@pytest.mark.parametrize("how", ["cancelled", "moved to the tie"])
def test_article_13_a_pair_left_without_its_main_bet_is_returned_whole_when_betting_closes(how: str) -> None:
    table = opened(WITH_MAIN)
    table.place("m", "player", 100)
    table.place("x", "player_pair", 20)
    table.place("y", "banker_pair", 40)
    table.place("other", "banker", 200, bettor_id="bob")
    table.place("theirs", "player_pair", 60, bettor_id="bob")
    assert isinstance(
        table.cancel("m", 0) if how == "cancelled" else table.change("m", 0, "tie", 100), BetCancelled | BetChanged
    )
    assert table.cuts_at_closing() == [("x", 20, 0, "pair_without_main"), ("y", 40, 0, "pair_without_main")]
    facts = table.end_round("banker", 1, 2, "player")
    theirs = [("other", 200, "won", False, 10, 390), ("theirs", 60, "won", False, 0, 720)]
    if how == "cancelled":
        assert rows(facts) == theirs
        assert sums(facts) == (2, 420, 0, 100 + 60 + 1_110, 0, -850, 10)
    else:
        assert rows(facts) == [("m", 100, "lost", False, 0, 0), *theirs]


def test_article_13_a_pair_goes_back_when_the_differential_leaves_nothing_of_its_main_bet() -> None:
    table = opened(WITH_MAIN)
    table.close_betting()
    table.end_round("player")
    table.set_limits(differential_limit_minor=100)
    table.open_round()
    table.place("a", "player", 100, bettor_id="ann")
    table.place("b", "player", 100, bettor_id="bob")
    table.place("x", "player_pair", 20, bettor_id="bob")
    assert table.cuts_at_closing() == [("b", 100, 0, "differential"), ("x", 20, 0, "pair_without_main")]


# --- both sides ---


def test_article_13_a_bettor_may_stake_on_both_sides() -> None:
    table = opened(MACAU)
    table.place("p", "player", 100)
    assert isinstance(table.place("b", "banker", 100), BetAccepted)


@pytest.mark.parametrize(("first", "second"), [("player", "banker"), ("banker", "player")])
def test_article_13_a_house_may_refuse_the_other_side(first: str, second: str) -> None:
    table = opened(ONE_SIDE)
    table.place("m", first, 100)
    assert reason(table.place("n", second, 100)) == "other_side_staked"
    assert isinstance(table.place("again", first, 100), BetAccepted)
    assert isinstance(table.place("t", "tie", 20), BetAccepted)
    assert isinstance(table.place("theirs", second, 100, bettor_id="bob"), BetAccepted)


def test_article_13_the_other_side_is_free_when_a_stake_moves_there_whole() -> None:
    table = opened(ONE_SIDE)
    table.place("p", "player", 100)
    assert isinstance(table.change("p", 0, "banker", 100), BetChanged)
    table.place("b", "banker", 100)
    assert reason(table.change("b", 0, "player", 100)) == "other_side_staked"
    table.cancel("p", 1)
    assert isinstance(table.change("b", 0, "player", 100), BetChanged)


def carried_on_both() -> Table:
    """ann's Player 100 (`p`) and Player 200 (`q`) are carried."""
    table = opened(ONE_SIDE)
    table.place("p", "player", 100)
    table.place("q", "player", 200)
    table.close_betting()
    table.end_round("tie")
    table.open_round()
    return table


def test_article_13_a_carried_stake_counts_as_staked() -> None:
    assert reason(carried_on_both().place("n", "banker", 100)) == "other_side_staked"


def test_article_13_a_switch_of_one_carried_stake_of_two_is_refused() -> None:
    table = carried_on_both()
    assert reason(table.change("p", 0, "banker", 100)) == "other_side_staked"
    table.cancel("q", 0)
    assert isinstance(table.change("p", 0, "banker", 100), BetChanged)
