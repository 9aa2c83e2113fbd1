"""Article 19: limits and house rules change by request and on record; some things wait for a new shoe or a person."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from schemas import facts, requests
from schemas.limits import BetLimits
from services.shoe.table.state import IN_FORCE, Terms
from tests.shoe.asking import WHO, change_house_rules, set_limits
from tests.shoe.table import LIMITS, TABLE, Table, detail, house_rules, reason, types, unseen_of, without_identities
from tests.shoe.tables import betting, closed, ended, fresh, loaded, opened, played, unsettled

Given = Callable[[], Table]
HIGHER = replace(LIMITS, bets={"player": BetLimits(minimum_minor=500, maximum_minor=5000)})
DIFFERENTIAL = replace(LIMITS, differential_limit_minor=1000)


def with_other(given: Given, **fields: Any) -> Table:
    """The house has a second rule set: the first one with these fields changed."""
    table = given()
    table.house = {**table.house, "other": (replace(table.rules, name="other", **fields), "e" * 64)}
    return table


# --- limits


def test_limits_change_at_once_on_record_and_are_in_force_from_the_next_round() -> None:
    table = loaded()
    (first,) = table.open_round(1)
    assert set_limits(table, HIGHER) == [facts.LimitsChanged(table=TABLE, limits=HIGHER, limits_version=2)]
    table.close_betting(1)
    table.decide_round(1, 4)
    table.settle(1)
    (second,) = table.open_round(2)
    assert isinstance(first, facts.RoundOpened)
    assert isinstance(second, facts.RoundOpened)
    assert (first.limits_version, second.limits_version) == (1, 2)


@pytest.mark.parametrize("given", [opened, loaded, betting, unsettled, played, ended])
def test_limits_may_change_at_any_time_while_the_table_is_open(given: Given) -> None:
    assert types(set_limits(given(), HIGHER)) == ["limits.changed"]


def test_the_last_limits_before_a_round_count() -> None:
    table = loaded()
    set_limits(table, HIGHER)
    set_limits(table, DIFFERENTIAL)
    (opened_round,) = table.open_round(1)
    assert isinstance(opened_round, facts.RoundOpened)
    assert opened_round.limits_version == 3


def test_a_table_may_have_a_differential_limit() -> None:
    (fact,) = fresh().open(limits=DIFFERENTIAL)
    assert isinstance(fact, facts.TableOpened)
    assert fact.limits.differential_limit_minor == 1000


@pytest.mark.parametrize(
    ("expected", "given", "limits", "says"),
    [
        ("unknown_table", fresh, LIMITS, "no table"),
        ("table_not_open", closed, LIMITS, "the table is closed"),
        ("limits_impossible", opened, replace(LIMITS, unit_minor=0), "unit_minor is not between"),
        ("limits_impossible", opened, replace(LIMITS, currency="MOP"), "currency is not HKD, which the table has"),
    ],
)
def test_limits_that_cannot_be_are_refused(expected: str, given: Given, limits: Any, says: str) -> None:
    table = given()
    before = table.state
    written = set_limits(table, limits)
    assert reason(written) == expected
    assert detail(written).startswith(says)
    assert without_identities(table.state) == without_identities(before)


# --- house rules


@pytest.mark.parametrize("given", [opened, loaded, played, ended])
def test_house_rules_change_between_rounds(given: Given) -> None:
    table = with_other(given, tie_stakes="return")
    rules = table.house["other"][0]
    assert change_house_rules(table) == [
        facts.HouseRulesChanged(table=TABLE, house_rules=rules, house_rules_sha256="e" * 64)
    ]
    assert table.state.rules_in_force == rules


def test_a_shoe_goes_on_under_other_house_rules() -> None:
    table = with_other(played, holding=False, commission=0)
    change_house_rules(table)
    assert types(table.play_round(3, cards=4))[-1] == "round.ended"


OF_A_SHOE: dict[str, Any] = {
    "decks": 2,
    "dealing": "continuous_shuffler",
    "cut_card_depth": 20,
    "rounds_after_cut_card": 0,
    "cut_card_first_counts": "last",
    "burn": "fixed",
    "burn_fixed": 2,
    "burn_includes_indicator": False,
    "burn_face_value": 0,
    "burn_each_round": 1,
}


@pytest.mark.parametrize("field", OF_A_SHOE)
@pytest.mark.parametrize("given", [loaded, played])
def test_what_a_shoe_is_made_of_waits_for_a_new_one(given: Given, field: str) -> None:
    table = with_other(given, **{field: OF_A_SHOE[field]})
    before = table.state
    written = change_house_rules(table)
    assert reason(written) == "out_of_range"
    assert detail(written).startswith(f"{field}: is {OF_A_SHOE[field]!r}, allowed: ")
    assert without_identities(table.state) == without_identities(before)


@pytest.mark.parametrize("field", OF_A_SHOE)
@pytest.mark.parametrize("given", [opened, ended])
def test_between_shoes_everything_may_change(given: Given, field: str) -> None:
    table = with_other(given, **{field: OF_A_SHOE[field]})
    assert types(change_house_rules(table)) == ["house_rules.changed"]


def test_the_next_shoe_is_made_of_the_new_decks() -> None:
    table = with_other(ended, decks=2, burn="deck_count")
    change_house_rules(table)
    assert table.state.unseen == unseen_of(2)
    (started,) = table.load(number=2)
    assert isinstance(started, facts.ShoeStarted)
    assert (started.decks, started.burned) == (2, 2)
    (opened_round,) = table.open_round(1, shoe=2)
    assert isinstance(opened_round, facts.RoundOpened)
    assert opened_round.cards_left == 102


@pytest.mark.parametrize(
    ("expected", "given", "fields", "says"),
    [
        ("unknown_table", fresh, {}, "no table"),
        ("table_not_open", closed, {}, "the table is closed"),
        ("round_running", betting, {}, "round 1 is not settled"),
        ("round_running", unsettled, {}, "round 1 is not settled"),
        ("out_of_range", opened, {"seats": 6}, "seats: the table is open with 7, allowed: 6"),
    ],
)
def test_a_change_that_cannot_be_is_refused(expected: str, given: Given, fields: dict[str, Any], says: str) -> None:
    table = with_other(given, **fields)
    before = table.state
    written = change_house_rules(table)
    assert reason(written) == expected
    assert detail(written).startswith(says)
    assert without_identities(table.state) == without_identities(before)


def test_house_rules_with_fewer_bets_keep_the_limits_in_force() -> None:
    table = with_other(opened, bets=house_rules().bets[1:])
    assert types(change_house_rules(table)) == ["house_rules.changed"]
    assert types(set_limits(table, LIMITS)) == ["limits.changed"]


def test_house_rules_that_make_the_limits_impossible_are_refused() -> None:
    table = Table(house_rules())
    table.open(limits=replace(LIMITS, bets={"banker": LIMITS.bets["player"]}))
    table.house["other"] = (house_rules(banker_multiple_of_minimum=True), "e" * 64)
    written = change_house_rules(table)
    assert reason(written) == "limits_impossible"
    assert detail(written).startswith("the limits in force: bets.banker.minimum_minor is not a multiple of")


def test_more_layouts_than_the_new_rules_have_are_refused() -> None:
    table = Table(house_rules(layouts=2))
    table.open()
    table.house["other"] = (house_rules(layouts=1), "e" * 64)
    assert detail(change_house_rules(table)) == "layouts: the table is open with 2, allowed: 1"
    fewer = Table(house_rules(layouts=2))
    fewer.open(layouts=1)
    fewer.house["other"] = (house_rules(layouts=1), "e" * 64)
    assert types(change_house_rules(fewer)) == ["house_rules.changed"]


def test_house_rules_that_nobody_has_are_refused() -> None:
    written = change_house_rules(opened(), "none-such")
    assert (reason(written), detail(written)) == ("unknown_house_rules", "'none-such' is none of test")


# --- approval by another person

R: dict[str, Any] = {"shoe_number": 1, "round_number": 1}
APPROVED: dict[str, tuple[type[requests.ConsoleRequest], dict[str, Any], Given]] = {
    "void": (requests.RoundVoid, {**R, "reason": "spilt"}, betting),
    "limits": (requests.LimitsSet, {"limits": HIGHER}, opened),
    "house_rules": (requests.HouseRulesChange, {"house_rules": "test"}, opened),
    "early_shoe_end": (requests.ShoeEnd, {"shoe_number": 1, "reason": "worn"}, loaded),
}


def approving(given: Given, *needed: str) -> Table:
    """The table brought to that point, under rules that want these approvals."""
    table = given()
    table.house["other"] = (replace(table.rules, approval=needed), "e" * 64)
    terms = Terms(table.house["other"][0], table.state.limits_in_force)
    table.state = replace(table.state, terms=table.state.terms.with_changes({IN_FORCE: terms}))
    return table


@pytest.mark.parametrize("approved_by", [None, "boss"])
@pytest.mark.parametrize("needed", APPROVED)
def test_what_another_person_has_to_approve_is_refused_without(needed: str, approved_by: str | None) -> None:
    kind, fields, given = APPROVED[needed]
    table = approving(given, needed)
    before = table.state
    written = table.take(kind(**WHO, **fields, approved_by=approved_by))
    assert reason(written) == "approval_missing"
    assert without_identities(table.state) == without_identities(before)


@pytest.mark.parametrize("needed", APPROVED)
def test_what_another_person_approved_is_done(needed: str) -> None:
    kind, fields, given = APPROVED[needed]
    (fact,) = approving(given, needed).take(kind(**WHO, **fields, approved_by="supervisor"))
    assert not isinstance(fact, facts.RequestRefused)


@pytest.mark.parametrize("needed", APPROVED)
def test_a_house_that_wants_no_approval_needs_none(needed: str) -> None:
    kind, fields, given = APPROVED[needed]
    (fact,) = approving(given, *(APPROVED.keys() - {needed})).take(kind(**WHO, **fields))
    assert not isinstance(fact, facts.RequestRefused)


def test_a_correction_needs_its_approval() -> None:
    asked = requests.CardCorrect(**WHO, **R, reason="wrong side")
    assert reason(approving(betting, "correct").take(asked)) == "approval_missing"


def test_a_closed_table_says_so_before_it_asks_for_an_approval() -> None:
    assert reason(set_limits(closed(), HIGHER)) == "table_not_open"
