"""The shoe: one table's cards, rounds and shoes. Pure: drawn cards and the house's rule sets come in as arguments.

    table    closed ──table.open──► open ──table.close──► closed         (between rounds; ends the shoe too)
    shoe     none ──shoe.load──► in play ──cut card, damaged card, too few cards, shoe.end──► ended  (between rounds)
             held: all stands still from table.hold to table.release
    round    betting ──betting.closed──► dealing ──cards out──► calling ──round.decided──► over
                                            ▲                      │
                                            └─────draw.called──────┘
             over ──round.settled──► settled
             betting, dealing, calling ──cards in no knowable order──► misdealt
             betting, dealing, calling, misdealt ──round.void──► over
             betting, dealing, calling, misdealt ──card.correct──► betting, dealing, calling
             settled ──card.correct──► calling ──round.decided──► over      (correcting.py; no other round is open)
             a demonstration starts dealing; held cards are opened while the round is dealing or calling

A virtual shoe deals what is due at once. A physical one's cards wait until they are due, or are due until they come.
"""

from schemas import facts, requests
from schemas.codec import Entry
from schemas.events import Request
from services.decider.memory import Seen, repeated
from services.decider.refusal import Refusal, refused
from services.shoe.decisions import changing, correcting, dealing, opening, scanning
from services.shoe.decisions.changing import House
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import DecisionWaits, RequestAnswered
from services.shoe.table.state import State

__all__ = ["State", "cards_wanted", "decide", "evolve"]


def decide(state: State, entry: Entry, drawn: tuple[str, ...], house: House) -> list[object]:
    """The facts and notes that follow from an entry; `drawn` are `cards_wanted` cards from `state.unseen`."""
    match entry.event:
        case requests.CardScan() as scan:
            return _facts_of(entry, scanning.answer_card(state, entry, scan))
        case requests.CutCardScan() as scan:
            return _facts_of(entry, scanning.answer_cut_card(state, entry, scan))
        case Request() as request:
            return _decide_console(state, entry, request, drawn, house)
        case facts.BettingClosed() as closed:
            return dealing.close_books(state, entry, closed, drawn)
        case facts.DrawCalled() as call if dealing.call_fits(state, call):
            if state.shoe_in_play.correcting:
                return correcting.draw(state, entry, call)
            return dealing.deal_due(state, entry, (call.side,), drawn)
        case facts.RoundDecided() as decided if dealing.call_fits(state, decided):
            if state.held and not state.shoe_in_play.correcting:
                return [DecisionWaits(decided)]
            return dealing.end_round(state, decided)
        case facts.RoundSettled() as settled:
            return dealing.settle(state, settled)
        case _:
            return []


def cards_wanted(state: State, entry: Entry) -> int:
    """How many cards the shell draws for this entry. No drawn face has a say, so cards left over bias nothing."""
    match entry.event:
        case requests.ShoeLoad(kind="virtual"):
            turned = state.is_open and state.rules_in_force.burn == "first_card"
            return 1 if turned and (state.shoe is None or state.shoe.ended) else 0
        case requests.TableRelease() if state.held:
            return changing.cards_wanted_at_release(state)
        case _ if state.held:
            return 0
        case requests.RoundOpen(demonstration=True):
            return opening.demonstration_cards_wanted(state)
        case facts.BettingClosed() as closed if dealing.books_close_for(state, closed):
            return len(dealing.FIRST_FOUR) if state.shoe_in_play.kind == "virtual" else 0
        case facts.DrawCalled() as call if dealing.call_fits(state, call):
            return 1 if state.shoe_in_play.kind == "virtual" else 0
        case _:
            return 0


def _decide_console(state: State, entry: Entry, request: Request, drawn: tuple[str, ...], house: House) -> list[object]:
    """Each identity is answered once, as far as the table remembers. A table that was never opened remembers nobody."""
    if first := state.memory.first_copy(entry):
        reused = Refusal("id_reused", f"{first.place} has this source and id and says something else")
        return [repeated(entry, first) or refused(entry, reused)]
    answer = opening.answer(state, entry, request, drawn, house)
    if isinstance(answer, Refusal) and not state.limits_version:
        return [refused(entry, answer)]
    return [*_facts_of(entry, answer), RequestAnswered(Seen(entry.identity, entry.digest, entry.place))]


def _facts_of(entry: Entry, answer: list[object] | Refusal) -> list[object]:
    return [refused(entry, answer)] if isinstance(answer, Refusal) else answer
