"""How facts and notes change a round, and with it the count of the shoe's cards. No checks, as in `evolve.py`."""

from msgspec.structs import replace

from schemas import facts
from schemas.cards import Side, full_composition, without
from services.shoe.table import notes, readings
from services.shoe.table.state import FAILED, NO_CARD, UNSEEN, Phase, Round, RoundCard, Shoe, State


def evolve_round(state: State, event: object) -> State:
    """The state behind what happens in a round, and behind what nobody keeps."""
    match event:
        case facts.CardDealt():
            return _deal(state, event)
        case facts.RoundOpened():
            return _open(state, event)
        case notes.BooksClosed(holding):
            return state.with_round(replace(state.round_in_play, closed=True, holding=holding))
        case notes.CardsDue(sides):
            return state.with_round(replace(state.round_in_play, phase="dealing" if sides else "calling", due=sides))
        case notes.FaceKept(number, face):
            played = _with_card(state.round_in_play, number, face=face)
            return replace(state, unseen=without(state.unseen, face)).with_round(played)
        case facts.CardOpened():
            played = _with_card(state.round_in_play, event.card_number, shown=True)
            return state.with_round(replace(played, card_facts=played.card_facts + 1))
        case facts.CardFoundFaceUp():
            played = state.round_in_play
            return state.with_round(replace(played, card_facts=played.card_facts + 1))
        case facts.CardCorrected():
            return _correct(state, event)
        case facts.HolderPassed():
            return _pass(state, event)
        case notes.RoundReopened(number):
            played = state.past[str(number)]
            reopened = replace(played, phase="calling", revision=played.revision + 1, cards=_told(played.cards))
            return replace(state, shoe=replace(state.shoe_in_play, correcting=reopened))
        case notes.ReadingsPutRight(right):
            return readings.put_right(state, right)
        case facts.MisdealDetected():
            return state if event.round_number is None else _misdeal(state, event)
        case notes.CardWaits() | notes.BurnedCardSeen() | notes.SurplusCardSeen() | notes.StrayCardSeen():
            return readings.see(state, event)
        case notes.LeftoverCardSeen():
            return readings.with_face(state, event.ordinal, event.face)
        case notes.CardsStay(next_ordinal):
            played = state.round_in_play
            kept = tuple(card for card in played.cards if card.number < next_ordinal)
            shoe = replace(state.shoe_in_play, next_ordinal=next_ordinal)
            return replace(state, shoe=shoe).with_round(replace(played, cards=kept))
        case notes.ShoeGoesOn(next_ordinal):
            return readings.go_on(state, next_ordinal)
        case facts.RoundEnded() | facts.RoundVoided():
            return _end(state, event)
        case notes.BooksSettled(carried_out):
            return _settle(state, carried_out)
        case facts.CutCardReached():
            return replace(state, shoe=replace(state.shoe_in_play, last_round=event.last_round))
        case _:
            return state


def opened_round(shoe: Shoe, event: facts.RoundOpened) -> Round:
    """The round that this fact opens. A demonstration has no books to close."""
    first = shoe.next_ordinal
    return Round(event.round_number, first, first + event.burned, event.demonstration, closed=event.demonstration)


def _with_card(played: Round, number: int, **changed: str | bool) -> Round:
    cards = tuple(replace(card, **changed) if card.number == number else card for card in played.cards)
    return replace(played, cards=cards)


def _open(state: State, event: facts.RoundOpened) -> State:
    """A shuffler has all cards back when a round starts (article 7): what was seen before says nothing any more.

    Cards that were left over come first: they are burned or wait.
    """
    shoe, unseen = state.shoe_in_play, state.unseen
    opened = opened_round(shoe, event)
    if state.rules_in_force.dealing != "shoe":
        shoe = replace(shoe, faces="", faces_from=opened.first, read_twice=0)
        unseen = full_composition(state.rules_in_force.decks)
    burned_seen = 0
    if shoe.kind == "physical":
        left_over = range(opened.first, shoe.faces_to)
        burned_seen = sum(shoe.face(number) != FAILED for number in left_over if number < opened.hands_from)
        waiting = (RoundCard(number, shoe.face(number)) for number in left_over if number >= opened.hands_from)
        opened = replace(opened, cards=tuple(waiting))
        shoe = replace(shoe, faces=shoe.faces + UNSEEN * (opened.hands_from - shoe.faces_to))
    shoe = replace(
        shoe,
        next_ordinal=max(opened.hands_from, shoe.faces_to),
        burned_seen=shoe.burned_seen + burned_seen,
        burned_unseen=shoe.burned_unseen + event.burned - burned_seen,
        demonstrations=shoe.demonstrations + event.demonstration,
        carried_until=shoe.carried_until if event.demonstration else event.round_number,
        round=opened,
    )
    return replace(state, shoe=shoe, unseen=unseen)


