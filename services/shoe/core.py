"""The shoe: one table's cards, rounds and shoes. Pure: drawn cards and the house's rule sets come in as arguments.

    wanted(state, entry) ──► the wiring asks the keys ──► decide(state, entry, what they give, house)

    table    closed ──table.open──► open ──table.close──► closed         (between rounds; ends the shoe too)
    shoe     none ──shoe.load──► in play ──cut card, damaged card, too few cards, shoe.end──► ended  (between rounds)
    round    betting ──► dealing ◄──► calling ──► over ──► settled       (the whole of it: table/phases.py)

A held table stands still from `table.hold` to `table.release`. A virtual shoe deals at once the cards that are due. The
cards of a physical shoe wait until they are due, or are due until they come. `table/` is what is known of a table,
`decisions/` what follows from an entry.
"""

from schemas import facts, requests
from schemas.codec import Entry
from schemas.events import Request
from services.decider.memory import Seen, repeated
from services.decider.refusal import Refusal, refused
from services.shoe.decisions import changing, correcting, dealing, ending, holding, opening, scanning, voiding
from services.shoe.decisions.changing import resume
from services.shoe.decisions.drawn import Drawn, Wanted
from services.shoe.decisions.opening import House
from services.shoe.decisions.refusing import refuse
from services.shoe.decisions.wanting import wanted, what_waits
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import DecisionWaits, Outcome, RequestAnswered
from services.shoe.table.state import State

__all__ = ["Drawn", "House", "Outcome", "State", "Wanted", "decide", "evolve", "resume", "wanted", "what_waits"]


def decide(state: State, entry: Entry, drawn: Drawn, house: House) -> list[Outcome]:
    """What follows from an entry. `drawn` is what the keys give for `wanted(state, entry)`."""
    match entry.event:
        case facts.BettingClosed() as closed:
            return dealing.close_books(state, entry, closed, drawn)
        case facts.DrawCalled() as call if dealing.call_fits(state, call):
            if state.shoe_in_play.correcting:
                return correcting.draw(state, entry, call)
            return dealing.deal_due(state, entry, (call.side,), drawn)
        case facts.RoundDecided() as decided if dealing.call_fits(state, decided):
            if state.held and not state.shoe_in_play.correcting:
                return [DecisionWaits(decided)]
            return ending.end_round(state, decided, entry.place, drawn)
        case facts.RoundSettled() as settled:
            return ending.settle(state, settled)
        case requests.CardScan() | requests.CutCardScan() as scan:
            return _told(entry, refuse(state, scan) or scanning.answer_scan(state, entry, scan))
        case Request() as request:
            return _answer_once(state, entry, request, drawn, house)
        case _:  # stakes and seats, and calls that came too late
            return []


def _answer_once(state: State, entry: Entry, request: Request, drawn: Drawn, house: House) -> list[Outcome]:
    """A request that the table remembers is only told so. A table that was never opened remembers none."""
    if first := state.memory.first_copy(entry):
        reused = Refusal("id_reused", f"{first.place} has this source and id and says something else")
        return [repeated(entry, first) or refused(entry, reused)]
    answer = refuse(state, request) or _answer_console(state, entry, request, drawn, house)
    if isinstance(answer, Refusal) and not state.limits_version:
        return [refused(entry, answer)]
    return [*_told(entry, answer), RequestAnswered(Seen(entry.identity, entry.digest, entry.place))]


def _told(entry: Entry, answer: list[Outcome] | Refusal) -> list[Outcome]:
    return [refused(entry, answer)] if isinstance(answer, Refusal) else answer


def _answer_console(
    state: State, entry: Entry, request: Request, drawn: Drawn, house: House
) -> list[Outcome] | Refusal:
    match request:
        case requests.TableOpen():
            return opening.open_table(state, request, house)
        case requests.ShoeLoad():
            return opening.load_shoe(state, request, drawn)
        case requests.RoundOpen():
            return opening.open_round(state, entry, request, drawn)
        case requests.RoundVoid():
            return voiding.void_round(state, request, drawn)
        case requests.KeyLost():
            return voiding.lose_key(state, request, drawn)
        case requests.CardCorrect():
            return correcting.correct(state, request)
        case requests.CardOpen():
            return holding.open_card(state, request, drawn)
        case requests.HolderPass():
            return holding.pass_cards(state, request)
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
        case requests.ShoeEnd():
            return ending.end_shoe(state, request)
        case requests.TableClose():
            return ending.close_table(state)
        case _:
            raise AssertionError(f"{request.type} is answered by settlement")
