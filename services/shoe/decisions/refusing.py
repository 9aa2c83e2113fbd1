"""Whether a request's table, shoe and round are the ones in play, and how the floor is told if not."""

from typing import Final

from schemas import requests
from schemas.events import Request
from schemas.house_rules import Approval
from services.decider.refusal import Refusal
from services.shoe.table.state import State

# By request, the house rules' word for its approval by another person (article 19).
APPROVALS: Final[dict[type[Request], Approval]] = {
    requests.RoundVoid: "void",
    requests.CardCorrect: "correct",
    requests.LimitsSet: "limits",
    requests.HouseRulesChange: "house_rules",
    requests.ShoeEnd: "early_shoe_end",
}


def refuse_table(state: State) -> Refusal | None:
    """Why a request about what is on the table is not answered."""
    if state.limits_version == 0:
        return Refusal("unknown_table", "no table of this name was ever opened")
    if not state.is_open:
        return Refusal("table_not_open", "the table is closed")
    return None


def refuse_held(state: State, request: Request) -> Refusal | None:
    """Why a console's request is not answered at a table that stands still: a dispute may end in a void."""
    if not state.held or isinstance(request, requests.TableRelease | requests.RoundVoid):
        return None
    return Refusal("table_held", "the table stands still until table.release; only round.void is answered")


def refuse_unapproved(state: State, request: Request) -> Refusal | None:
    """Why a console's request is not answered without another person's approval."""
    needed = APPROVALS.get(type(request))
    if needed is None or not state.is_open or needed not in state.rules_in_force.approval:
        return None
    assert isinstance(request, requests.ConsoleRequest), "only the console's requests are approved"
    if request.approved_by not in (None, request.operator):
        return None
    return Refusal("approval_missing", f"approved_by: the house wants another person than {request.operator}")


def refuse_running(state: State) -> Refusal | None:
    """Why what is asked has to wait for the round of the shoe in play to be settled."""
    shoe = state.shoe_in_play
    return None if shoe.idle else Refusal("round_running", f"round {shoe.round_number} is not settled")


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
