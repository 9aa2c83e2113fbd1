"""How one table's books change with each fact and note. Nothing is checked here: a fact has happened."""

from typing import Final, assert_never

from msgspec.structs import replace

from schemas.facts import (
    BetAccepted,
    BetCancelled,
    BetChanged,
    BetRejected,
    BetsSettled,
    BettingClosed,
    CardCorrected,
    CardDamaged,
    CardDealt,
    CardFoundFaceUp,
    CardOpened,
    CardsFact,
    CutCardReached,
    HolderPassed,
    HouseRulesChanged,
    LimitsChanged,
    MisdealDetected,
    RequestRefused,
    RequestRepeated,
    RoundEnded,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    ScanMissed,
    SeatLeft,
    SeatTaken,
    SettlementAdjusted,
    ShoeEnded,
    ShoeStarted,
    ShoeSuspect,
    StakeReduced,
    StakeReturned,
    TableClosed,
    TableHeld,
    TableOpened,
    TableReleased,
)
from schemas.limits import Limits
from services.settlement.books.layout import Layout
from services.settlement.books.notes import ConsoleAnswered, Outcome, WagerAnswered
from services.settlement.books.stakes import EndedStake, Stake, changed, reduced
from services.settlement.books.state import Round, Seat, SettledRound, State, Sums, generation_of
from services.settlement.books.terms import Terms, make_terms

CONSOLE_SLOTS: Final = 256  # console requests that a table remembers


def evolve(state: State, event: CardsFact | Outcome) -> State:
    """The state after a fact of the shoe, a fact of settlement, or a note."""
    match event:
        case BetAccepted():
            return _with_accepted(state, event)
        case BetChanged():
            return _with_changed(state, event)
        case BetCancelled():
            return _with_cancelled(state, event)
        case WagerAnswered(seen):
            # Each wager has a slot of its own: no later wager of its round may take it.
            return replace(state, wagers_seen=state.wagers_seen + 1, seen=state.seen.with_item(seen.place, seen))
        case ConsoleAnswered(seen):
            known = state.seen_on_console.with_answered(seen, state.console_seen, CONSOLE_SLOTS)
            return replace(state, console_seen=state.console_seen + 1, seen_on_console=known)
        case SeatTaken():
            return replace(state, seats=state.seats.with_item(str(event.seat), Seat(event.bettor_id)))
        case SeatLeft():
            return replace(state, seats=state.seats.with_changes({str(event.seat): None}))
        case StakeReduced() | StakeReturned():
            if state.round.phase == "open":
                return _with_cut(state, event)
            return _with_returned(state, event)
        case BettingClosed():
            free_rounds = 0 if event.stakes else state.free_rounds + 1
            return replace(state, round=replace(state.round, phase="books_closed"), free_rounds=free_rounds)
        case BetsSettled():
            return _with_settled_bets(state, event)
        case RoundSettled():
            return _with_revision(state, event) if event.revision else _with_settled_round(state, event)
        case SettlementAdjusted():
            return _with_adjusted(state, event)
        case TableOpened():
            opened = replace(state, is_open=True, free_rounds=0, seats_offered=event.seats)
            return _with_terms(_with_next_limits(opened, {}), make_terms(event.house_rules, event.limits))
        case TableClosed():
            return replace(state, is_open=False)
        case TableHeld():
            return replace(state, held=True)
        case TableReleased():
            return replace(state, held=False)
        case HouseRulesChanged():
            return _with_terms(state, make_terms(event.house_rules, state.terms.in_force.limits))
        case LimitsChanged():
            return _with_next_limits(state, {str(event.limits_version): event.limits})
        case ShoeStarted():
            return replace(state, round=Round(event.shoe_number))
        case RoundOpened():
            return _with_open_round(state, event)
        case BetRejected() | RequestRefused() | RequestRepeated():
            return state
        case CardDealt() | CardOpened() | CardCorrected() | CardFoundFaceUp() | CardDamaged() | CutCardReached():
            return state
        case ScanMissed() | MisdealDetected() | HolderPassed() | ShoeEnded() | ShoeSuspect():
            return state
        case RoundEnded() | RoundVoided():  # the books change with the facts that answer it
            return state
    assert_never(event)


