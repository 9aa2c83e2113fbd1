"""The ledger over corrections and adjustments: the difference to what was booked before, and what does not fit."""

from collections.abc import Sequence

import pytest

from schemas.events import Event
from services.floor.ledger import Ledger
from tests.floor import made


def booked(*events: Event) -> Ledger:
    ledger = Ledger()
    for event in events:
        ledger.add(event)
    return ledger


def sums_of(ledger: Ledger) -> tuple[int, int, int, int]:
    """placed, returned, house, on the layout."""
    return ledger.placed_minor, ledger.returned_minor, ledger.house_minor, ledger.on_layout_minor


def restated(revision: int, b: tuple[str, int, bool, int], p: tuple[str, int, bool, int], **sums: int) -> list[Event]:
    """Round 1 by this revision: outcome, return, carried, commission of Banker 300.00 and of Player 500.00."""
    bets = [
        made.settled_bet(bet_id, bet, stake, returned, outcome=outcome, carried=carried, commission_minor=commission)
        for bet_id, bet, stake, (outcome, returned, carried, commission) in (
            ("b", "banker", 30_000, b),
            ("p", "player", 50_000, p),
        )
    ]
    return [
        made.bets_settled(1, *bets, revision=revision),
        made.round_settled(1, **{"revision": revision, "stakes": 2, "placed_minor": 80_000} | sums),
    ]


BETS: Sequence[Event] = (
    made.bet_accepted(1, "b", "banker", 30_000),
    made.bet_accepted(1, "p", "player", 50_000),
    made.betting_closed(1, {"banker": 30_000, "player": 50_000}),
)


def banker(revision: int) -> list[Event]:
    sums = {"returned_minor": 58_500, "house_minor": 21_500, "commission_minor": 1_500}
    return restated(revision, ("won", 58_500, False, 1_500), ("lost", 0, False, 0), **sums)


def player(revision: int) -> list[Event]:
    sums = {"returned_minor": 100_000, "house_minor": -20_000}
    return restated(revision, ("lost", 0, False, 0), ("won", 100_000, False, 0), **sums)


def carried(revision: int) -> list[Event]:
    return restated(revision, ("push", 0, True, 0), ("push", 0, True, 0), carried_out_minor=80_000)


def returned(revision: int) -> list[Event]:
    return restated(revision, ("push", 30_000, False, 0), ("push", 50_000, False, 0), returned_minor=80_000)


BANKER = (80_000, 58_500, 21_500, 0)
PLAYER = (80_000, 100_000, -20_000, 0)
CARRIED = (80_000, 0, 0, 80_000)
RETURNED = (80_000, 80_000, 0, 0)


@pytest.mark.parametrize(
    ("events", "sums"),
    [
        ((*banker(0),), BANKER),
        ((*banker(0), *player(1)), PLAYER),
        ((*player(0), *banker(1)), BANKER),
        ((*banker(0), *player(1), *banker(2)), BANKER),
        ((*banker(0), *returned(1)), RETURNED),
        ((*banker(0), *carried(1)), CARRIED),
        ((*carried(0), *player(1)), PLAYER),
        ((*carried(0), *player(1), *carried(2)), CARRIED),
    ],
)
def test_a_revision_books_the_difference_to_the_one_before(events: Sequence[Event], sums: tuple[int, ...]) -> None:
    ledger = booked(*BETS, *events)
    assert ledger.problems == []
    assert sums_of(ledger) == sums
    assert ledger.balanced
    assert ledger.rounds == {"macau-1": 1}


def test_stakes_that_a_correction_carries_are_carried_into_the_next_round() -> None:
    ledger = booked(
        *BETS,
        *banker(0),
        *carried(1),
        made.betting_closed(2, {"banker": 30_000, "player": 50_000}),
        made.bets_settled(
            2,
            made.settled_bet("b", "banker", 30_000, 0, outcome="lost"),
            made.settled_bet("p", "player", 50_000, 100_000),
        ),
        made.round_settled(2, stakes=2, carried_in_minor=80_000, returned_minor=100_000, house_minor=-20_000),
    )
    assert ledger.problems == []
    assert ledger.balanced


def test_a_correction_in_the_middle_of_the_next_round_leaves_that_alone() -> None:
    ledger = booked(
        *BETS,
        *banker(0),
        made.bet_accepted(2, "n", "player", 10_000),
        *player(1),
        made.betting_closed(2, {"player": 10_000}),
        made.bets_settled(2, made.settled_bet("n", "player", 10_000, 20_000)),
        made.round_settled(2, stakes=1, placed_minor=10_000, returned_minor=20_000, house_minor=-10_000),
    )
    assert ledger.problems == []
    assert sums_of(ledger) == (90_000, 120_000, -30_000, 0)


def test_a_demonstration_round_may_be_restated() -> None:
    ledger = booked(made.round_settled(1), made.round_settled(1, revision=1))
    assert ledger.problems == []


def test_an_adjustment_moves_money_between_house_and_bettor() -> None:
    ledger = booked(*BETS, *banker(0), made.adjusted(1, "p", 20_000), made.adjusted(1, "b", -500))
    assert sums_of(ledger) == (80_000, 78_000, 2_000, 0)
    assert ledger.problems == []
    assert ledger.balanced


def first_only(revision: int) -> list[Event]:
    facts = banker(revision)
    bets = made.bets_settled(
        1, made.settled_bet("b", "banker", 30_000, 58_500, commission_minor=1_500), revision=revision
    )
    return [bets, facts[1]]


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ((*banker(0), *player(2)), "revision 2 follows revision 0"),
        ((*banker(0), *player(1), *player(1)), "revision 1 follows revision 1"),
        ((*banker(0), *first_only(1)), "restates 1 of 2 stakes"),
        ((*banker(0), player(1)[0], *player(1)), "restates stake b, which this round did not settle"),
        (
            (*banker(0), made.bets_settled(1, made.settled_bet("x", "tie", 5, 0), revision=1)),
            "restates stake x, which this round did not settle",
        ),
        (
            (*banker(0), made.bets_settled(1, made.settled_bet("b", "banker", 5, 0), revision=1)),
            "restates stake b, which this round did not settle",
        ),
        ((*banker(0), player(1)[0], made.round_settled(1, revision=1, stakes=2)), "says returned_minor=0"),
        (
            (*carried(0), made.stake_returned(1, "b", 30_000), *player(1)),
            "stake b is not on the layout any more",
        ),
        ((made.round_settled(1, revision=1),), "of a round long over"),
    ],
)
def test_a_correction_that_does_not_fit_is_said(events: Sequence[Event], problem: str) -> None:
    ledger = booked(*BETS, *events)
    assert problem in "\n".join(ledger.problems)
    assert not ledger.balanced


def test_as_many_rounds_are_kept_as_any_house_may_correct() -> None:
    events: list[Event] = [made.round_settled(number) for number in range(1, 13)]
    assert booked(*events, made.round_settled(3, revision=1)).problems == []
    assert booked(*events, made.round_settled(2, revision=1)).problems != []
