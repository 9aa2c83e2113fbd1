"""Article 14 and stakes that a tie carried: their place among the others, and the limit when they are changed."""

import pytest

from schemas.facts import BetChanged
from schemas.house_rules import HouseRules
from tests.settlement.drive import MACAU, Table, house, opened, reason
from tests.settlement.reading import sums
from tests.settlement.test_article_14_differential import AT_BET, REJECT, bounds


def carried(rules: HouseRules, *stakes: tuple[str, str, int], limit_minor: int = 300) -> Table:
    """A round is open behind a tie that carried these stakes; the limit is in force from it on."""
    table = opened(rules, bounds(0))
    for bet_id, bet, amount_minor in stakes:
        table.place(bet_id, bet, amount_minor, bettor_id=f"of {bet_id}")
    table.close_betting()
    table.end_round("tie")
    table.set_limits(differential_limit_minor=limit_minor)
    table.open_round()
    return table


def test_article_14_a_carried_stake_keeps_its_old_place() -> None:
    table = carried(MACAU, ("old", "banker", 300))
    table.place("new", "banker", 300)
    assert table.cuts_at_closing() == [("new", 300, 0, "differential")]


def test_article_14_what_is_added_to_a_carried_stake_is_new() -> None:
    table = carried(MACAU, ("old", "banker", 300))
    table.place("new", "banker", 600)
    table.place("p", "player", 600, bettor_id="bob")
    table.change("old", 0, "banker", 900)
    assert table.cuts_at_closing() == [("old", 900, 300, "differential")]


def test_article_14_a_switched_stake_is_accepted_anew_on_its_side() -> None:
    table = carried(MACAU, ("old", "player", 300))
    table.place("new", "banker", 300)
    table.change("old", 0, "banker", 300)
    assert table.cuts_at_closing() == [("old", 300, 0, "differential")]


@pytest.mark.parametrize("rules", [MACAU, AT_BET, REJECT], ids=["at_close", "at_bet", "reject"])
def test_article_14_every_policy_holds_the_limit_for_carried_stakes_at_closing(rules: HouseRules) -> None:
    table = carried(rules, ("old", "banker", 900), ("older", "player", 300))
    assert table.cuts_at_closing() == [("old", 900, 600, "differential")]
    assert sums(table.end_round("player")) == (2, 0, 1_200, 300 + 600, 0, 300, 0)


@pytest.mark.parametrize("rules", [AT_BET, REJECT], ids=["at_bet", "reject"])
def test_article_14_a_carried_stake_may_be_reduced_though_the_limit_has_no_room_for_what_remains(
    rules: HouseRules,
) -> None:
    table = carried(rules, ("old", "banker", 900))
    answer = table.change("old", 0, "banker", 600)
    assert isinstance(answer, BetChanged)
    assert answer.amount_minor == 600
    assert table.cuts_at_closing() == [("old", 600, 300, "differential")]


def test_article_14_a_switch_taken_in_part_hands_the_rest_back_and_binds_what_remains() -> None:
    """The house offers no reduction: it is the house itself that takes less."""
    rules = house(AT_BET, tie_options=("keep", "switch", "increase"))
    table = carried(rules, ("old", "player", 600), ("b", "banker", 600), limit_minor=900)
    answer = table.change("old", 0, "banker", 600)
    assert isinstance(answer, BetChanged)
    assert (answer.before_minor, answer.amount_minor, answer.requested_minor) == (600, 300, 600)
    table.place("p", "player", 600, bettor_id="cid")
    assert isinstance(table.change("old", 1, "banker", 600), BetChanged)  # what is added now is free
    assert isinstance(table.change("old", 2, "banker", 300), BetChanged)
    assert reason(table.cancel("old", 3)) == "not_offered"
