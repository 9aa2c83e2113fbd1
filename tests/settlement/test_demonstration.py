"""Articles 2 and 12: demonstration rounds settle nothing, and carried stakes pass over them and over free rounds."""

import pytest

from schemas.cards import Result
from schemas.facts import BettingClosed, RoundSettled
from tests.settlement.drive import TABLE, house, reason
from tests.settlement.verbs import Floor, books, playing


@pytest.mark.parametrize("result", ["player", "banker", "tie"])
def test_a_demonstration_round_is_settled_all_zeros_without_betting_closed(result: Result) -> None:
    floor = Floor()
    floor.open_round(demonstration=True)
    assert floor.end_round(result, demonstration=True) == [
        RoundSettled(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            revision=0,
            result=result,
            stakes=0,
            placed_minor=0,
            carried_in_minor=0,
            returned_minor=0,
            carried_out_minor=0,
            house_minor=0,
            commission_minor=0,
        )
    ]


def test_a_demonstration_round_takes_no_bets_and_no_close() -> None:
    floor = Floor()
    floor.open_round(demonstration=True)
    assert reason(floor.place("p")) == "books_not_open"
    assert reason(floor.close_betting()) == "books_not_open"


def test_a_void_demonstration_round_has_zero_books_whatever_pairs_stand() -> None:
    floor = Floor()
    floor.open_round(demonstration=True)
    assert books(floor.void(1, player_pair=True, banker_pair=False)) == (0, 0, 0, 0, 0)


def test_carried_stakes_pass_over_demonstration_rounds_into_the_next_betting_round() -> None:
    floor = playing()
    floor.place("p", "player", 300)
    floor.play("tie")
    floor.start_shoe()
    for _ in range(3):
        floor.open_round(demonstration=True)
        assert books(floor.end_round("player", demonstration=True)) == (0, 0, 0, 0, 0)
    floor.open_round()
    assert books(floor.play("player")) == (0, 300, 600, 0, -300)


def test_demonstration_rounds_are_no_free_rounds() -> None:
    floor = Floor(house(free_rounds=1))
    for _ in range(3):
        floor.open_round(demonstration=True)
        floor.end_round("player", demonstration=True)
    floor.open_round()
    assert isinstance(floor.close_betting(), BettingClosed)
    floor.end_round("player")
    floor.open_round()
    assert reason(floor.close_betting()) == "no_stake"


def test_the_first_betting_round_may_be_restated_behind_demonstration_rounds() -> None:
    floor = Floor(house(correctable_rounds=1))
    floor.open_round(demonstration=True)
    floor.end_round("player", demonstration=True)
    floor.open_round()
    floor.place("p", "player", 300)
    floor.play("banker")
    assert books(floor.correct(2, 1, "player")) == (300, 0, 600, 0, -300)
