"""A table held for a dispute: nothing is bet, closed or adjusted until it is released, and then all goes on."""

from collections.abc import Callable

import pytest

from schemas.events import Fact
from schemas.facts import BetAccepted, BettingClosed, RequestRepeated, SeatTaken, SettlementAdjusted
from tests.settlement.drive import reason
from tests.settlement.verbs import Floor, books, playing


@pytest.mark.parametrize(
    "ask",
    [
        lambda floor: floor.place("n"),
        lambda floor: floor.change("p", 0, "player", 200),
        lambda floor: floor.cancel("p", 0),
        lambda floor: floor.close_betting(),
        lambda floor: floor.seat("ann", 1),
        lambda floor: floor.unseat("ann", 1),
        lambda floor: floor.adjust("p", 100),
    ],
)
@pytest.mark.parametrize("phase", ["open", "closed", "settled"])
def test_a_held_table_refuses_everything(ask: Callable[[Floor], Fact], phase: str) -> None:
    floor = playing()
    floor.place("p")
    if phase != "open":
        floor.close_betting()
    if phase == "settled":
        floor.end_round("player")
    assert floor.hold() == []
    before = floor.state
    assert reason(ask(floor)) == "table_held"
    assert (floor.state.layout, floor.state.round, floor.state.seats) == (before.layout, before.round, before.seats)


def test_a_released_table_goes_on_where_it_stood() -> None:
    floor = playing()
    floor.place("p", "player", 100)
    floor.hold()
    assert floor.release() == []
    assert isinstance(floor.place("n", "banker", 100), BetAccepted)
    assert isinstance(floor.seat("ann", 1), SeatTaken)
    assert isinstance(floor.close_betting(), BettingClosed)
    assert books(floor.end_round("player")) == (200, 0, 200, 0, 0)
    assert isinstance(floor.adjust("n", 95), SettlementAdjusted)


def test_a_held_table_still_tells_what_is_a_repeat_or_long_over() -> None:
    floor = playing()
    floor.play("player")
    floor.open_round()
    floor.play("player")
    floor.open_round()
    floor.place("p")
    floor.hold()
    assert isinstance(floor.send_again(), RequestRepeated)
    assert reason(floor.place("n", round_number=1)) == "expired"


def test_a_round_that_ends_while_the_table_is_held_is_settled() -> None:
    """The shoe alone knows what it lets happen: what it tells is booked."""
    floor = playing()
    floor.place("p", "player", 100)
    floor.close_betting()
    floor.hold()
    assert books(floor.void(1)) == (100, 0, 100, 0, 0)
