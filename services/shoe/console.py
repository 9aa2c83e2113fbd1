"""What dealer consoles and pit management ask: tables, shoes and rounds, opened and ended."""

from collections.abc import Mapping

from schemas import facts, requests
from schemas.events import Request
from schemas.house_rules import HouseRules
from schemas.limits import impossible
from services.shoe.checks import Refusal, refuse_round, refuse_shoe, refuse_table
from services.shoe.dealing import ROUND_CARDS_MAX, burned_at_load, cut_card_before, shoe_ended
from services.shoe.evolution import opened_round
from services.shoe.state import ShoeGoesOn, State

House = Mapping[str, tuple[HouseRules, str]]


def answer(state: State, request: Request, drawn: tuple[str, ...], house: House) -> list[object] | Refusal:
    """What a console's request, seen for the first time, leads to."""
    match request:
        case requests.TableOpen():
            return _open_table(state, request, house)
        case requests.TableClose():
            return _close_table(state)
        case requests.ShoeLoad():
            return _load_shoe(state, request, drawn)
        case requests.ShoeEnd():
            return _end_shoe(state, request)
        case requests.RoundOpen():
            return _open_round(state, request)
        case requests.RoundVoid():
            return _void_round(state, request)
        case _:
            return Refusal("not_supported", "this type of request is reserved and not built yet")


def _open_table(state: State, request: requests.TableOpen, house: House) -> list[object] | Refusal:
    if state.rules:
        return Refusal("table_already_open", "close it first: rules and limits are set when it opens")
    if request.house_rules not in house:
        return Refusal("unknown_house_rules", f"{request.house_rules!r} is none of {', '.join(sorted(house))}")
    rules, sha256 = house[request.house_rules]
    if problem := impossible(request.limits, rules):
        return Refusal("limits_impossible", problem)
    if request.limits.differential_limit_minor:
        return Refusal("not_supported", "differential_limit_minor: only 0 is built")
    layouts = rules.layouts if request.layouts is None else request.layouts
    seats = rules.seats if request.seats is None else request.seats
    if not 1 <= layouts <= rules.layouts:
        return Refusal("out_of_range", f"layouts: allowed are 1 to {rules.layouts}")
    if not 1 <= seats <= rules.seats:
        return Refusal("out_of_range", f"seats: allowed are 1 to {rules.seats}")
    return [
        facts.TableOpened(
            table=state.table,
            house_rules=rules,
            house_rules_sha256=sha256,
            limits=request.limits,
            limits_version=state.limits_version + 1,
            layouts=layouts,
            seats=seats,
            gaming_day=request.gaming_day,
        )
    ]


def _close_table(state: State) -> list[object] | Refusal:
    if refusal := refuse_table(state):
        return refusal
    closed = facts.TableClosed(table=state.table, reason="request")
    if state.shoe is None or state.shoe.ended:
        return [closed]
    return _round_running(state) or [shoe_ended(state, "table_closed"), closed]


def _round_running(state: State) -> Refusal | None:
    shoe = state.shoe_in_play
    return None if shoe.idle else Refusal("round_running", f"round {shoe.round_number} is not settled")


def _load_shoe(state: State, request: requests.ShoeLoad, drawn: tuple[str, ...]) -> list[object] | Refusal:
    if refusal := refuse_table(state) or _refuse_load(state, request):
        return refusal
    rules = state.rules_in_force
    burned, burn_card = request.burned, None
    if request.kind == "virtual":
        burned, burn_card = burned_at_load(rules, drawn)
    return [
        facts.ShoeStarted(
            table=state.table,
            shoe_number=request.shoe_number,
            kind=request.kind,
            decks=rules.decks,
            cut_card_depth=rules.cut_card_depth,
            burned=burned,
            burn_card=burn_card,
            cut_by=request.cut_by,
            cut_at=request.cut_at,
            shuffled_by=request.shuffled_by,
            deck_set=request.deck_set,
        )
    ]


