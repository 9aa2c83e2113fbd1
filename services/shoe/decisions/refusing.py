"""Why a request is refused before its content is looked at: its table, its shoe or its round is not in play."""

from typing import Final

from schemas import requests
from schemas.events import Request
from schemas.house_rules import Approval
from services.decider.refusal import Refusal
from services.shoe.table.state import Shoe, State

# The house rules' word for each request that another person has to approve (article 19).
APPROVALS: Final[dict[type[Request], Approval]] = {
    requests.RoundVoid: "void",
    requests.CardCorrect: "correct",
    requests.LimitsSet: "limits",
    requests.HouseRulesChange: "house_rules",
    requests.ShoeEnd: "early_shoe_end",
}

_OpenRoundRequest = requests.RoundVoid | requests.KeyLost | requests.CardOpen | requests.HolderPass


def refuse(state: State, request: Request) -> Refusal | None:
    """Why this request is refused whatever it asks, in the order in which the floor is told."""
    if isinstance(request, requests.ConsoleRequest) and (
        refusal := _refuse_held(state, request) or _refuse_unapproved(state, request)
    ):
        return refusal
    match request:
        case requests.TableOpen():
            return None
        case requests.ShoeEnd():
            return _refuse_shoe(state, request.shoe_number) or refuse_running(state)
        case requests.RoundOpen():
            return _refuse_shoe(state, request.shoe_number) or _refuse_next_round(state, request.round_number)
        case requests.RoundVoid() | requests.KeyLost() | requests.CardOpen() | requests.HolderPass():
            return _refuse_open_round(state, request)
        case requests.CardCorrect() | requests.DamageReport() | requests.CardScan() | requests.CutCardScan():
            return _refuse_shoe(state, request.shoe_number)
        case _:  # what is asked of the table itself
            return _refuse_table(state)


def refuse_running(state: State) -> Refusal | None:
    """Why what is asked has to wait until the round of the shoe in play is settled."""
    shoe = state.shoe_in_play
    return None if shoe.idle else Refusal("round_running", f"round {shoe.round_number} is not settled")


def _refuse_held(state: State, request: requests.ConsoleRequest) -> Refusal | None:
    """A table that stands still is released, or a dispute ends in a void."""
    if not state.held or isinstance(request, requests.TableRelease | requests.RoundVoid | requests.KeyLost):
        return None
    return Refusal("table_held", "the table stands still until table.release; only round.void is answered")


def _refuse_unapproved(state: State, request: requests.ConsoleRequest) -> Refusal | None:
    """The house rules say which requests another person has to approve."""
    needed = APPROVALS.get(type(request))
    if needed is None or not state.is_open or needed not in state.rules_in_force.approval:
        return None
    if request.approved_by not in (None, request.operator):
        return None
    return Refusal("approval_missing", f"approved_by: the house wants another person than {request.operator}")


def _refuse_table(state: State) -> Refusal | None:
    """The table is not open."""
    if state.limits_version == 0:
        return Refusal("unknown_table", "no table of this name was ever opened")
    if not state.is_open:
        return Refusal("table_not_open", "the table is closed")
    return None


def _refuse_shoe(state: State, shoe_number: int) -> Refusal | None:
    """Only the shoe in play can change."""
    if refusal := _refuse_table(state):
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


def _refuse_next_round(state: State, round_number: int) -> Refusal | None:
    """The next round opens when the one before it is settled."""
    last = state.shoe_in_play.round_number
    running = refuse_running(state) if round_number in (last, last + 1) else None
    return running or _refuse_round_number(round_number, last=last, expected=last + 1)


def _refuse_open_round(state: State, request: _OpenRoundRequest) -> Refusal | None:
    """The round is not open. Of a round that is over a void is told so, even when its shoe has ended meanwhile."""
    finished = _refuse_shoe(state, request.shoe_number)
    if finished and not (isinstance(request, requests.RoundVoid) and finished.reason == "shoe_finished"):
        return finished
    assert state.shoe is not None, "a missing shoe was refused"
    expected = _next_round_number(state.shoe)
    if refusal := _refuse_round_number(request.round_number, last=state.shoe.round_number, expected=expected):
        return refusal
    if finished or not state.shoe.between_rounds:
        return finished
    return Refusal("wrong_round", f"round {expected} is not open")


def _next_round_number(shoe: Shoe) -> int:
    """The number of the open round, or of the next one."""
    return shoe.round_number + shoe.between_rounds


def _refuse_round_number(round_number: int, *, last: int, expected: int) -> Refusal | None:
    """The shoe's last round is `last`, and only a request about the `expected` one can be answered."""
    if 1 <= round_number < last:
        return Refusal("expired", f"round {round_number} is before round {last}")
    if round_number == expected:
        return None
    if round_number == last >= 1:
        return Refusal("round_over", f"round {round_number} is over")
    return Refusal("wrong_round", f"expected round_number {expected}")
