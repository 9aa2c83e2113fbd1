"""Seats (article 15): a bettor takes a seat by request, and then it is his alone. A standing bettor has none."""

from schemas.facts import SeatLeft, SeatTaken
from schemas.requests import SeatLeave, SeatTake
from services.decider.refusal import Refusal
from services.settlement.books.state import Seat, State
from services.settlement.decisions.open_books import TABLE_HELD


def take_seat(state: State, request: SeatTake) -> SeatTaken | Refusal:
    """The seat becomes the bettor's, or why it does not. One bettor may have several."""
    if refusal := _refusal_of_request(state, request.seat):
        return refusal
    if str(request.seat) in state.seats:
        return Refusal("seat_taken", f"seat {request.seat} is taken")
    return SeatTaken(table=request.table, bettor_id=request.bettor_id, seat=request.seat)


def leave_seat(state: State, request: SeatLeave) -> SeatLeft | Refusal:
    """The seat is free again, or why it is not. Nobody may leave a seat while a stake lies there."""
    if refusal := _refusal_of_request(state, request.seat):
        return refusal
    if not _is_his(state, request.seat, request.bettor_id):
        return _not_his(request.seat)
    there = [stake for stake in state.layout.values() if stake.seat == request.seat]
    if any(stake.carried_minor for stake in there):
        return Refusal("carried", "a carried stake lies there")
    if there:
        return Refusal("round_running", "a stake of the round in play lies there")
    return SeatLeft(table=request.table, bettor_id=request.bettor_id, seat=request.seat)


def seats_given_up(state: State) -> list[SeatLeft]:
    """All seats are free again, because the table closes."""
    taken = sorted((int(number), seat.bettor_id) for number, seat in state.seats.items())
    return [SeatLeft(table=state.table, bettor_id=bettor_id, seat=number) for number, bettor_id in taken]


def refusal_of_seat(state: State, seat: int, bettor_id: str) -> Refusal | None:
    """Why this bettor may not stake at this seat, or None when it is his."""
    if _is_his(state, seat, bettor_id):
        return None
    return _refusal_of_number(state, seat) or _not_his(seat)


def _refusal_of_request(state: State, seat: int) -> Refusal | None:
    if not state.is_open:
        return Refusal("table_not_open", "the table is closed")
    if state.held:
        return TABLE_HELD
    return _refusal_of_number(state, seat)


def _refusal_of_number(state: State, seat: int) -> Refusal | None:
    if 1 <= seat <= state.seats_offered:
        return None
    return Refusal("out_of_range", f"the table has seats 1 to {state.seats_offered}")


def _is_his(state: State, seat: int, bettor_id: str) -> bool:
    return state.seats.get(str(seat)) == Seat(bettor_id)


def _not_his(seat: int) -> Refusal:
    return Refusal("not_your_seat", f"seat {seat} is not this bettor's")
