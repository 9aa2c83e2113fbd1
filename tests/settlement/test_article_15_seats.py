"""Article 15: a seat is taken and left by request, and its position is its bettor's alone."""

from collections.abc import Callable

import pytest

from schemas.events import Fact
from schemas.facts import BetAccepted, BetChanged, SeatLeft, SeatTaken
from tests.settlement.drive import TABLE, reason
from tests.settlement.stored import known_stakes
from tests.settlement.verbs import Floor, playing


def test_a_bettor_takes_a_free_seat_and_leaves_it() -> None:
    floor = Floor()
    assert floor.seat("ann", 3) == SeatTaken(table=TABLE, bettor_id="ann", seat=3)
    assert floor.unseat("ann", 3) == SeatLeft(table=TABLE, bettor_id="ann", seat=3)
    assert isinstance(floor.seat("bob", 3), SeatTaken)


def test_a_bettor_may_have_several_seats() -> None:
    floor = Floor()
    assert isinstance(floor.seat("ann", 1), SeatTaken)
    assert isinstance(floor.seat("ann", 7), SeatTaken)


@pytest.mark.parametrize(
    ("expected", "ask"),
    [
        ("seat_taken", lambda floor: floor.seat("bob", 3)),
        ("seat_taken", lambda floor: floor.seat("ann", 3)),
        ("out_of_range", lambda floor: floor.seat("bob", 0)),
        ("out_of_range", lambda floor: floor.seat("bob", -3)),
        ("out_of_range", lambda floor: floor.seat("bob", 8)),
        ("out_of_range", lambda floor: floor.unseat("bob", 8)),
        ("not_your_seat", lambda floor: floor.unseat("bob", 3)),
        ("not_your_seat", lambda floor: floor.unseat("ann", 4)),
        ("not_your_seat", lambda floor: floor.place("p", bettor_id="bob", seat=3)),
        ("not_your_seat", lambda floor: floor.place("p", bettor_id="ann", seat=4)),
        ("out_of_range", lambda floor: floor.place("p", bettor_id="ann", seat=8)),
        ("out_of_range", lambda floor: floor.place("p", bettor_id="ann", seat=0)),
    ],
)
def test_a_seat_is_refused_for_its_reason_and_stays_whose_it_is(expected: str, ask: Callable[[Floor], Fact]) -> None:
    floor = playing()
    floor.seat("ann", 3)
    before = floor.state.seats
    assert reason(ask(floor)) == expected
    assert floor.state.seats == before
    assert known_stakes(floor.state) == {}


def test_a_table_never_opened_or_closed_has_no_seats() -> None:
    assert reason(Floor(is_open=False).seat("ann", 1)) == "unknown_table"
    floor = Floor()
    floor.close()
    assert reason(floor.seat("ann", 1)) == "table_not_open"
    assert reason(floor.unseat("ann", 1)) == "table_not_open"


def test_a_stake_at_a_seat_is_its_bettors_and_keeps_the_seat_when_it_changes() -> None:
    floor = playing()
    floor.seat("ann", 3)
    accepted = floor.place("p", "player", 100, bettor_id="ann", seat=3)
    assert isinstance(accepted, BetAccepted)
    assert accepted.seat == 3
    changed = floor.change("p", 0, "banker", 200)
    assert isinstance(changed, BetChanged)
    assert changed.seat == 3


def test_a_seated_bettor_may_also_bet_standing() -> None:
    floor = playing()
    floor.seat("ann", 3)
    accepted = floor.place("p", "player", 100, bettor_id="ann")
    assert isinstance(accepted, BetAccepted)
    assert accepted.seat is None


def test_a_seat_is_not_left_with_a_stake_of_the_round_in_play_there() -> None:
    floor = playing()
    floor.seat("ann", 3)
    floor.seat("ann", 4)
    floor.place("p", "player", 100, bettor_id="ann", seat=3)
    assert reason(floor.unseat("ann", 3)) == "round_running"
    assert isinstance(floor.unseat("ann", 4), SeatLeft)
    floor.close_betting()
    assert reason(floor.unseat("ann", 3)) == "round_running"
    floor.end_round("banker")
    assert isinstance(floor.unseat("ann", 3), SeatLeft)


def test_a_seat_is_not_left_with_a_carried_stake_there() -> None:
    floor = playing()
    floor.seat("ann", 3)
    floor.place("p", "player", 100, bettor_id="ann", seat=3)
    floor.play("tie")
    assert reason(floor.unseat("ann", 3)) == "carried"
    floor.open_round()
    assert reason(floor.unseat("ann", 3)) == "carried"
    floor.play("player")
    assert isinstance(floor.unseat("ann", 3), SeatLeft)


def test_a_cancelled_stake_holds_no_seat() -> None:
    floor = playing()
    floor.seat("ann", 3)
    floor.place("p", "player", 100, bettor_id="ann", seat=3)
    floor.cancel("p", 0)
    assert isinstance(floor.unseat("ann", 3), SeatLeft)


def test_seats_stay_over_rounds_and_shoes() -> None:
    floor = playing()
    floor.seat("ann", 3)
    floor.play("player")
    floor.start_shoe()
    floor.open_round()
    assert isinstance(floor.place("p", "player", 100, bettor_id="ann", seat=3), BetAccepted)


def test_a_closing_table_frees_its_seats_behind_the_stakes_it_gives_back() -> None:
    floor = playing()
    floor.seat("bob", 7)
    floor.seat("ann", 3)
    floor.place("p", "player", 100, bettor_id="ann", seat=3)
    floor.play("tie")
    given_back, *left = floor.close()
    assert given_back.type == "stake.returned"
    assert left == [
        SeatLeft(table=TABLE, bettor_id="ann", seat=3),
        SeatLeft(table=TABLE, bettor_id="bob", seat=7),
    ]
    floor.open()
    assert isinstance(floor.seat("cid", 3), SeatTaken)
