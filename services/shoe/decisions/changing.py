"""What changes at an open table beside its rounds: limits, house rules, a damaged card, a table that stands still."""

from typing import Final

from schemas import facts, requests
from schemas.codec import Entry
from schemas.events import Fact
from schemas.house_rules import HouseRules
from schemas.limits import impossible
from services.decider.outcome import LateAnswer
from services.decider.refusal import Refusal
from services.shoe.decisions.dealing import call_fits, deal_now
from services.shoe.decisions.drawn import Drawn
from services.shoe.decisions.ending import end_finished_shoe, end_round
from services.shoe.decisions.opening import House, refuse_unknown_rules
from services.shoe.decisions.refusing import refuse_running
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import Outcome
from services.shoe.table.state import State

# Article 19: decks, dealing, cut, burn and last round change only with a new shoe.
FIELDS_OF_A_SHOE: Final = (
    "decks",
    "dealing",
    "cut_card_depth",
    "rounds_after_cut_card",
    "cut_card_first_counts",
    "burn",
    "burn_fixed",
    "burn_includes_indicator",
    "burn_face_value",
    "burn_each_round",
)


def set_limits(state: State, request: requests.LimitsSet) -> list[Outcome] | Refusal:
    """Other limits, from the next round on. A table keeps its currency, because carried stakes are in it."""
    currency = state.limits_in_force.currency
    if request.limits.currency != currency:
        return Refusal("limits_impossible", f"currency is not {currency}, which the table has until it closes")
    if problem := impossible(request.limits, state.rules_in_force):
        return Refusal("limits_impossible", problem)
    return [facts.LimitsChanged(table=state.table, limits=request.limits, limits_version=state.limits_version + 1)]


def change_house_rules(state: State, request: requests.HouseRulesChange, house: House) -> list[Outcome] | Refusal:
    """Other house rules between rounds. What the table is open with must be possible under them."""
    if refusal := refuse_unknown_rules(house, request.house_rules):
        return refusal
    rules, sha256 = house[request.house_rules]
    in_play = state.shoe is not None and not state.shoe.ended
    if in_play and (refusal := refuse_running(state) or _refuse_fields_of_a_shoe(state.rules_in_force, rules)):
        return refusal
    for field, most in (("layouts", rules.layouts), ("seats", rules.seats)):
        if getattr(state, field) > most:
            return Refusal("out_of_range", f"{field}: the table is open with {getattr(state, field)}, allowed: {most}")
    if problem := impossible(state.limits_in_force, rules):
        return Refusal("limits_impossible", f"the limits in force: {problem}")
    return [facts.HouseRulesChanged(table=state.table, house_rules=rules, house_rules_sha256=sha256)]


def _refuse_fields_of_a_shoe(before: HouseRules, after: HouseRules) -> Refusal | None:
    for field in FIELDS_OF_A_SHOE:
        now, then = getattr(before, field), getattr(after, field)
        if now != then:
            return Refusal("out_of_range", f"{field}: is {then!r}, allowed: {now!r} until the shoe has ended")
    return None


def report_damage(state: State, request: requests.DamageReport) -> list[Outcome] | Refusal:
    """A card is damaged. The round in play stands, and the shoe ends after it (article 3)."""
    shoe = state.shoe_in_play
    most = shoe.next_ordinal - 1 + state.cards_left
    if request.card_number is not None and not 1 <= request.card_number <= most:
        return Refusal("out_of_range", f"card_number: allowed are 1 to {most}")
    damaged = facts.CardDamaged(
        table=state.table,
        shoe_number=shoe.number,
        card_number=request.card_number,
        last_round=shoe.round_number,
    )
    return [damaged, *(end_finished_shoe(evolve(state, damaged)) if shoe.idle else [])]


def hold(state: State, request: requests.TableHold) -> list[Outcome]:
    """The table stands still. Cards stay due, and what rules decide waits."""
    return [facts.TableHeld(table=state.table, reason=request.reason)]


def release(state: State, entry: Entry, drawn: Drawn) -> list[Outcome] | Refusal:
    """The table goes on where it stood."""
    if not state.held:
        return Refusal("table_not_held", "the table does not stand still")
    released = facts.TableReleased(table=state.table)
    return [released, *_go_on(evolve(state, released), state.decided_while_held, entry.place, drawn)]


def resume(state: State, drawn: Drawn) -> list[Outcome]:
    """What waited for the key of a round goes on when the key is there. Facts answer the entry they follow from."""
    shoe = state.shoe
    if state.held or drawn.key is None or shoe is None or shoe.ended or shoe.between_rounds:
        return []
    place = state.round_in_play.waits_at
    if not place:
        return []
    outcomes = _go_on(state, state.decided_while_held, place, drawn)
    return [LateAnswer(outcome, place) if isinstance(outcome, Fact) else outcome for outcome in outcomes]


def _go_on(
    state: State, decided: facts.RoundDecided | None, place: str, drawn: Drawn
) -> list[Outcome] | list[facts.ShoeEnded]:
    """What waited: the end of the shoe, the end of the round, or cards that are due."""
    shoe = state.shoe
    if shoe is None or shoe.ended:
        return []
    if shoe.idle:
        return end_finished_shoe(state)
    if shoe.between_rounds:
        return []
    if decided is not None and call_fits(state, decided):
        return end_round(state, decided, place, drawn)
    played = state.round_in_play
    return deal_now(state, place, played.due, drawn) if played.phase == "dealing" else []
