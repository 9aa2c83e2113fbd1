"""Placing, changing, cancelling: what is taken, and each reason for which a wager is rejected."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest

from schemas.events import Fact
from schemas.facts import BetAccepted, BetCancelled, BetChanged, BetRejected
from schemas.house_rules import HouseRules
from schemas.limits import BetLimits
from tests.settlement.drive import LIMITS, MACAU, NO_COMMISSION, TABLE, Table, house, limits, opened, reason

Asked = Callable[[Table], Fact]
HUGE: Final = BetLimits(minimum_minor=100, maximum_minor=10**12)
HUGE_LIMITS: Final = limits(bets=dict.fromkeys(LIMITS.bets, HUGE))
UNLIMITED: Final = 10**30


def test_a_placed_bet_is_a_stake_of_its_whole_amount() -> None:
    assert opened().place("b1", "banker", 200, bettor_id="ann") == BetAccepted(
        table=TABLE,
        shoe_number=1,
        round_number=1,
        bet_id="b1",
        bettor_id="ann",
        bet="banker",
        seat=None,
        amount_minor=200,
        requested_minor=200,
        revision=0,
    )


def test_a_change_states_the_whole_stake_anew() -> None:
    table = opened()
    table.place("b1", "banker", 200)
    assert table.change("b1", 0, "tie", 50) == BetChanged(
        table=TABLE,
        shoe_number=1,
        round_number=1,
        bet_id="b1",
        bettor_id="ann",
        bet="tie",
        seat=None,
        amount_minor=50,
        requested_minor=50,
        revision=1,
        before_minor=200,
    )
    assert table.change("b1", 1, "tie", 60) == msgspec.structs.replace(
        BetChanged(**{name: getattr(table.facts[-1], name) for name in BetChanged.__struct_fields__}),
        before_minor=50,
        revision=2,
    )


def test_a_cancelled_stake_is_taken_back_whole() -> None:
    table = opened()
    table.place("b1", "banker", 200)
    table.change("b1", 0, "player", 300)
    assert table.cancel("b1", 1) == BetCancelled(
        table=TABLE,
        shoe_number=1,
        round_number=1,
        bet_id="b1",
        bettor_id="ann",
        bet="player",
        seat=None,
        amount_minor=0,
        requested_minor=0,
        revision=2,
        before_minor=300,
    )


REJECTED: Final[list[tuple[str, Asked]]] = [
    ("bet_not_offered", lambda t: t.place("n", "lucky_6", 100)),
    ("bet_not_offered", lambda t: t.place("n", "Player", 100)),
    ("wrong_currency", lambda t: t.place("n", currency="MOP")),
    ("wrong_currency", lambda t: t.place("n", currency="hkd")),
    ("amount_not_positive", lambda t: t.place("n", amount_minor=0)),
    ("amount_not_positive", lambda t: t.place("n", amount_minor=-100)),
    ("amount_not_positive", lambda t: t.place("n", amount_minor=-UNLIMITED)),
    ("amount_too_large", lambda t: t.place("n", amount_minor=10**12 + 5)),
    ("amount_too_large", lambda t: t.place("n", amount_minor=2**63)),
    ("amount_too_large", lambda t: t.place("n", amount_minor=UNLIMITED)),
    ("not_whole_units", lambda t: t.place("n", amount_minor=101)),
    ("below_minimum", lambda t: t.place("n", amount_minor=95)),
    ("below_minimum", lambda t: t.place("n", "tie", 15)),
    ("above_maximum", lambda t: t.place("n", amount_minor=10_005)),
    ("above_maximum", lambda t: t.place("n", "player", 9_005)),  # beside 1,000 of the same bettor's
    ("above_maximum", lambda t: t.place("n", "player_pair", 2_005)),
    ("above_total", lambda t: t.place("n", "tie", 1_005, bettor_id="cid")),  # 2,000 of bob's lie there
    ("not_a_multiple", lambda t: t.place("n", "banker", 150)),
    ("not_your_seat", lambda t: t.place("n", seat=1)),
    ("id_reused", lambda t: t.place("p", "player", 1_000)),
    ("id_reused", lambda t: t.place("gone", "player", 100)),
    ("expired", lambda t: t.place("n", shoe_number=1, round_number=3)),
    ("expired", lambda t: t.place("n", shoe_number=2, round_number=1)),
    ("round_over", lambda t: t.place("n", round_number=2)),
    ("wrong_round", lambda t: t.place("n", round_number=4)),
    ("wrong_round", lambda t: t.place("n", round_number=UNLIMITED)),
    ("wrong_shoe", lambda t: t.place("n", shoe_number=3)),
    ("no_such_bet", lambda t: t.change("n", 0, "player", 100)),
    ("no_such_bet", lambda t: t.change("gone", 1, "player", 100)),
    ("no_such_bet", lambda t: t.change("earlier", 0, "player", 100)),
    ("wrong_revision", lambda t: t.change("p", 1, "player", 500)),
    ("bet_not_offered", lambda t: t.change("p", 0, "lucky_6", 500)),
    ("amount_not_positive", lambda t: t.change("p", 0, "player", 0)),
    ("amount_too_large", lambda t: t.change("p", 0, "player", UNLIMITED)),
    ("not_whole_units", lambda t: t.change("p", 0, "player", 501)),
    ("below_minimum", lambda t: t.change("p", 0, "player", 95)),
    ("above_maximum", lambda t: t.change("p", 0, "player", 10_005)),
    ("above_maximum", lambda t: t.change("p", 0, "banker", 9_600)),  # beside 500 of the same bettor's
    ("above_total", lambda t: t.change("p", 0, "tie", 1_005)),
    ("not_a_multiple", lambda t: t.change("p", 0, "banker", 105)),
    ("expired", lambda t: t.change("p", 0, "player", 500, round_number=1)),
    ("round_over", lambda t: t.change("p", 0, "player", 500, round_number=2)),
    ("no_such_bet", lambda t: t.cancel("n", 0)),
    ("no_such_bet", lambda t: t.cancel("gone", 1)),
    ("wrong_revision", lambda t: t.cancel("p", 1)),
    ("wrong_revision", lambda t: t.cancel("p", -1)),
    ("wrong_shoe", lambda t: t.cancel("p", 0, shoe_number=0)),
    ("wrong_round", lambda t: t.cancel("p", 0, round_number=0)),
]


@pytest.fixture
def busy() -> Table:
    """Shoe 2, round 3, open: ann has Player 1,000 (`p`) and Banker 500, bob Tie 2,000; `gone` was cancelled."""
    table = Table()
    table.start_shoe()
    for bet_id in ("early", "earlier"):
        table.open_round()
        table.place(bet_id)
        table.close_betting()
        table.end_round("player")
    table.open_round()
    table.place("p", "player", 1_000)
    table.place("b", "banker", 500)
    table.place("t", "tie", 2_000, bettor_id="bob")
    table.place("gone")
    table.cancel("gone", 0)
    return table


@pytest.mark.parametrize(("expected", "ask"), REJECTED)
def test_a_wager_is_rejected_for_its_reason_and_changes_nothing(expected: str, ask: Asked, busy: Table) -> None:
    before = busy.state
    answer = ask(busy)
    assert isinstance(answer, BetRejected)
    assert answer.reason == expected
    assert answer.detail
    assert (busy.state.layout, busy.state.sums, busy.state.round) == (before.layout, before.sums, before.round)


TAKEN: Final[list[tuple[str, Asked]]] = [
    ("a player stake needs only whole units", lambda t: t.place("n", "player", 105, bettor_id="bob")),
    ("up to the bettor's maximum", lambda t: t.place("n", "player", 9_000)),
    ("another bettor has a maximum of his own", lambda t: t.place("n", "player", 10_000, bettor_id="bob")),
    ("another bet has a maximum of its own", lambda t: t.place("n", "banker", 9_500)),
    ("up to all bettors' total", lambda t: t.place("n", "tie", 1_000, bettor_id="cid")),
    ("the old amount does not count", lambda t: t.change("p", 0, "player", 10_000)),
    ("nor in the total", lambda t: t.change("t", 0, "tie", 20)),
    ("down to the minimum", lambda t: t.change("p", 0, "player", 100)),
    ("to the other side", lambda t: t.change("p", 0, "banker", 9_500)),
    ("the same amount once more", lambda t: t.change("b", 0, "banker", 500)),
]


@pytest.mark.parametrize(("why", "ask"), TAKEN)
def test_a_wager_within_all_bounds_is_taken(why: str, ask: Asked, busy: Table) -> None:
    assert isinstance(ask(busy), BetAccepted | BetChanged), why


def _any_amount(rules: HouseRules, **changes: Any) -> HouseRules:
    return house(rules, banker_multiple_of_minimum=False, **changes)


@pytest.mark.parametrize(
    ("expected", "rules", "amount_minor"),
    [
        ("commission_not_whole", _any_amount(MACAU), 105),
        ("commission_not_whole", _any_amount(MACAU), 110),
        ("commission_not_whole", _any_amount(NO_COMMISSION), 105),
        (None, _any_amount(NO_COMMISSION), 110),
        (None, _any_amount(MACAU, commission_rounding="up_to_unit"), 105),
        (None, _any_amount(MACAU, commission_rounding="down_to_unit"), 105),
        (None, _any_amount(NO_COMMISSION, commission_rounding="down_to_unit"), 105),
    ],
)
def test_only_exact_houses_refuse_what_they_could_not_pay_exactly(
    expected: str | None, rules: HouseRules, amount_minor: int
) -> None:
    assert reason(opened(rules).place("n", "banker", amount_minor)) == expected


def test_a_bet_without_limits_is_not_offered() -> None:
    table = opened(bounds=limits(bets={"player": LIMITS.bets["player"]}))
    assert reason(table.place("n", "banker", 100)) == "bet_not_offered"


def test_returns_beyond_every_languages_integers_are_refused() -> None:
    """Pairs of 10^12 bring 12·10^12 each: 750 of them reach 9·10^15, and not one unit more is taken."""
    table = opened(bounds=HUGE_LIMITS)
    for number in range(749):
        assert isinstance(table.place(f"b{number}", "banker_pair", 10**12, bettor_id=f"x{number}"), BetAccepted)
    assert isinstance(table.place("last", "player_pair", 10**12, bettor_id="last"), BetAccepted)
    assert reason(table.place("over", "player", 100)) == "amount_too_large"


def test_a_full_round_takes_no_further_stake_until_one_is_cancelled() -> None:
    table = opened(bounds=limits(max_stakes=2))
    table.place("b1")
    table.place("b2")
    assert reason(table.place("b3")) == "round_full"
    assert isinstance(table.change("b2", 0, "banker", 200), BetChanged)
    table.cancel("b1", 0)
    assert isinstance(table.place("b4"), BetAccepted)


def test_carried_stakes_count_for_maximum_and_number() -> None:
    table = opened(bounds=limits(max_stakes=2))
    table.place("c", "player", 9_000)
    table.close_betting()
    table.end_round("tie")
    table.open_round()
    assert reason(table.place("n", "player", 1_005)) == "above_maximum"
    assert reason(table.place("c")) == "id_reused"
    assert isinstance(table.place("n", "player", 1_000), BetAccepted)
    assert reason(table.place("m")) == "round_full"


def test_a_rejection_repeats_what_was_asked_and_leaves_null_what_was_not() -> None:
    table = opened()
    place = table.place("n", "player", 7, bettor_id="bob")
    change = table.change("n", 3, "tie", 50)
    cancel = table.cancel("n", 4)
    asked = [
        (fact.bet_id, fact.bettor_id, fact.bet, fact.amount_minor, fact.revision, fact.shoe_number, fact.round_number)
        for fact in (place, change, cancel)
        if isinstance(fact, BetRejected)
    ]
    assert asked == [
        ("n", "bob", "player", 7, None, 1, 1),
        ("n", None, "tie", 50, 3, 1, 1),
        ("n", None, None, None, 4, 1, 1),
    ]
