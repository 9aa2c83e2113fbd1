"""How one table's books change with each fact and note. There are no checks here: what was decided has happened."""

from typing import Final

from msgspec.structs import replace

from schemas.facts import (
    BetAccepted,
    BetCancelled,
    BetChanged,
    BetsSettled,
    BettingClosed,
    HouseRulesChanged,
    LimitsChanged,
    RoundOpened,
    RoundSettled,
    SeatLeft,
    SeatTaken,
    SettlementAdjusted,
    ShoeStarted,
    StakeReduced,
    StakeReturned,
    TableClosed,
    TableHeld,
    TableOpened,
    TableReleased,
)
from services.settlement.books.notes import ConsoleAnswered, WagerAnswered
from services.settlement.books.stakes import Stake, changed, reduced
from services.settlement.books.state import (
    Round,
    Seat,
    SettledRound,
    State,
    Sums,
    generation_of,
    live,
    terms_in_force,
)
from services.settlement.books.terms import IN_FORCE, Terms, make_terms

CONSOLE_IDENTITIES: Final = 256


def evolve(state: State, event: object) -> State:
    """The state after a fact of the shoe, a fact of ours, or a note of ours."""
    match event:
        case BetAccepted() | BetChanged() | BetCancelled():
            return _take_wager(state, event)
        case WagerAnswered(identity, seen):
            return replace(state, wagers_seen=state.wagers_seen + 1, seen={**state.seen, identity: seen})
        case ConsoleAnswered(identity, seen):
            oldest = seen.kept_since - CONSOLE_IDENTITIES
            kept = {name: known for name, known in state.seen_on_console.items() if known.kept_since > oldest}
            return replace(state, console_seen=seen.kept_since, seen_on_console={**kept, identity: seen})
        case SeatTaken():
            return replace(state, seats={**state.seats, str(event.seat): Seat(event.bettor_id)})
        case SeatLeft():
            return replace(state, seats={seat: who for seat, who in state.seats.items() if seat != str(event.seat)})
        case BettingClosed():
            free_rounds = 0 if event.stakes else state.free_rounds + 1
            return replace(state, round=replace(state.round, phase="books_closed"), free_rounds=free_rounds)
        case BetsSettled():
            return _carry(state, event)
        case RoundSettled():
            return _restate(state, event) if event.revision else _next_generation(state, event)
        case StakeReduced() | StakeReturned():
            return _cut(state, event) if state.round.phase == "open" else _give_back(state, event)
        case SettlementAdjusted():
            stake = state.stakes[event.bet_id]
            adjusted = replace(stake, adjusted_minor=stake.adjusted_minor + event.amount_minor)
            return replace(state, stakes={**state.stakes, event.bet_id: adjusted})
        case _:
            return _follow_shoe(state, event)


def _follow_shoe(state: State, event: object) -> State:
    match event:
        case TableOpened():
            opened = replace(state, is_open=True, free_rounds=0, seats_offered=event.seats, next_limits={})
            return _with_terms(opened, make_terms(event.house_rules, event.limits))
        case TableClosed():
            return replace(state, is_open=False)
        case HouseRulesChanged():
            return _with_terms(state, make_terms(event.house_rules, terms_in_force(state).limits))
        case TableHeld() | TableReleased():
            return replace(state, held=isinstance(event, TableHeld))
        case ShoeStarted():
            return replace(state, round=Round(event.shoe_number))
        case LimitsChanged():
            return replace(state, next_limits={str(event.limits_version): event.limits})
        case RoundOpened():
            return _open_round(state, event)
        case _:  # cards, and answers that changed nothing
            return state


def _open_round(state: State, fact: RoundOpened) -> State:
    """Limits that were set since the round before are in force from this one on, which names their version."""
    present = Round(fact.shoe_number, fact.round_number, "open", demonstration=fact.demonstration)
    opened = replace(state, round=present)
    limits = state.next_limits.get(str(fact.limits_version))
    if limits is None:
        return opened
    return _with_terms(replace(opened, next_limits={}), make_terms(terms_in_force(state).house_rules, limits))


def _with_terms(state: State, terms: Terms) -> State:
    """Other terms are in force; the ones before stay known for the rounds settled under them."""
    before = {str(state.generation): state.terms[IN_FORCE]} if state.settled_rounds else {}
    return replace(state, terms={**before, **state.terms, IN_FORCE: terms})


