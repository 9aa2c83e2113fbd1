"""What dealer consoles and pit management ask: tables, shoes and rounds, opened and ended."""

from schemas import facts, requests
from schemas.codec import Entry
from schemas.events import Request
from schemas.limits import impossible
from services.decider.refusal import Refusal
from services.shoe.decisions import changing, correcting, holding
from services.shoe.decisions.changing import House
from services.shoe.decisions.dealing import (
    FIRST_FOUR,
    ROUND_CARDS_MAX,
    burned_at_load,
    cut_card_before,
    deal_due,
    evolved,
    shoe_ended,
)
from services.shoe.decisions.refusing import (
    refuse_held,
    refuse_round,
    refuse_running,
    refuse_shoe,
    refuse_table,
    refuse_unapproved,
)
from services.shoe.decisions.voiding import void_round
from services.shoe.table.rounds import opened_round
from services.shoe.table.state import Shoe, State


def answer(
    state: State, entry: Entry, request: Request, drawn: tuple[str, ...], house: House
) -> list[object] | Refusal:
    """What a console's request, seen for the first time, leads to."""
    if refusal := refuse_held(state, request) or refuse_unapproved(state, request):
        return refusal
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
            return _open_round(state, entry, request, drawn)
        case requests.RoundVoid():
            return void_round(state, request)
        case requests.CardOpen():
            return holding.open_card(state, request)
        case requests.HolderPass():
            return holding.pass_cards(state, request)
        case requests.CardCorrect():
            return correcting.correct(state, request)
        case requests.LimitsSet():
            return changing.set_limits(state, request)
        case requests.HouseRulesChange():
            return changing.change_house_rules(state, request, house)
        case requests.DamageReport():
            return changing.report_damage(state, request)
        case requests.TableHold():
            return changing.hold(state, request)
        case requests.TableRelease():
            return changing.release(state, entry, drawn)
        case _:
            raise AssertionError(f"{request.type} is answered by settlement")


def _open_table(state: State, request: requests.TableOpen, house: House) -> list[object] | Refusal:
    if state.is_open:
        return Refusal("table_already_open", "close it first: rules and limits are set when it opens")
    if request.house_rules not in house:
        return Refusal("unknown_house_rules", f"{request.house_rules!r} is none of {', '.join(sorted(house))}")
    rules, sha256 = house[request.house_rules]
    if problem := impossible(request.limits, rules):
        return Refusal("limits_impossible", problem)
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
    return refuse_running(state) or [shoe_ended(state, "table_closed"), closed]


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
    refusal = refuse_shoe(state, request.shoe_number) or refuse_running(state)
    return refusal or [shoe_ended(state, request.reason)]


def _open_round(
    state: State, entry: Entry, request: requests.RoundOpen, drawn: tuple[str, ...]
) -> list[object] | Refusal:
    if refusal := refuse_shoe(state, request.shoe_number):
        return refusal
    shoe, rules = state.shoe_in_play, state.rules_in_force
    last = shoe.round_number
    if request.round_number in (last, last + 1) and (refusal := refuse_running(state)):
        return refusal
    if refusal := refuse_round(request.round_number, last=last, expected=last + 1):
        return refusal
    if request.demonstration and (refusal := _refuse_demonstration(shoe, rules.demonstration_rounds)):
        return refusal
    burned = rules.burn_each_round + request.burn
    most = state.cards_left - ROUND_CARDS_MAX - rules.burn_each_round if rules.dealing == "shoe" else 0
    if not 0 <= request.burn <= most:
        return Refusal("out_of_range", f"burn: allowed are 0 to {most}")
    opened = facts.RoundOpened(
        table=state.table,
        shoe_number=shoe.number,
        round_number=request.round_number,
        demonstration=request.demonstration,
        burned=burned,
        cards_left=state.cards_left - burned,
        last_round=request.round_number == shoe.last_round,
        limits_version=state.limits_version,
    )
    outcomes: list[object] = [opened]
    # A physical shoe's burned cards are pulled behind this fact, a virtual one's with it.
    if shoe.kind == "virtual" and burned:
        outcomes += cut_card_before(state, shoe.next_ordinal + burned - 1, opened_round(shoe, opened))
    if request.demonstration:
        outcomes += deal_due(evolved(state, outcomes), entry, FIRST_FOUR, drawn)
    return outcomes


def demonstration_cards_wanted(state: State) -> int:
    """How many cards a virtual shoe needs when a demonstration round opens: it is dealt at once (article 2)."""
    shoe = state.shoe
    in_play = shoe is not None and not shoe.ended and shoe.idle and shoe.kind == "virtual"
    return len(FIRST_FOUR) if in_play else 0


def _refuse_demonstration(shoe: Shoe, most: int) -> Refusal | None:
    """Article 2: only before a shoe's first betting round, and only so many."""
    if not most:
        return Refusal("not_offered", "demonstration: the house has no demonstration rounds")
    if shoe.round_number > shoe.demonstrations:
        return Refusal("out_of_range", "demonstration: the shoe's first betting round has been opened")
    if shoe.demonstrations >= most:
        return Refusal("out_of_range", f"demonstration: allowed are {most} rounds before a shoe's first betting round")
    return None
