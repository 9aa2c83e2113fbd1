"""Settlement: what became of every bet. Answers wagers and `betting.close`, pays on the shoe's end of a round.

    round   round.opened ─► open ─betting.closed─► closed ─round.ended─► settled ─► the next round.opened
                             └──────────────── round.voided ──────────────▲
    stake   bet.accepted ─► on the layout ─bets.settled─► ended: won, lost, push, returned
                             │ ▲ bet.changed    └─ carried: on the layout of the next round
                             └─┴─ bet.cancelled, stake.returned ─► ended

A request's identity and a stake's bet_id stay known until one more betting round is settled.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import (
    BetAccepted,
    BetCancelled,
    BetChanged,
    BetsSettled,
    BettingClosed,
    RequestRefused,
    RequestRepeated,
    RoundEnded,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    ShoeStarted,
    StakeReturned,
    TableClosed,
    TableOpened,
)
from schemas.requests import BetCancel, BetChange, BetPlace, BettingClose, NotBuiltYet
from services.settlement.records import Seen, Stake, Terms
from services.settlement.rounds import Refusal, Round, refusal_of_round
from services.settlement.settling import Sums, closing_facts, returned_bets, returned_stakes, settled_bets
from services.settlement.wagers import Wager, answer, rejected, totals_by_bet

IDENTITIES_PER_STAKE: Final = 4  # wagers that a table remembers in a round, for each stake it may have
CONSOLE_IDENTITIES: Final = 256
_NEVER_OPENED: Final = Refusal("unknown_table", "the table was never opened")
_IN_FORCE: Final = "in_force"  # the one key of `terms`, which are a record of their own to keep the head small


class State(Struct, frozen=True, omit_defaults=True):
    """One table's books. `generation` counts settled betting rounds, `carried_by` is the last of them."""

    table: str
    is_open: bool = False
    round: Round = Round()
    generation: int = 0
    carried_by: tuple[int, int] = (0, 0)
    free_rounds: int = 0
    sums: Sums = Sums()
    stakes_accepted: int = 0
    wagers_seen: int = 0
    console_seen: int = 0
    terms: dict[str, Terms] = {}
    stakes: dict[str, Stake] = {}
    seen: dict[str, Seen] = {}
    seen_on_console: dict[str, Seen] = {}


class WagerSeen(Struct, frozen=True):
    """A wager is answered in this step and must not be answered so again."""

    identity: str
    seen: Seen


class ConsoleSeen(Struct, frozen=True):
    """The same of a console request."""

    identity: str
    seen: Seen


def decide(state: State, entry: Entry) -> list[object]:
    """What this entry brings about; a sister's fact is evolved before."""
    match entry.event:
        case BetPlace() | BetChange() | BetCancel() as wager:
            return _answer_wager(state, entry, wager)
        case BettingClose() | NotBuiltYet() as request:
            return _answer_console(state, entry, request)
        case RoundEnded() | RoundVoided() as end:
            return [*_settle(state, end)]
        case TableClosed():
            return [*returned_stakes(state.table, state.carried_by, on_layout(state))]
        case _:  # the other facts of the shoe ask nothing of the books
            return []


def evolve(state: State, event: object) -> State:
    """The state after a fact of the shoe, a fact of ours, or a note of ours."""
    match event:
        case BetAccepted() | BetChanged() | BetCancelled():
            return _take_wager(state, event)
        case WagerSeen(identity, seen):
            return replace(state, wagers_seen=state.wagers_seen + 1, seen={**state.seen, identity: seen})
        case ConsoleSeen(identity, seen):
            oldest = seen.kept_since - CONSOLE_IDENTITIES
            kept = {name: known for name, known in state.seen_on_console.items() if known.kept_since > oldest}
            return replace(state, console_seen=seen.kept_since, seen_on_console={**kept, identity: seen})
        case BettingClosed():
            free_rounds = 0 if event.stakes else state.free_rounds + 1
            return replace(state, round=replace(state.round, phase="closed"), free_rounds=free_rounds)
        case BetsSettled():
            return _carry(state, event)
        case RoundSettled():
            return _next_generation(state, event)
        case StakeReturned():
            return _take_off_layout(state, event)
        case TableOpened():
            return replace(
                state, is_open=True, free_rounds=0, terms={_IN_FORCE: Terms(event.house_rules, event.limits)}
            )
        case TableClosed():
            return replace(state, is_open=False)
        case ShoeStarted():
            return replace(state, round=Round(event.shoe_number))
        case RoundOpened():
            return replace(
                state, round=Round(event.shoe_number, event.round_number, "open", demonstration=event.demonstration)
            )
        case _:  # cards, and answers that changed nothing
            return state


