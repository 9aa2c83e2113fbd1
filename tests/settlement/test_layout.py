"""The layout's sums are those of its stakes, whatever has changed."""

from collections import Counter
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from services.settlement.books.layout import Layout
from services.settlement.books.stakes import Stake

BETTORS: Final = ("ann", "bob")
BETS: Final = ("player", "banker", "tie")

_stakes = st.builds(
    Stake,
    bettor_id=st.sampled_from(BETTORS),
    bet=st.sampled_from(BETS),
    amount_minor=st.integers(1, 10**12),
    order=st.integers(0, 9),
)
_changes = st.lists(st.dictionaries(st.sampled_from("abcd"), st.none() | _stakes, max_size=3), max_size=12)


def check(layout: Layout, stakes: dict[str, Stake]) -> None:
    """Every sum of the layout, counted from scratch."""
    assert dict(layout) == stakes
    by_bet: Counter[str] = Counter()
    own: Counter[tuple[str, str]] = Counter()
    for stake in stakes.values():
        by_bet[stake.bet] += stake.amount_minor
        own[stake.bettor_id, stake.bet] += stake.amount_minor
    assert layout.sum_minor == by_bet.total()
    assert dict(layout.totals_minor) == by_bet
    assert {bet: layout.total_minor(bet) for bet in BETS} == {bet: by_bet[bet] for bet in BETS}
    for bettor_id in BETTORS:
        for bet in BETS:
            assert layout.own_minor(bettor_id, bet) == own[bettor_id, bet]


@given(changes=_changes)
def test_sums_are_those_of_the_stakes_after_any_changes(changes: list[dict[str, Stake | None]]) -> None:
    layout, stakes = Layout(), dict[str, Stake]()
    for change in changes:
        before, stakes_before = layout, stakes
        layout = layout.with_changes(change)
        stakes = {name: stake for name, stake in {**stakes, **change}.items() if stake is not None}
        check(layout, stakes)
        check(before, stakes_before)
        check(Layout(stakes), stakes)
        for name in stakes:
            check(layout.without(name), {other: stake for other, stake in stakes.items() if other != name})


@given(changes=_changes)
def test_one_change_after_another_is_the_same_as_all_at_once(changes: list[dict[str, Stake | None]]) -> None:
    one_by_one = Layout()
    for change in changes:
        for name, stake in change.items():
            one_by_one = one_by_one.without(name) if stake is None else one_by_one.with_item(name, stake)
    merged = {name: stake for change in changes for name, stake in change.items()}
    at_once = Layout().with_changes(merged)
    assert dict(at_once) == dict(one_by_one)
    check(one_by_one, dict(at_once))


def test_a_bet_that_has_no_stake_any_more_has_no_sum() -> None:
    stake = Stake("ann", "tie", 100, 0)
    assert dict(Layout({"a": stake}).without("a").totals_minor) == {}