def _take_wager(state: State, fact: BetAccepted | BetChanged | BetCancelled) -> State:
    """What is added counts as placed, what is taken off as handed back."""
    if isinstance(fact, BetAccepted):
        before_minor = 0
        stake = Stake(
            bettor_id=fact.bettor_id,
            bet=fact.bet,
            amount_minor=fact.amount_minor,
            order=state.wagers_taken,
            generation=state.generation,
            seat=fact.seat,
            accepted_in=state.generation,
        )
    else:
        before_minor = fact.before_minor
        known = state.stakes[fact.bet_id]
        other = changed(known, bet=fact.bet, amount_minor=fact.amount_minor, order=state.wagers_taken)
        stake = replace(other, revision=fact.revision)
    added_minor = fact.amount_minor - before_minor
    return replace(
        state,
        stakes={**state.stakes, fact.bet_id: stake},
        wagers_taken=state.wagers_taken + 1,
        sums=replace(
            state.sums,
            placed_minor=state.sums.placed_minor + max(added_minor, 0),
            handed_back_minor=state.sums.handed_back_minor + max(-added_minor, 0),
        ),
    )


def _carry(state: State, fact: BetsSettled) -> State:
    """Carried stakes go on to the generation behind their round's; a correction may take them back from there."""
    generation = generation_of(state, fact) if fact.revision else state.generation
    assert generation is not None, "a demonstration round settles no bets"
    moved = {}
    for bet in fact.bets:
        stake = state.stakes[bet.bet_id]
        belongs_to = generation + bet.carried
        if stake.generation != belongs_to:
            carried_minor = stake.amount_minor if bet.carried else 0
            moved[bet.bet_id] = replace(stake, generation=belongs_to, carried_minor=carried_minor)
    return replace(state, stakes={**state.stakes, **moved}) if moved else state


def _next_generation(state: State, fact: RoundSettled) -> State:
    """`round.settled` makes the stakes that were carried the present ones; what cannot be corrected any more goes."""
    settled = replace(state, round=replace(state.round, phase="settled"), wagers_seen=0)
    if state.round.demonstration:
        return settled
    present = state.generation
    oldest = present + 1 - max(terms_in_force(state).house_rules.correctable_rounds, 1)
    kept = {key: known for key, known in state.settled_rounds.items() if int(key) >= oldest}
    ended = SettledRound(fact.shoe_number, fact.round_number, state.sums, fact.carried_out_minor)
    return replace(
        settled,
        generation=present + 1,
        carried_by=(fact.shoe_number, fact.round_number),
        sums=Sums(carried_in_minor=fact.carried_out_minor),
        settled_rounds={**kept, str(present): ended},
        terms={key: terms for key, terms in state.terms.items() if key == IN_FORCE or int(key) > oldest},
        stakes={bet_id: stake for bet_id, stake in state.stakes.items() if stake.generation >= oldest},
        seen={identity: seen for identity, seen in state.seen.items() if seen.kept_since >= present},
    )


def _restate(state: State, fact: RoundSettled) -> State:
    """A correction leaves the round in play alone, but for what a next round finds carried in."""
    generation = generation_of(state, fact)
    if generation is None:  # a demonstration round has no books
        return state
    before = state.settled_rounds[str(generation)]
    corrected = replace(before, revision=fact.revision, carried_out_minor=fact.carried_out_minor)
    settled_rounds = {**state.settled_rounds, str(generation): corrected}
    if fact.carried_out_minor == before.carried_out_minor:
        return replace(state, settled_rounds=settled_rounds)
    carried_in_minor = sum([stake.amount_minor for stake in live(state).values()])
    sums = replace(state.sums, carried_in_minor=carried_in_minor)
    return replace(state, settled_rounds=settled_rounds, sums=sums)


def _cut(state: State, fact: StakeReduced | StakeReturned) -> State:
    """When betting closes, within the round's books: what is cut off counts as handed back."""
    stakes = {**state.stakes, fact.bet_id: reduced(state.stakes[fact.bet_id], fact.after_minor)}
    handed_back_minor = state.sums.handed_back_minor + fact.before_minor - fact.after_minor
    return replace(state, stakes=stakes, sums=replace(state.sums, handed_back_minor=handed_back_minor))


def _give_back(state: State, fact: StakeReduced | StakeReturned) -> State:
    """Between rounds, outside any books: it goes back to the round that carried it and is no longer carried in."""
    carried = state.stakes[fact.bet_id]
    stake = replace(carried, generation=carried.generation - 1)
    sums = replace(state.sums, carried_in_minor=state.sums.carried_in_minor - fact.before_minor)
    return replace(state, stakes={**state.stakes, fact.bet_id: stake}, sums=sums)
