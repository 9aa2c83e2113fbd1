"""Whether a request's table, shoe and round are the ones in play, and how the floor is told if not."""

from typing import NamedTuple

from services.shoe.state import State


class Refusal(NamedTuple):
    """Why a request changes nothing: one of the wire's reasons and a sentence for people."""

    reason: str
    detail: str


def refuse_table(state: State) -> Refusal | None:
    """Why a request about what is on the table is not answered."""
    if state.limits_version == 0:
        return Refusal("unknown_table", "no table of this name was ever opened")
    if not state.rules:
        return Refusal("table_not_open", "the table is closed")
    return None


def refuse_shoe(state: State, shoe_number: int) -> Refusal | None:
    """Why a request about this shoe is not answered: only the one in play can change."""
    if refusal := refuse_table(state):
        return refusal
    shoe = state.shoe
    if shoe is None:
        return Refusal("no_shoe", "the table has no shoe")
    if 1 <= shoe_number < shoe.number:
        return Refusal("expired", f"shoe {shoe_number} is before the present shoe {shoe.number}")
    if shoe_number == shoe.number:
        return Refusal("shoe_finished", f"shoe {shoe_number} has ended") if shoe.ended else None
    if shoe.ended:
        return Refusal("no_shoe", f"shoe {shoe.number} has ended and no other is loaded")
    return Refusal("wrong_shoe", f"expected shoe_number {shoe.number}")


def refuse_round(round_number: int, *, last: int, expected: int) -> Refusal | None:
    """Why a request about this round is not answered, when the shoe's last one is `last`."""
    if 1 <= round_number < last:
        return Refusal("expired", f"round {round_number} is before round {last}")
    if round_number == expected:
        return None
    if round_number == last >= 1:
        return Refusal("round_over", f"round {round_number} is over")
    return Refusal("wrong_round", f"expected round_number {expected}")
