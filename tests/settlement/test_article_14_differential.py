"""Article 14: the table differential, by each of the three policies. Expected amounts are worked out by hand."""

from typing import Any, Final

import pytest

from schemas.facts import BetAccepted, BetChanged
from schemas.house_rules import HouseRules
from schemas.limits import BetLimits, Limits
from tests.settlement.drive import LIMITS, MACAU, house, limits, opened, reason
from tests.settlement.reading import rows, sums

AT_BET: Final = house(differential_policy="at_bet")
REJECT: Final = house(differential_policy="reject")
ANY_AMOUNT: Final = house(banker_multiple_of_minimum=False)


def bounds(limit_minor: int = 300, minimum_minor: int = 300, **changes: Any) -> Limits:
    main = BetLimits(minimum_minor=minimum_minor, maximum_minor=100_000)
    return limits(bets=LIMITS.bets | {"player": main, "banker": main}, differential_limit_minor=limit_minor, **changes)


# Stakes in the order they are placed (each by a bettor of his own), and what is cut.
Stakes = list[tuple[str, str, int]]
Cuts = list[tuple[str, int, int]]
AT_CLOSE: Final[list[tuple[str, HouseRules, Limits, Stakes, Cuts]]] = [
    ("the example of the rules", MACAU, bounds(), [("b", "banker", 900), ("p", "player", 450)], [("b", 900, 600)]),
    ("at the limit nothing is cut", MACAU, bounds(), [("b", "banker", 600), ("p", "player", 300)], []),
    ("no limit", MACAU, bounds(0), [("b", "banker", 90_000)], []),
    (
        "a Player stake keeps the minimum alone",
        MACAU,
        bounds(),
        [("p", "player", 905), ("b", "banker", 300)],
        [("p", 905, 600)],
    ),
    (
        "a Player stake is cut to the unit",
        MACAU,
        bounds(),
        [("b", "banker", 300), ("p", "player", 1_000)],
        [("p", 1_000, 600)],
    ),
    (
        "last accepted first",
        MACAU,
        bounds(),
        [("first", "banker", 300), ("p", "player", 300), ("second", "banker", 600), ("third", "banker", 300)],
        [("third", 300, 0), ("second", 600, 300)],
    ),
    (
        "what can't be kept in part is returned whole",
        MACAU,
        bounds(),
        [("a", "player", 300), ("b", "player", 305)],
        [("b", 305, 0)],
    ),
    (
        "the lighter side is never cut",
        MACAU,
        bounds(),
        [("b", "banker", 900), ("p", "player", 300), ("q", "player", 300)],
        [],
    ),
    (
        "only the two sides count",
        MACAU,
        bounds(),
        [("t", "tie", 2_000), ("x", "player_pair", 2_000), ("y", "banker_pair", 2_000), ("p", "player", 300)],
        [],
    ),
    (
        "exact commission: 425 would fit, 400 pays its 5 % in whole units",
        ANY_AMOUNT,
        bounds(125, 100),
        [("b", "banker", 500), ("p", "player", 300)],
        [("b", 500, 400)],
    ),
    (
        "rounded commission needs whole units alone",
        house(ANY_AMOUNT, commission_rounding="up_to_unit"),
        bounds(125, 100),
        [("b", "banker", 500), ("p", "player", 300)],
        [("b", 500, 425)],
    ),
    (
        "the next stake is cut when the last was not enough",
        MACAU,
        bounds(300),
        [("p", "player", 300), ("b", "banker", 900), ("c", "banker", 300)],
        [("c", 300, 0), ("b", 900, 600)],
    ),
]


@pytest.mark.parametrize(("why", "rules", "limits_", "stakes", "cuts"), AT_CLOSE, ids=[case[0] for case in AT_CLOSE])
def test_article_14_the_heavier_side_is_cut_back_when_betting_closes(
    why: str, rules: HouseRules, limits_: Limits, stakes: Stakes, cuts: Cuts
) -> None:
    table = opened(rules, limits_)
    for bet_id, bet, amount_minor in stakes:
        answer = table.place(bet_id, bet, amount_minor, bettor_id=f"of {bet_id}")
        assert isinstance(answer, BetAccepted), why
        assert answer.amount_minor == amount_minor
    assert table.cuts_at_closing() == [(*cut, "differential") for cut in cuts]


def test_article_14_the_example_of_the_rules_is_paid_as_it_was_cut() -> None:
    table = opened(MACAU, bounds())
    table.place("b", "banker", 900, bettor_id="ann")
    table.place("p", "player", 450, bettor_id="bob")
    table.close_betting()
    facts = table.end_round("banker", 1, 2)
    assert rows(facts) == [("b", 600, "won", False, 30, 1_170), ("p", 450, "lost", False, 0, 0)]
    # placed 1,350; handed back 300 at closing and 1,170 by the result
    assert sums(facts) == (2, 1_350, 0, 1_470, 0, -120, 30)


def test_article_14_a_stake_returned_whole_is_settled_no_more() -> None:
    table = opened(MACAU, bounds())
    table.place("a", "player", 300)
    table.place("b", "player", 300)
    table.close_betting()
    facts = table.end_round("player")
    assert rows(facts) == [("a", 300, "won", False, 0, 600)]
    assert sums(facts) == (1, 600, 0, 300 + 600, 0, -300, 0)


def test_article_14_an_increase_is_later_than_its_stake_and_cut_first() -> None:
    table = opened(MACAU, bounds())
    table.place("first", "banker", 300, bettor_id="ann")
    table.place("second", "banker", 300, bettor_id="bob")
    table.change("first", 0, "banker", 900)
    assert table.cuts_at_closing() == [("first", 900, 300, "differential"), ("second", 300, 0, "differential")]


