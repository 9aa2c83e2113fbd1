"""The ledger: sums of single facts, and what it finds when they do not add up."""

from collections.abc import Sequence
from typing import Any

import pytest

from schemas.events import Event
from services.floor.ledger import Ledger
from tests.floor import made


def booked(*events: Event) -> Ledger:
    ledger = Ledger()
    for event in events:
        ledger.add(event)
    return ledger


# Banker 300.00 wins: returns 585.00, commission 15.00. Player 400.00 raised to 500.00 loses. Tie 100.00 is cancelled.
ROUND: Sequence[Event] = (
    made.bet_accepted(1, "b", "banker", 30_000),
    made.bet_accepted(1, "p", "player", 40_000),
    made.bet_changed(1, "p", "player", 40_000, 50_000),
    made.bet_accepted(1, "t", "tie", 10_000),
    made.bet_cancelled(1, "t", "tie", 10_000),
    made.betting_closed(1, {"banker": 30_000, "player": 50_000}),
    made.bets_settled(
        1,
        made.settled_bet("b", "banker", 30_000, 58_500, commission_minor=1_500),
        made.settled_bet("p", "player", 50_000, 0, outcome="lost"),
    ),
)
SUMS = {"stakes": 2, "placed_minor": 90_000, "returned_minor": 68_500, "house_minor": 21_500, "commission_minor": 1_500}


def sums_of(ledger: Ledger) -> tuple[int, int, int, int, int]:
    return (
        ledger.bets,
        ledger.placed_minor,
        ledger.returned_minor,
        ledger.house_minor,
        ledger.on_layout_minor,
    )


def test_a_round_is_summed_from_its_single_facts() -> None:
    ledger = booked(*ROUND, made.round_settled(1, **SUMS))
    assert sums_of(ledger) == (3, 90_000, 68_500, 21_500, 0)
    assert ledger.rounds == {"macau-1": 1}
    assert ledger.problems == []
    assert ledger.balanced


def test_stakes_of_a_round_in_play_are_on_the_layout() -> None:
    ledger = booked(*ROUND[:5])
    assert sums_of(ledger) == (3, 90_000, 10_000, 0, 80_000)
    assert ledger.balanced


def test_a_reduction_counts_as_returned() -> None:
    ledger = booked(
        made.bet_accepted(1, "b", "banker", 90_000),
        made.bet_changed(1, "b", "banker", 90_000, 80_000),
        made.stake_reduced(1, "b", 80_000, 60_000),
        made.bets_settled(1, made.settled_bet("b", "banker", 60_000, 0)),
        made.round_settled(1, stakes=1, placed_minor=90_000, returned_minor=30_000, house_minor=60_000),
    )
    assert sums_of(ledger) == (1, 90_000, 30_000, 60_000, 0)
    assert ledger.problems == []
    assert ledger.balanced


CARRIED: Sequence[Event] = (
    made.bet_accepted(1, "p", "player", 30_000),
    made.bets_settled(1, made.settled_bet("p", "player", 30_000, 0, outcome="push", carried=True)),
    made.round_settled(1, result="tie", stakes=1, placed_minor=30_000, carried_out_minor=30_000),
)


def test_a_carried_stake_stays_on_the_layout_and_ends_once() -> None:
    assert sums_of(booked(*CARRIED)) == (1, 30_000, 0, 0, 30_000)
    ledger = booked(
        *CARRIED,
        made.bets_settled(2, made.settled_bet("p", "player", 30_000, 60_000)),
        made.round_settled(2, stakes=1, carried_in_minor=30_000, returned_minor=60_000, house_minor=-30_000),
    )
    assert sums_of(ledger) == (1, 30_000, 60_000, -30_000, 0)
    assert ledger.problems == []
    assert ledger.balanced


def test_a_carried_stake_returned_between_rounds_is_in_no_rounds_sums() -> None:
    ledger = booked(*CARRIED, made.stake_returned(1, "p", 30_000), made.round_settled(2))
    assert sums_of(ledger) == (1, 30_000, 30_000, 0, 0)
    assert ledger.problems == []
    assert ledger.balanced


def test_a_stake_cut_to_nothing_when_betting_closes_is_returned_in_its_round() -> None:
    ledger = booked(
        *CARRIED,
        made.bet_accepted(2, "n", "banker", 90_000),
        made.stake_returned(2, "n", 90_000),
        made.stake_reduced(2, "p", 30_000, 20_000),
        made.betting_closed(2, {"player": 20_000}),
        made.bets_settled(2, made.settled_bet("p", "player", 20_000, 0, outcome="lost")),
        made.round_settled(
            2, stakes=1, placed_minor=90_000, carried_in_minor=30_000, returned_minor=100_000, house_minor=20_000
        ),
    )
    assert sums_of(ledger) == (2, 120_000, 100_000, 20_000, 0)
    assert ledger.problems == []
    assert ledger.balanced


def test_carried_stakes_pass_over_a_demonstration_round() -> None:
    ledger = booked(
        *CARRIED,
        made.round_settled(2),
        made.betting_closed(3, {"player": 30_000}),
        made.bets_settled(3, made.settled_bet("p", "player", 30_000, 0, outcome="lost")),
        made.round_settled(3, stakes=1, carried_in_minor=30_000, house_minor=30_000),
    )
    assert sums_of(ledger) == (1, 30_000, 0, 30_000, 0)
    assert ledger.problems == []
    assert ledger.balanced


def test_a_bet_that_was_rejected_moves_nothing() -> None:
    assert sums_of(booked(made.bet_rejected(1))) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ((*ROUND, ROUND[-1]), "ended without being on the layout"),
        ((*ROUND[:4], *ROUND[5:], made.bet_cancelled(1, "b", "banker", 30_000)), "says 30000, was 0"),
        ((*ROUND[:2], made.bet_accepted(1, "p", "player", 1)), "while it is on the layout"),
        ((made.bet_accepted(1, "p", "player", 5), made.bet_changed(1, "p", "player", 6, 7)), "says 6, was 5"),
        (
            (
                made.bet_accepted(1, "p", "player", 5),
                made.bets_settled(1, made.settled_bet("p", "player", 4, 0)),
            ),
            "was settled as 4, on the layout lay 5",
        ),
        (
            (
                made.bet_accepted(1, "p", "player", 5),
                made.bets_settled(1, made.settled_bet("p", "player", 5, 5, carried=True)),
            ),
            "carried and returned",
        ),
        ((*ROUND, made.round_settled(1, **{**SUMS, "house_minor": 21_499})), "says house_minor=21499"),
        ((*ROUND, made.round_settled(1, **{**SUMS, "placed_minor": 1})), "says placed_minor=1,"),
        ((*ROUND, made.round_settled(1, **{**SUMS, "stakes": 3})), "says stakes=3"),
        (
            (*CARRIED, made.betting_closed(2, {"player": 30_000}), made.round_settled(2)),
            "says carried_in_minor=0, its stakes say 30000",
        ),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "facts",
)
def test_what_does_not_add_up_is_said_and_unbalances_the_books(events: Sequence[Event], problem: str) -> None:
    ledger = booked(*events)
    assert problem in "\n".join(ledger.problems)
    assert not ledger.balanced


def test_a_stake_that_vanishes_unbalances_the_books() -> None:
    ledger: Any = booked(*ROUND[:5])
    ledger.placed_minor += 1
    assert not ledger.balanced