# --- wagers ---


def _with_accepted(state: State, fact: BetAccepted) -> State:
    stake = Stake(
        bettor_id=fact.bettor_id,
        bet=fact.bet,
        amount_minor=fact.amount_minor,
        order=state.wagers_taken,
        seat=fact.seat,
        accepted_in=state.generation,
    )
    return _with_wager_taken(state, state.layout.with_item(fact.bet_id, stake), added_minor=fact.amount_minor)


def _with_changed(state: State, fact: BetChanged) -> State:
    stake = state.layout[fact.bet_id]
    other = changed(stake, bet=fact.bet, amount_minor=fact.amount_minor, order=state.wagers_taken)
    layout = state.layout.with_item(fact.bet_id, replace(other, revision=fact.revision))
    return _with_wager_taken(state, layout, added_minor=fact.amount_minor - fact.before_minor)


def _with_cancelled(state: State, fact: BetCancelled) -> State:
    stake = replace(state.layout[fact.bet_id], revision=fact.revision)
    ended = _with_ended(state, fact.bet_id, EndedStake(reduced(stake, 0), state.generation))
    return _with_wager_taken(ended, ended.layout, added_minor=-fact.before_minor)


def _with_wager_taken(state: State, layout: Layout, *, added_minor: int) -> State:
    """What a wager adds goes into `placed_minor`, and what it takes off into `handed_back_minor`."""
    sums = state.sums
    if added_minor > 0:
        sums = replace(sums, placed_minor=sums.placed_minor + added_minor)
    elif added_minor < 0:
        sums = replace(sums, handed_back_minor=sums.handed_back_minor - added_minor)
    return replace(state, layout=layout, wagers_taken=state.wagers_taken + 1, sums=sums)


def _with_ended(state: State, bet_id: str, ended: EndedStake) -> State:
    return replace(state, layout=state.layout.without(bet_id), settled=state.settled.with_item(bet_id, ended))


# --- what is handed back ---


def _with_cut(state: State, fact: StakeReduced | StakeReturned) -> State:
    """A cut when betting closes is in the round's books, as money that was handed back."""
    handed_back_minor = state.sums.handed_back_minor + fact.before_minor - fact.after_minor
    cut = replace(state, sums=replace(state.sums, handed_back_minor=handed_back_minor))
    stake = reduced(state.layout[fact.bet_id], fact.after_minor)
    if stake.amount_minor:
        return replace(cut, layout=cut.layout.with_item(fact.bet_id, stake))
    return _with_ended(cut, fact.bet_id, EndedStake(stake, state.generation))


def _with_returned(state: State, fact: StakeReduced | StakeReturned) -> State:
    """A stake that is returned between rounds is in no round's books. It ended in the round that carried it."""
    sums = replace(state.sums, carried_in_minor=state.sums.carried_in_minor - fact.before_minor)
    ended = EndedStake(state.layout[fact.bet_id], state.generation - 1)
    return _with_ended(replace(state, sums=sums), fact.bet_id, ended)


# --- settled rounds ---


def _with_settled_bets(state: State, fact: BetsSettled) -> State:
    """Each stake ends in this round, or it stays on the layout for the next one.

    A correction may change this: a stake that had ended lies on the layout again, or a carried one has ended.
    """
    generation = generation_of(state, fact) if fact.revision else state.generation
    assert generation is not None, "a demonstration round settles no bets"
    layout: dict[str, Stake | None] = {}
    settled: dict[str, EndedStake | None] = {}
    for bet in fact.bets:
        in_play = state.layout.get(bet.bet_id)
        if bet.carried:
            stake = in_play or state.settled[bet.bet_id].stake
            if in_play is None:
                settled[bet.bet_id] = None
            if in_play is None or stake.carried_minor != stake.amount_minor:
                layout[bet.bet_id] = replace(stake, carried_minor=stake.amount_minor)
        elif in_play is not None:
            layout[bet.bet_id] = None
            settled[bet.bet_id] = EndedStake(in_play, generation)
    return replace(state, layout=state.layout.with_changes(layout), settled=state.settled.with_changes(settled))