def test_article_14_an_increase_may_be_cut_in_part_and_an_older_stake_is_left_alone() -> None:
    table = opened(MACAU, bounds(600))
    table.place("first", "banker", 300, bettor_id="ann")
    table.place("second", "banker", 300, bettor_id="bob")
    table.change("first", 0, "banker", 900)
    table.place("p", "player", 300, bettor_id="cid")
    assert table.cuts_at_closing() == [("first", 900, 600, "differential")]


def test_article_14_what_is_taken_off_by_the_bettor_is_what_he_added_last() -> None:
    table = opened(MACAU, bounds())
    table.place("first", "banker", 300, bettor_id="ann")
    table.change("first", 0, "banker", 900)
    table.place("second", "banker", 300, bettor_id="bob")
    table.change("first", 1, "banker", 300)
    assert table.cuts_at_closing() == [("second", 300, 0, "differential")]


@pytest.mark.parametrize("rules", [AT_BET, REJECT], ids=["at_bet", "reject"])
def test_article_14_what_leaves_the_lighter_side_is_made_good_at_closing(rules: HouseRules) -> None:
    table = opened(rules, bounds())
    table.place("p", "player", 300, bettor_id="ann")
    assert isinstance(table.place("b", "banker", 600, bettor_id="bob"), BetAccepted)
    table.cancel("p", 0)
    assert table.cuts_at_closing() == [("b", 600, 300, "differential")]


# --- at_bet: as far as it fits ---


@pytest.mark.parametrize(
    ("bet", "asked_minor", "taken_minor"),
    [
        ("banker", 900, 600),  # Player has 450 and the limit is 300: 750 would fit, 600 is the multiple
        ("banker", 600, 600),
        ("banker", 300, 300),
        ("player", 300, None),  # Player is at its limit: nothing fits
        ("tie", 2_000, 2_000),
        ("player_pair", 2_000, 2_000),
    ],
)
def test_article_14_at_bet_takes_a_stake_as_far_as_it_fits(bet: str, asked_minor: int, taken_minor: int | None) -> None:
    table = opened(AT_BET, bounds())
    table.place("b0", "banker", 300, bettor_id="cid")
    table.place("p", "player", 450, bettor_id="bob")
    table.cancel("b0", 0)
    answer = table.place("n", bet, asked_minor)
    if taken_minor is None:
        assert reason(answer) == "differential_full"
    else:
        assert isinstance(answer, BetAccepted)
        assert (answer.amount_minor, answer.requested_minor) == (taken_minor, asked_minor)


def test_article_14_at_bet_a_stake_taken_in_part_counts_as_placed_in_part() -> None:
    table = opened(AT_BET, bounds())
    table.place("b", "banker", 900)
    assert table.cuts_at_closing() == []
    assert sums(table.end_round("player")) == (1, 300, 0, 0, 0, 300, 0)


def test_article_14_at_bet_takes_an_increase_as_far_as_it_fits() -> None:
    table = opened(AT_BET, bounds())
    table.place("b", "banker", 300, bettor_id="ann")
    table.place("p", "player", 300, bettor_id="bob")
    answer = table.change("b", 0, "banker", 1_500)
    assert isinstance(answer, BetChanged)
    assert (answer.before_minor, answer.amount_minor, answer.requested_minor) == (300, 600, 1_500)
    assert reason(table.change("b", 1, "banker", 900)) == "differential_full"
    assert isinstance(table.change("b", 1, "banker", 600), BetChanged)  # the same again adds nothing


def test_article_14_at_bet_takes_a_switch_as_far_as_it_fits_and_hands_the_rest_back() -> None:
    table = opened(AT_BET, bounds(600))
    table.place("p", "player", 600, bettor_id="ann")
    table.place("b", "banker", 300, bettor_id="bob")
    answer = table.change("p", 0, "banker", 600)
    assert isinstance(answer, BetChanged)
    assert (answer.bet, answer.before_minor, answer.amount_minor, answer.requested_minor) == ("banker", 600, 300, 600)
    table.close_betting()
    assert sums(table.end_round("player")) == (2, 900, 0, 300, 0, 600, 0)


def test_article_14_at_bet_a_reduction_is_always_taken() -> None:
    table = opened(AT_BET, bounds())
    table.place("b", "banker", 300, bettor_id="ann")
    table.place("p", "player", 600, bettor_id="bob")
    assert isinstance(table.change("p", 0, "player", 400), BetChanged)


# --- reject: whole or not at all ---


@pytest.mark.parametrize(
    ("bet", "asked_minor", "expected"),
    [
        ("banker", 600, None),
        ("banker", 900, "differential_full"),
        ("player", 300, "differential_full"),
        ("tie", 2_000, None),
    ],
)
def test_article_14_reject_takes_a_stake_whole_or_not_at_all(bet: str, asked_minor: int, expected: str | None) -> None:
    table = opened(REJECT, bounds())
    table.place("p", "player", 300, bettor_id="bob")
    assert reason(table.place("n", bet, asked_minor)) == expected


def test_article_14_reject_holds_for_increases_and_switches() -> None:
    table = opened(REJECT, bounds())
    table.place("b", "banker", 300, bettor_id="ann")
    table.place("p", "player", 300, bettor_id="bob")
    assert reason(table.change("b", 0, "banker", 900)) == "differential_full"
    assert isinstance(table.change("b", 0, "banker", 600), BetChanged)
    assert reason(table.change("p", 0, "banker", 300)) == "differential_full"
    assert reason(table.change("b", 1, "player", 300)) == "differential_full"  # Player would have 600 alone
