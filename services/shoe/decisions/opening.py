"""The beginning of a table, of a shoe and of a round (articles 1, 2 and 8)."""

from collections.abc import Mapping

from schemas import facts, requests
from schemas.codec import Entry
from schemas.house_rules import HouseRules, face_value
from schemas.limits import impossible
from services.decider.refusal import Refusal
from services.shoe.decisions.dealing import FIRST_FOUR, ROUND_CARDS_MAX, cut_card_before, deal_due
from services.shoe.decisions.drawn import NO_KEY, Drawn
from services.shoe.seeds import seed_of_request
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import Outcome, RoundKeyed, SeedFixed
from services.shoe.table.state import Shoe, State

# The house rules that a table may have, by name, each with the hash of its file.
House = Mapping[str, tuple[HouseRules, str]]


def open_table(state: State, request: requests.TableOpen, house: House) -> list[Outcome] | Refusal:
    """The table opens under these rules and limits."""
    if state.is_open:
        return Refusal("table_already_open", "close it first: rules and limits are set when it opens")
    if refusal := refuse_unknown_rules(house, request.house_rules):
        return refusal
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


def refuse_unknown_rules(house: House, name: str) -> Refusal | None:
    """Why no table can have these house rules."""
    if name in house:
        return None
    return Refusal("unknown_house_rules", f"{name!r} is none of {', '.join(sorted(house))}")


def load_shoe(state: State, request: requests.ShoeLoad, drawn: Drawn) -> list[Outcome] | Refusal:
    """A shoe comes into play. A virtual shoe burns what the house rules say, a physical one what the request says."""
    if refusal := _refuse_load(state, request):
        return refusal
    rules = state.rules_in_force
    burned, burn_card = request.burned, None
    if request.kind == "virtual":
        if drawn.key is None:
            return NO_KEY
        burned, burn_card = _burned(rules, drawn.cards)
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
            key=None if burn_card is None else drawn.key,
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
    # What is behind the cut card cannot be out, and a shuffler burns nothing (article 2).
    most = cards - rules.cut_card_depth if request.kind == "physical" and rules.dealing == "shoe" else 0
    if not 0 <= request.burned <= most:
        return Refusal("out_of_range", f"burned: allowed are 0 to {most}")
    if request.cut_at is not None and not 0 <= request.cut_at <= cards:
        return Refusal("out_of_range", f"cut_at: allowed are 0 to {cards}")
    return None


def _burned(rules: HouseRules, drawn: tuple[str, ...]) -> tuple[int, str | None]:
    """How many cards a virtual shoe burns at its start, and the one that is turned (article 2)."""
    match rules.burn:
        case "deck_count":
            return rules.decks, None
        case "fixed":
            return rules.burn_fixed, None
        case "none":
            return 0, None
        case "first_card":
            value = face_value(rules, drawn[0])
            return (max(1, value) if rules.burn_includes_indicator else 1 + value), drawn[0]


def open_round(state: State, entry: Entry, request: requests.RoundOpen, drawn: Drawn) -> list[Outcome] | Refusal:
    """The next round opens for bets; a demonstration round is dealt at once.

    A virtual round commits itself to a key before anybody bets.
    """
    shoe, rules = state.shoe_in_play, state.rules_in_force
    if request.demonstration and (refusal := _refuse_demonstration(shoe, rules.demonstration_rounds)):
        return refusal
    burned = rules.burn_each_round + request.burn
    most = state.cards_left - ROUND_CARDS_MAX - rules.burn_each_round if rules.dealing == "shoe" else 0
    if not 0 <= request.burn <= most:
        return Refusal("out_of_range", f"burn: allowed are 0 to {most}")
    if shoe.kind == "virtual" and drawn.key is None:
        return NO_KEY
    opened = facts.RoundOpened(
        table=state.table,
        shoe_number=shoe.number,
        round_number=request.round_number,
        demonstration=request.demonstration,
        burned=burned,
        cards_left=state.cards_left - burned,
        last_round=request.round_number == shoe.last_round,
        limits_version=state.limits_version,
        commitment=drawn.commitment,
    )
    outcomes: list[Outcome] = [opened]
    after = evolve(state, opened)
    if shoe.kind == "virtual":
        outcomes.append(RoundKeyed(entry.entry_id, drawn.master))
    # The burned cards of a virtual shoe are pulled with this fact, those of a physical one after it.
    if shoe.kind == "virtual" and burned:
        for reached in cut_card_before(after, shoe.next_ordinal + burned - 1):
            outcomes.append(reached)
            after = evolve(after, reached)
    if request.demonstration:
        if shoe.kind == "virtual":
            outcomes.append(SeedFixed(seed_of_request(entry)))
        outcomes += deal_due(after, entry, FIRST_FOUR, drawn)
    return outcomes


def _refuse_demonstration(shoe: Shoe, most: int) -> Refusal | None:
    """Article 2: only before a shoe's first betting round, and only so many."""
    if not most:
        return Refusal("not_offered", "demonstration: the house has no demonstration rounds")
    if shoe.round_number > shoe.demonstrations:
        return Refusal("out_of_range", "demonstration: the shoe's first betting round has been opened")
    if shoe.demonstrations >= most:
        return Refusal("out_of_range", f"demonstration: allowed are {most} rounds before a shoe's first betting round")
    return None