def _with_settled_round(state: State, fact: RoundSettled) -> State:
    """The round is over. Rounds that cannot be corrected any more are forgotten, with their stakes and terms."""
    over = replace(state, round=replace(state.round, phase="settled"), wagers_seen=0)
    if state.round.demonstration:
        return over
    present = state.generation
    oldest = present + 1 - max(state.terms.in_force.house_rules.correctable_rounds, 1)
    rounds: dict[str, SettledRound | None] = {key: None for key in state.settled_rounds if int(key) < oldest}
    rounds[str(present)] = SettledRound(fact.shoe_number, fact.round_number, state.sums, fact.carried_out_minor)
    return replace(
        over,
        generation=present + 1,
        carried_by=(fact.shoe_number, fact.round_number),
        sums=Sums(carried_in_minor=fact.carried_out_minor),
        settled_rounds=state.settled_rounds.with_changes(rounds),
        terms=state.terms.since(oldest),
        settled=state.settled.with_changes(
            {bet_id: None for bet_id, stake in state.settled.items() if stake.ended_in < oldest}
        ),
        seen=state.seen.since(present),
    )


def _with_revision(state: State, fact: RoundSettled) -> State:
    """The books of a settled round are restated. Of other rounds only what the next one finds carried in may change."""
    generation = generation_of(state, fact)
    if generation is None:  # a demonstration round has no books
        return state
    before = state.settled_rounds[str(generation)]
    corrected = replace(before, revision=fact.revision, carried_out_minor=fact.carried_out_minor)
    settled_rounds = state.settled_rounds.with_item(str(generation), corrected)
    if fact.carried_out_minor == before.carried_out_minor:
        return replace(state, settled_rounds=settled_rounds)
    carried_in_minor = state.layout.sum_minor
    sums = replace(state.sums, carried_in_minor=carried_in_minor)
    return replace(state, settled_rounds=settled_rounds, sums=sums)


def _with_adjusted(state: State, fact: SettlementAdjusted) -> State:
    """A stake that a tie carried lies on the layout, although its round is settled."""
    if stake := state.layout.get(fact.bet_id):
        adjusted = replace(stake, adjusted_minor=stake.adjusted_minor + fact.amount_minor)
        return replace(state, layout=state.layout.with_item(fact.bet_id, adjusted))
    ended = state.settled[fact.bet_id]
    adjusted = replace(ended.stake, adjusted_minor=ended.stake.adjusted_minor + fact.amount_minor)
    return replace(state, settled=state.settled.with_item(fact.bet_id, replace(ended, stake=adjusted)))


# --- terms ---


def _with_open_round(state: State, fact: RoundOpened) -> State:
    """The round names the version of its limits. If these were set since the last round, they come into force now."""
    present = Round(fact.shoe_number, fact.round_number, "open", demonstration=fact.demonstration)
    opened = replace(state, round=present)
    limits = state.next_limits.get(str(fact.limits_version))
    if limits is None:
        return opened
    return _with_terms(_with_next_limits(opened, {}), make_terms(state.terms.in_force.house_rules, limits))


def _with_terms(state: State, terms: Terms) -> State:
    """Other terms are in force. Rounds that are settled already keep the terms they were played under."""
    replaced_in = state.generation if state.settled_rounds else None
    return replace(state, terms=state.terms.with_in_force(terms, replaced_in=replaced_in))


def _with_next_limits(state: State, limits: dict[str, Limits]) -> State:
    """These limits wait for the next round, and no others."""
    return replace(state, next_limits=state.next_limits.with_changes({**dict.fromkeys(state.next_limits), **limits}))