def _refuse_load(state: State, request: requests.ShoeLoad) -> Refusal | None:
    last = state.shoe.number if state.shoe else 0
    busy = state.shoe is not None and not state.shoe.ended
    if 1 <= request.shoe_number < last + (not busy):
        return Refusal("expired", f"shoe {request.shoe_number} was loaded before; the next is {last + 1}")
    if request.shoe_number not in ((last, last + 1) if busy else (last + 1,)):
        return Refusal("wrong_shoe", f"expected shoe_number {last + 1}")
    if busy:
        return Refusal("shoe_busy", f"shoe {last} is in play")
    rules = state.rules_in_force
    cards = 52 * rules.decks
    # What is behind the cut card cannot be out; a shuffler burns nothing (article 2).
    most = cards - rules.cut_card_depth if request.kind == "physical" and rules.dealing == "shoe" else 0
    if not 0 <= request.burned <= most:
        return Refusal("out_of_range", f"burned: allowed are 0 to {most}")
    if request.cut_at is not None and not 0 <= request.cut_at <= cards:
        return Refusal("out_of_range", f"cut_at: allowed are 0 to {cards}")
    return None


def _end_shoe(state: State, request: requests.ShoeEnd) -> list[object] | Refusal:
    refusal = refuse_shoe(state, request.shoe_number) or _round_running(state)
    return refusal or [shoe_ended(state, request.reason)]


def _open_round(state: State, request: requests.RoundOpen) -> list[object] | Refusal:
    if refusal := refuse_shoe(state, request.shoe_number):
        return refusal
    shoe, rules = state.shoe_in_play, state.rules_in_force
    last = shoe.round_number
    if request.round_number in (last, last + 1) and (refusal := _round_running(state)):
        return refusal
    if refusal := refuse_round(request.round_number, last=last, expected=last + 1):
        return refusal
    if request.demonstration:
        return Refusal("not_supported", "demonstration: only false is built")
    burned = rules.burn_each_round + request.burn
    most = state.cards_left - ROUND_CARDS_MAX - rules.burn_each_round if rules.dealing == "shoe" else 0
    if not 0 <= request.burn <= most:
        return Refusal("out_of_range", f"burn: allowed are 0 to {most}")
    opened = facts.RoundOpened(
        table=state.table,
        shoe_number=shoe.number,
        round_number=request.round_number,
        demonstration=False,
        burned=burned,
        cards_left=state.cards_left - burned,
        last_round=request.round_number == shoe.last_round,
        limits_version=state.limits_version,
    )
    # A physical shoe's burned cards are pulled behind this fact, a virtual one's with it.
    if shoe.kind == "physical" or not burned:
        return [opened]
    return [opened, *cut_card_before(state, shoe.next_ordinal + burned - 1, opened_round(shoe, opened))]


def _void_round(state: State, request: requests.RoundVoid) -> list[object] | Refusal:
    refusal = refuse_shoe(state, request.shoe_number)
    if refusal and refusal.reason != "shoe_finished":
        return refusal
    assert state.shoe is not None, "a missing shoe was refused"
    shoe, last = state.shoe, state.shoe.round_number
    expected = last + shoe.between_rounds
    if round_refusal := refuse_round(request.round_number, last=last, expected=expected):
        return round_refusal
    if refusal:
        return refusal
    if shoe.between_rounds:
        return Refusal("wrong_round", f"round {expected} is not open")
    if refusal := _refuse_next_ordinal(state, request.next_ordinal):
        return refusal
    voided = facts.RoundVoided(
        table=state.table,
        shoe_number=shoe.number,
        round_number=request.round_number,
        revision=0,
        reason=request.reason,
    )
    if shoe.kind == "virtual":
        return [voided]
    return [ShoeGoesOn(shoe.faces_to if request.next_ordinal is None else request.next_ordinal), voided]


def _refuse_next_ordinal(state: State, next_ordinal: int | None) -> Refusal | None:
    """The shoe goes on behind the cards in hands, and at most behind its last card."""
    if next_ordinal is None:
        return None
    shoe, played = state.shoe_in_play, state.round_in_play
    if shoe.kind == "virtual":
        return Refusal("out_of_range", "next_ordinal: a virtual shoe has none")
    lowest = played.hands_from + played.player + played.banker
    highest = shoe.faces_from + 52 * state.rules_in_force.decks
    if not lowest <= next_ordinal <= highest:
        return Refusal("out_of_range", f"next_ordinal: allowed are {lowest} to {highest}")
    return None
