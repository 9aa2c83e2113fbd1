"""How facts and notes change what is known of a table. Only the phase is checked: what `decide` says has happened."""

from functools import reduce
from typing import Any, assert_never

from msgspec.structs import asdict, replace

from schemas import facts
from schemas.cards import without
from schemas.facts import BetsFact, CallsFact, CardsFact
from services.shoe.table import lifetimes, notes, readings
from services.shoe.table.phases import phase_after
from services.shoe.table.state import FAILED, IDENTITIES_KEPT, UNSEEN, Round, RoundCard, State


def evolve(state: State, event: CardsFact | CallsFact | BetsFact | notes.ShoeNote) -> State:
    """The state after this fact or note. What the sister services say changes nothing by itself."""
    match event:
        case (
            facts.DrawCalled() | facts.RoundDecided() | facts.BetAccepted() | facts.BetChanged() | facts.BetCancelled()
            | facts.BetRejected() | facts.BettingClosed() | facts.StakeReduced() | facts.StakeReturned()
            | facts.BetsSettled() | facts.RoundSettled() | facts.SeatTaken() | facts.SeatLeft()
            | facts.SettlementAdjusted() | facts.RequestRefused() | facts.RequestRepeated() | facts.ScanMissed()
        ):  # fmt: skip
            return state
        case facts.CardDealt():
            return _deal(state, event)
        case notes.CardsDue() | notes.CardsOut() | notes.BettingGoesOn():
            return _go_on(state, event)
        case notes.RequestAnswered():
            return _remember(state, event)
        case notes.CardScanned():
            return _scan(state, event)
        case facts.CardOpened() | facts.CardFoundFaceUp():
            return _show(state, event)
        case notes.RoundKeyed() | notes.SeedFixed() | notes.KeyAwaited() | notes.ClosedFacesKnown():
            return _follow_key(state, event)
        case facts.CardCorrected():
            return _correct(state, event)
        case facts.HolderPassed():
            return _pass(state, event)
        case facts.MisdealDetected():
            return _misdeal(state, event)
        case notes.ReadingsPutRight():
            return readings.put_right(state, event)
        case notes.ShoeGoesOn():
            return readings.go_on(state, event)
        case facts.RoundOpened():
            return lifetimes.open_round(state, event)
        case notes.BooksClosed(holding, seed):
            return _with_round(state, books_closed=True, holding=holding, seed=seed)
        case facts.RoundEnded() | facts.RoundVoided():
            return lifetimes.end_round(state, event)
        case notes.LeftoverCardsKept():
            return lifetimes.keep_leftovers(state, event)
        case notes.BooksSettled():
            return lifetimes.settle_round(state, event)
        case notes.RoundReopened():
            return lifetimes.reopen_round(state, event)
        case facts.ShoeStarted():
            return lifetimes.start_shoe(state, event)
        case notes.CutCardScanned(ordinal):
            return _with_shoe(state, cut_card=ordinal)
        case facts.CutCardReached():
            return _with_shoe(state, last_round=event.last_round)
        case facts.CardDamaged():
            return _with_shoe(state, damaged=True)
        case facts.ShoeSuspect():
            return _with_shoe(state, suspected=(*state.shoe_in_play.suspected, event.pattern))
        case facts.ShoeEnded():
            return lifetimes.end_shoe(state)
        case facts.TableOpened():
            return lifetimes.open_table(state, event)
        case facts.TableClosed():
            return lifetimes.close_table(state)
        case facts.LimitsChanged(limits=limits, limits_version=version):
            return replace(state, limits_version=version).with_terms(state.rules_in_force, limits)
        case facts.HouseRulesChanged():
            return lifetimes.change_rules(state, event)
        case facts.TableHeld() | facts.TableReleased():
            held = isinstance(event, facts.TableHeld)
            return replace(state, held=held, decided_while_held=state.decided_while_held if held else None)
        case notes.DecisionWaits(decided):
            return replace(state, decided_while_held=decided)
    assert_never(event)


def _with_round(state: State, **changes: Any) -> State:
    return state.with_round(replace(state.round_in_play, **changes))


def _with_shoe(state: State, **changes: Any) -> State:
    return replace(state, shoe=replace(state.shoe_in_play, **changes))


def _with_card(played: Round, ordinal: int, **changes: Any) -> tuple[RoundCard, ...]:
    """The cards of the round, with these changes to one of them."""
    return tuple(replace(card, **changes) if card.ordinal == ordinal else card for card in played.cards)


def _go_on(state: State, note: notes.CardsDue | notes.CardsOut | notes.BettingGoesOn) -> State:
    """The round goes on in its next phase, with the sides that are due there."""
    due = note.sides if isinstance(note, notes.CardsDue) else ()
    return _with_round(state, phase=phase_after(state.round_in_play.phase, note), due=due, waits_at="")


