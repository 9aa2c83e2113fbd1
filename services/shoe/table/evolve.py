"""How facts and notes change a table's state. No checks: what `decide` said has happened."""

from msgspec.structs import replace

from schemas import facts
from schemas.cards import full_composition, without
from schemas.events import RoundFact
from services.shoe.table import notes
from services.shoe.table.rounds import evolve_round
from services.shoe.table.state import IDENTITIES_KEPT, IN_FORCE, UNSEEN, Shoe, State, Terms


def evolve(state: State, event: object) -> State:
    """The state behind this fact or note. Facts of the sister services change nothing by themselves."""
    match event:
        case RoundFact():
            return evolve_round(state, event)
        case notes.RequestAnswered(seen):
            memory = state.memory.with_answered(seen, state.requests, IDENTITIES_KEPT)
            return replace(state, memory=memory, requests=state.requests + 1)
        case facts.TableOpened():
            return replace(
                state,
                terms=state.terms.with_item(IN_FORCE, Terms(event.house_rules, event.limits)),
                limits_version=event.limits_version,
                layouts=event.layouts,
                seats=event.seats,
                unseen=full_composition(event.house_rules.decks),
            )
        case facts.TableClosed():
            return replace(state, terms=state.terms.with_changes({IN_FORCE: None}), unseen=())
        case facts.ShoeStarted():
            unseen = without(state.unseen, event.burn_card) if event.burn_card else state.unseen
            return replace(state, unseen=unseen, shoe=_started(event))
        case facts.ShoeEnded():
            shoe = replace(state.shoe_in_play, ended=True, faces="")
            past = state.past.with_changes(dict.fromkeys(state.past))
            return replace(state, unseen=full_composition(state.rules_in_force.decks), shoe=shoe, past=past)
        case facts.RequestRefused() | facts.RequestRepeated():
            return state
        case notes.CutCardNoted(ordinal):
            return replace(state, shoe=replace(state.shoe_in_play, cut_card=ordinal))
        case _:
            return _evolve_change(state, event)


def _evolve_change(state: State, event: object) -> State:
    """What is changed at an open table beside its rounds."""
    match event:
        case facts.LimitsChanged():
            terms = Terms(state.rules_in_force, event.limits)
            return replace(state, terms=state.terms.with_item(IN_FORCE, terms), limits_version=event.limits_version)
        case facts.HouseRulesChanged():
            in_play = state.shoe is not None and not state.shoe.ended
            unseen = state.unseen if in_play else full_composition(event.house_rules.decks)
            # Stakes that were carried out have been returned.
            shoe = replace(state.shoe, carried_until=state.shoe.round_number + 1) if state.shoe else None
            terms = Terms(event.house_rules, state.limits_in_force)
            return replace(state, terms=state.terms.with_item(IN_FORCE, terms), unseen=unseen, shoe=shoe)
        case facts.CardDamaged():
            return replace(state, shoe=replace(state.shoe_in_play, damaged=True))
        case facts.ShoeSuspect():
            shoe = state.shoe_in_play
            return replace(state, shoe=replace(shoe, suspected=(*shoe.suspected, event.pattern)))
        case facts.TableHeld():
            return replace(state, held=True)
        case facts.TableReleased():
            return replace(state, held=False, decided=None)
        case notes.DecisionWaits(decided):
            return replace(state, decided=decided)
        case _:
            return evolve_round(state, event)


def _started(event: facts.ShoeStarted) -> Shoe:
    """A virtual cut card lies at its depth; a physical one is known when it comes out."""
    virtual = event.kind == "virtual"
    seen = 0 if event.burn_card is None else 1
    return Shoe(
        number=event.shoe_number,
        kind=event.kind,
        next_ordinal=event.burned + 1,
        cut_card=52 * event.decks - event.cut_card_depth + 1 if virtual and event.cut_card_depth else None,
        burned_seen=seen,
        burned_unseen=event.burned - seen,
        faces="" if virtual else UNSEEN * event.burned,
    )
