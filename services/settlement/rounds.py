"""Where a request's round stands among the rounds of its table."""

from typing import Literal

import msgspec

from services.decider.refusal import Refusal


class Round(msgspec.Struct, frozen=True):
    """The last round opened in the present shoe; number 0 before the first, shoe 0 before the first shoe."""

    shoe_number: int = 0
    round_number: int = 0
    phase: Literal["open", "closed", "settled"] = "settled"
    demonstration: bool = False


def refusal_of_round(present: Round, shoe_number: int, round_number: int) -> Refusal | None:
    """Why the books of this round take nothing, or None while they are open.

    A number that never was is wrong; one that was and is long over is expired.
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
    if present.phase == "closed":
        return Refusal("books_closed", "betting is closed")
    return None
