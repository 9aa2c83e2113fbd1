"""Whether the books of the round that a request names are open."""

from typing import Final

from schemas.requests import BettingClose, WagerRequest
from services.decider.refusal import Refusal
from services.settlement.books.state import Round, State

TABLE_HELD: Final = Refusal("table_held", "the table is held")


def refusal_of_books(state: State, request: BettingClose | WagerRequest) -> Refusal | None:
    """Why the books do not take this request now, or None when they do.

    A held table takes no request. It still tells when a round is long over.
    """
    if not state.is_open:
        return Refusal("table_not_open", "the table is closed")
    refusal = refusal_of_round(state.round, request.shoe_number, request.round_number)
    if state.held and not (refusal and refusal.reason == "expired"):
        return TABLE_HELD
    return refusal


def refusal_of_round(present: Round, shoe_number: int, round_number: int) -> Refusal | None:
    """Why there are no open books of the round with these numbers, or None when there are.

    A round that never was has a wrong number. A round that is long over has expired.
    """
    shoe_expected = max(present.shoe_number, 1)
    if 1 <= shoe_number < shoe_expected:
        return Refusal("expired", f"the present shoe is {shoe_expected}")
    if shoe_number != shoe_expected:
        return Refusal("wrong_shoe", f"expected {shoe_expected}")
    last_settled = present.round_number - (present.phase != "settled")
    if 1 <= round_number < last_settled:
        return Refusal("expired", f"the last round settled is {last_settled}")
    if 1 <= round_number == last_settled:
        return Refusal("round_over", "the round is settled")
    if round_number != last_settled + 1:
        return Refusal("wrong_round", f"expected {last_settled + 1}")
    if present.phase == "settled":
        return Refusal("books_not_open", "the round is not open yet")
    if present.demonstration:
        return Refusal("books_not_open", "a demonstration round takes no bets")
    if present.phase == "books_closed":
        return Refusal("books_closed", "betting is closed")
    return None