def on_layout(state: State) -> dict[str, Stake]:
    """The stakes that the present round will settle, in the order they were accepted, carried ones first."""
    return dict(sorted(_live(state).items(), key=lambda item: item[1].order))


def _live(state: State) -> dict[str, Stake]:
    """The same in no order: what a wager is held against, and there are many of them."""
    present = state.generation
    return {name: stake for name, stake in state.stakes.items() if stake.generation == present and stake.amount_minor}


# --- requests ------------------------------------------------------------------------------------------------------


def _answer_wager(state: State, entry: Entry, wager: Wager) -> list[object]:
    """Identity first: a repeat is told so whatever has happened since. A table never opened remembers nobody."""
    if not state.terms:
        return [rejected(wager, _NEVER_OPENED)]
    identity = entry.identity
    if first := state.seen.get(identity):
        copy = _answer_to_copy(entry, first)
        return [rejected(wager, copy) if isinstance(copy, Refusal) else copy]
    terms = state.terms[_IN_FORCE]
    identities_max = IDENTITIES_PER_STAKE * terms.limits.max_stakes
    if state.wagers_seen >= identities_max:
        return [rejected(wager, Refusal("round_full", f"at most {identities_max} wagers a round"))]
    if isinstance(wager, BetPlace) and wager.bet_id in state.stakes:
        outcome: Fact | Refusal = Refusal("id_reused", "this bet_id is another stake's")
    else:
        outcome = _refusal_of_books(state, wager) or answer(wager, terms, _live(state))
    return [
        WagerSeen(identity, Seen(entry.digest, entry.place, state.generation)),
        rejected(wager, outcome) if isinstance(outcome, Refusal) else outcome,
    ]


def _answer_console(state: State, entry: Entry, request: BettingClose | NotBuiltYet) -> list[object]:
    if not state.terms:
        return [_refused(entry, _NEVER_OPENED)]
    identity = entry.identity
    if first := state.seen_on_console.get(identity):
        copy = _answer_to_copy(entry, first)
        return [_refused(entry, copy) if isinstance(copy, Refusal) else copy]
    if isinstance(request, NotBuiltYet):
        outcome: Fact | Refusal = Refusal("not_supported", "not built yet")
    else:
        outcome = _refusal_of_books(state, request) or _close_betting(state, request)
    return [
        ConsoleSeen(identity, Seen(entry.digest, entry.place, state.console_seen + 1)),
        _refused(entry, outcome) if isinstance(outcome, Refusal) else outcome,
    ]


def _answer_to_copy(entry: Entry, first: Seen) -> RequestRepeated | Refusal:
    if first.digest != entry.digest:
        return Refusal("id_reused", f"this identity's first request is {first.place}")
    return RequestRepeated(table=entry.event.table, request_id=entry.id, request_type=entry.type, first=first.place)


def _refusal_of_books(state: State, request: Wager | BettingClose) -> Refusal | None:
    if not state.is_open:
        return Refusal("table_not_open", "the table is closed")
    return refusal_of_round(state.round, request.shoe_number, request.round_number)