def _deal(state: State, event: facts.CardDealt) -> State:
    """A virtual card is out with this, and seen unless it is dealt closed; a physical one was when it was scanned."""
    shoe, played = state.shoe_in_play, state.round_in_play
    number, shown = event.card_number, event.card is not None
    due, phase = _behind_due(played)
    if shoe.kind == "virtual":
        dealt = RoundCard(number, event.card or UNSEEN, event.side, event.position, told=True, shown=shown)
        cards = (*played.cards, dealt)
        played = replace(played, phase=phase, due=due, cards=cards, card_facts=played.card_facts + 1)
        shoe = replace(shoe, dealt=shoe.dealt + 1, next_ordinal=number + 1, round=played)
        return replace(state, shoe=shoe, unseen=without(state.unseen, event.card) if event.card else state.unseen)
    cards = tuple(
        replace(card, side=event.side, position=event.position, told=True, shown=shown, place="")
        if card.number == number
        else card
        for card in played.cards
    )
    played = replace(played, phase=phase, due=due, cards=cards, card_facts=played.card_facts + 1)
    return replace(state, shoe=replace(shoe, dealt=shoe.dealt + 1, round=played))


def _correct(state: State, event: facts.CardCorrected) -> State:
    """The card is in another hand, or in none."""
    shoe, played = state.shoe_in_play, state.round_in_play
    in_hands = played.player + played.banker
    due, phase = _behind_due(played) if event.side else (played.due, played.phase)
    cards = tuple(
        replace(
            card,
            side=event.side,
            position=event.position,
            told=card.told or event.side is not None,
            shown=card.shown or (event.side is not None and event.card is not None),
        )
        if card.number == event.card_number
        else card
        for card in played.cards
    )
    played = replace(played, phase=phase, due=due, cards=cards, card_facts=played.card_facts + 1)
    shoe = replace(shoe, dealt=shoe.dealt + played.player + played.banker - in_hands)
    return replace(state, shoe=shoe).with_round(played)


def _behind_due(played: Round) -> tuple[tuple[Side, ...], Phase]:
    """The side that was due has its card. In a correction nobody is due until all of it is told."""
    due = played.due[1:]
    return due, "calling" if played.due and not due else played.phase


def _told(cards: tuple[RoundCard, ...]) -> tuple[RoundCard, ...]:
    """Whatever is said of a round's cards behind its end is a correction."""
    return tuple(replace(card, told=True) for card in cards)


def _pass(state: State, event: facts.HolderPassed) -> State:
    played = state.round_in_play
    assert played.holding is not None, "cards that nobody holds are not passed"
    if event.side == "player":
        return state.with_round(replace(played, holding=replace(played.holding, player=event.to_holder)))
    return state.with_round(replace(played, holding=replace(played.holding, banker=event.to_holder)))


def _misdeal(state: State, event: facts.MisdealDetected) -> State:
    """The round waits for the console. From a card on that was read and comes again as another one, none is sure."""
    shoe, played = state.shoe_in_play, state.round_in_play
    doubted_from = played.doubted_from
    if shoe.face(event.ordinal) not in (UNSEEN, FAILED):
        doubted_from = event.ordinal if doubted_from is None else min(doubted_from, event.ordinal)
    return state.with_round(replace(played, phase="misdealt", doubted_from=doubted_from))


def _end(state: State, event: facts.RoundEnded | facts.RoundVoided) -> State:
    """What came out for the round and is in no hand is surplus."""
    shoe, played = state.shoe_in_play, state.round_in_play
    if shoe.correcting:
        surplus = len(played.waiting)
    else:
        no_cards = sum(card.face == NO_CARD for card in played.cards)
        surplus = shoe.next_ordinal - played.hands_from - played.player - played.banker - no_cards
    shoe = replace(shoe, surplus=shoe.surplus + surplus - played.surplus)
    void = isinstance(event, facts.RoundVoided) and not shoe.correcting
    over = replace(played, phase="over", due=(), holding=None, surplus=surplus, void=void)
    return replace(state, shoe=shoe).with_round(over)


def _settle(state: State, carried_out: bool) -> State:
    """The round is kept as long as it can be corrected, if it came to a result."""
    shoe = state.shoe_in_play
    assert shoe.at_work is not None, "what is settled was played"
    played = replace(shoe.at_work, phase="settled", carried_out=carried_out, overruled=())
    past = state.past
    if shoe.correcting:
        past = past.with_item(str(played.number), played)
        return replace(state, shoe=replace(shoe, correcting=None), past=past)
    if shoe.kind == "physical":
        known = past if played.void else past.with_item(str(played.number), played)
        oldest = played.number - state.rules_in_force.correctable_rounds
        past = known.with_changes({number: None for number, kept in known.items() if kept.number <= oldest})
    return replace(state, shoe=replace(shoe, round=replace(played, cards=())), past=past)