def _deal(state: State, event: facts.CardDealt) -> State:
    """A virtual card leaves the shoe with this fact. A physical one left it when it was scanned."""
    shoe, played, ordinal = state.shoe_in_play, state.round_in_play, event.card_number
    next_ordinal, unseen, shown = shoe.next_ordinal, state.unseen, event.card is not None
    if shoe.kind == "physical":
        cards = _with_card(played, ordinal, side=event.side, position=event.position, told=True, shown=shown, place="")
    else:
        card = RoundCard(ordinal, event.card or UNSEEN, event.side, event.position, told=True, shown=shown)
        next_ordinal, cards = ordinal + 1, (*played.cards, card)
        unseen = without(unseen, event.card) if event.card else unseen
    played = replace(played, due=played.due[1:], cards=cards, card_facts=played.card_facts + 1)
    shoe = replace(shoe, next_ordinal=next_ordinal, dealt=shoe.dealt + 1, round=played)
    return replace(state, shoe=shoe, unseen=unseen)


def _scan(state: State, note: notes.AnyCardScanned) -> State:
    """A physical card is out, and is counted. A stray or left-over card is counted later, if at all."""
    ordinal, face = note.ordinal, note.face
    shoe = state.shoe_in_play.with_face(ordinal, face)
    seen = replace(state, shoe=shoe, unseen=state.unseen if face == FAILED else without(state.unseen, face))
    match note:
        case notes.WaitingCardScanned():
            played = replace(state.round_in_play, cards=_cards_with(state.round_in_play, note))
            return _with_shoe(seen, next_ordinal=max(shoe.next_ordinal, ordinal + 1), round=played)
        case notes.BurnedCardScanned():
            read = face != FAILED
            return _with_shoe(seen, burned_seen=shoe.burned_seen + read, burned_unseen=shoe.burned_unseen - read)
        case notes.SurplusCardScanned():
            surplus = shoe.surplus + ordinal + 1 - shoe.next_ordinal
            return _with_shoe(seen, surplus=surplus, next_ordinal=ordinal + 1)
        case notes.StrayCardScanned() | notes.LeftoverCardScanned():
            return seen
    assert_never(note)


def _cards_with(played: Round, note: notes.WaitingCardScanned) -> tuple[RoundCard, ...]:
    """The round's cards with this one, which may replace its own failed scan."""
    waiting = RoundCard(note.ordinal, note.face, face_up=note.face_up, place=note.place)
    if played.cards and note.ordinal <= played.cards[-1].ordinal:
        return tuple(waiting if card.ordinal == note.ordinal else card for card in played.cards)
    return (*played.cards, waiting)


def _show(state: State, event: facts.CardOpened | facts.CardFoundFaceUp) -> State:
    """One more fact tells of the round's cards. A card that is opened is shown to everybody."""
    played = state.round_in_play
    cards, unseen = played.cards, state.unseen
    if isinstance(event, facts.CardOpened):
        cards = _with_card(played, event.card_number, face=event.card, shown=True)
        # The face of a physical card was read when the card left the shoe.
        unseen = without(unseen, event.card) if state.shoe_in_play.kind == "virtual" else unseen
    return _with_round(replace(state, unseen=unseen), cards=cards, card_facts=played.card_facts + 1)


def _follow_key(
    state: State, note: notes.RoundKeyed | notes.SeedFixed | notes.KeyAwaited | notes.ClosedFacesKnown
) -> State:
    """What a virtual round's cards are drawn from, and the cards that were drawn and never shown."""
    if isinstance(note, notes.ClosedFacesKnown):
        return replace(state, unseen=reduce(without, note.faces, state.unseen))
    return _with_round(state, **asdict(note))


def _correct(state: State, event: facts.CardCorrected) -> State:
    """The card lies in this hand at this position, or in no hand, whatever was told of it before."""
    shoe, played = state.shoe_in_play, state.round_in_play
    (card,) = (card for card in played.cards if card.ordinal == event.card_number)
    in_hand = event.side is not None
    due = played.due[1:] if in_hand else played.due
    cards = _with_card(
        played,
        event.card_number,
        side=event.side,
        position=event.position,
        told=card.told or in_hand,
        shown=card.shown or (in_hand and event.card is not None),
    )
    played = replace(played, due=due, cards=cards, card_facts=played.card_facts + 1)
    shoe = replace(shoe, dealt=shoe.dealt + in_hand - (card.side is not None))
    return replace(state, shoe=shoe).with_round(played)


def _misdeal(state: State, event: facts.MisdealDetected) -> State:
    """The round waits for the console. A card that is read again as another one is doubtful, and so is all after it."""
    if event.round_number is None:
        return state
    played = state.round_in_play
    doubted_from = played.doubted_from
    if state.shoe_in_play.face(event.ordinal) not in (UNSEEN, FAILED):
        doubted_from = event.ordinal if doubted_from is None else min(doubted_from, event.ordinal)
    return _with_round(state, phase=phase_after(played.phase, event), doubted_from=doubted_from)


def _pass(state: State, event: facts.HolderPassed) -> State:
    """Another bettor, or the dealer, opens the cards of this side."""
    holding = state.round_in_play.holding
    assert holding is not None, "cards that nobody holds are not passed"
    return _with_round(state, holding=holding.passed(event.side, event.to_holder))


def _remember(state: State, note: notes.RequestAnswered) -> State:
    """The answered request replaces the oldest one that is remembered."""
    memory = state.memory.with_answered(note.seen, state.requests_answered, IDENTITIES_KEPT)
    return replace(state, memory=memory, requests_answered=state.requests_answered + 1)