def _close_betting(state: State, request: BettingClose) -> BettingClosed | Refusal:
    """Free rounds (dealt with empty books) are allowed so many in a row; carried stakes make a round none."""
    stakes = on_layout(state).values()
    free_rounds_max = state.terms[_IN_FORCE].house_rules.free_rounds
    if not stakes and free_rounds_max is not None and state.free_rounds >= free_rounds_max:
        return Refusal("no_stake", f"at most {free_rounds_max} free rounds in a row")
    return BettingClosed(
        table=request.table,
        shoe_number=request.shoe_number,
        round_number=request.round_number,
        stakes=len(stakes),
        totals=dict(totals_by_bet(stakes)),
        player_holder=None,
        banker_holder=None,
    )


def _refused(entry: Entry, refusal: Refusal) -> RequestRefused:
    return RequestRefused(
        table=entry.event.table,
        request_id=entry.id,
        request_type=entry.type,
        reason=refusal.reason,
        detail=refusal.detail,
    )


# --- what the shoe ends --------------------------------------------------------------------------------------------


def _settle(state: State, end: RoundEnded | RoundVoided) -> list[Fact]:
    """A demonstration round has no books: its sums are zero, and carried stakes pass over it (article 2)."""
    assert end.revision == 0, "no correction is built yet"
    assert (end.shoe_number, end.round_number) == (state.round.shoe_number, state.round.round_number)
    assert state.round.phase != "settled", "a round is settled once"
    if state.round.demonstration:
        return closing_facts(end, [], Sums())
    stakes = on_layout(state)
    if isinstance(end, RoundVoided):
        return closing_facts(end, returned_bets(stakes), state.sums)
    assert state.round.phase == "closed", "no card of a betting round before its books are closed"
    return closing_facts(end, settled_bets(end, stakes, state.terms[_IN_FORCE]), state.sums)


# --- how the books change ------------------------------------------------------------------------------------------


def _take_wager(state: State, fact: BetAccepted | BetChanged | BetCancelled) -> State:
    """What is added counts as placed, what is taken off as handed back."""
    known = state.stakes.get(fact.bet_id)
    before_minor = 0 if isinstance(fact, BetAccepted) else fact.before_minor
    added_minor = fact.amount_minor - before_minor
    stake = Stake(
        bettor_id=fact.bettor_id,
        bet=fact.bet,
        amount_minor=fact.amount_minor,
        order=known.order if known else state.stakes_accepted,
        generation=state.generation,
        revision=fact.revision,
        seat=fact.seat,
    )
    return replace(
        state,
        stakes={**state.stakes, fact.bet_id: stake},
        stakes_accepted=state.stakes_accepted + (known is None),
        sums=replace(
            state.sums,
            placed_minor=state.sums.placed_minor + max(added_minor, 0),
            handed_back_minor=state.sums.handed_back_minor + max(-added_minor, 0),
        ),
    )


def _carry(state: State, fact: BetsSettled) -> State:
    """Carried stakes go on to the next generation; `round.settled` of the same step makes it the present one."""
    carried = {
        bet.bet_id: replace(state.stakes[bet.bet_id], carried=True, generation=state.generation + 1)
        for bet in fact.bets
        if bet.carried
    }
    return replace(state, stakes={**state.stakes, **carried}) if carried else state


def _next_generation(state: State, fact: RoundSettled) -> State:
    settled = replace(state, round=replace(state.round, phase="settled"), wagers_seen=0)
    if state.round.demonstration:
        return settled
    oldest = state.generation
    return replace(
        settled,
        generation=state.generation + 1,
        carried_by=(fact.shoe_number, fact.round_number),
        sums=Sums(carried_in_minor=fact.carried_out_minor),
        stakes={bet_id: stake for bet_id, stake in state.stakes.items() if stake.generation >= oldest},
        seen={identity: seen for identity, seen in state.seen.items() if seen.kept_since >= oldest},
    )


def _take_off_layout(state: State, fact: StakeReturned) -> State:
    """Outside any round's books: what it hands back is no longer carried in."""
    stake = replace(state.stakes[fact.bet_id], amount_minor=0)
    sums = replace(state.sums, carried_in_minor=state.sums.carried_in_minor - fact.before_minor)
    return replace(state, stakes={**state.stakes, fact.bet_id: stake}, sums=sums)
