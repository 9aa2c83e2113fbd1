"""How tables, shoes and rounds begin and end, and how the cards of a shoe are counted then."""

from msgspec.structs import replace

from schemas import facts
from schemas.cards import full_composition, without
from services.shoe.table import notes
from services.shoe.table.phases import phase_after
from services.shoe.table.state import FAILED, IN_FORCE, NO_CARD, UNSEEN, Round, RoundCard, Shoe, State


def open_table(state: State, event: facts.TableOpened) -> State:
    """The table is open under these terms."""
    opened = replace(
        state,
        limits_version=event.limits_version,
        layouts=event.layouts,
        seats=event.seats,
        unseen=full_composition(event.house_rules.decks),
    )
    return opened.with_terms(event.house_rules, event.limits)


def change_rules(state: State, event: facts.HouseRulesChanged) -> State:
    """Other house rules are in force. Settlement returns all carried stakes then."""
    shoe, unseen = state.shoe, state.unseen
    if shoe is None or shoe.ended:
        unseen = full_composition(event.house_rules.decks)
    if shoe is not None:
        shoe = replace(shoe, carried_until=shoe.round_number + 1)
    return replace(state, unseen=unseen, shoe=shoe).with_terms(event.house_rules, state.limits_in_force)


def close_table(state: State) -> State:
    """The table has no terms and no cards."""
    return replace(state, terms=state.terms.with_changes({IN_FORCE: None}), unseen=())


def start_shoe(state: State, event: facts.ShoeStarted) -> State:
    """A virtual cut card lies at its depth. A physical one is known when it comes out."""
    virtual = event.kind == "virtual"
    seen = 0 if event.burn_card is None else 1
    shoe = Shoe(
        number=event.shoe_number,
        kind=event.kind,
        next_ordinal=event.burned + 1,
        cut_card=52 * event.decks - event.cut_card_depth + 1 if virtual and event.cut_card_depth else None,
        burned_seen=seen,
        burned_unseen=event.burned - seen,
        faces="" if virtual else UNSEEN * event.burned,
    )
    return replace(state, unseen=without(state.unseen, event.burn_card) if event.burn_card else state.unseen, shoe=shoe)


def end_shoe(state: State) -> State:
    """The next shoe is whole, and no round of this one can be corrected any more."""
    shoe = replace(state.shoe_in_play, ended=True, faces="")
    past = state.past.with_changes(dict.fromkeys(state.past))
    return replace(state, unseen=full_composition(state.rules_in_force.decks), shoe=shoe, past=past)


def open_round(state: State, event: facts.RoundOpened) -> State:
    """The round begins with the cards that were left over for it. They are burned, or they wait.

    A shuffler has all cards back by now (article 7), so what was seen before says nothing any more.
    """
    shoe, unseen = state.shoe_in_play, state.unseen
    first, hands_from = shoe.next_ordinal, shoe.next_ordinal + event.burned
    if state.rules_in_force.dealing != "shoe":
        shoe = replace(shoe, faces="", faces_from=first, read_twice=0)
        unseen = full_composition(state.rules_in_force.decks)
    burned_seen, waiting = 0, tuple[RoundCard, ...]()
    if shoe.kind == "physical":
        left_over = range(first, shoe.faces_to)
        burned_seen = sum(shoe.face(ordinal) != FAILED for ordinal in left_over if ordinal < hands_from)
        waiting = tuple(RoundCard(ordinal, shoe.face(ordinal)) for ordinal in left_over if ordinal >= hands_from)
        shoe = replace(shoe, faces=shoe.faces + UNSEEN * (hands_from - shoe.faces_to))
    shoe = replace(
        shoe,
        next_ordinal=max(hands_from, shoe.faces_to),
        burned_seen=shoe.burned_seen + burned_seen,
        burned_unseen=shoe.burned_unseen + event.burned - burned_seen,
        demonstrations=shoe.demonstrations + event.demonstration,
        carried_until=shoe.carried_until if event.demonstration else event.round_number,
        round=Round(
            number=event.round_number,
            first_ordinal=first,
            hands_from=hands_from,
            demonstration=event.demonstration,
            books_closed=event.demonstration,
            cards=waiting,
        ),
    )
    return replace(state, unseen=unseen, shoe=shoe)


def keep_leftovers(state: State, note: notes.LeftoverCardsKept) -> State:
    """The last cards out are no cards of this round: the shoe stands before them."""
    played = state.round_in_play
    kept = tuple(card for card in played.cards if card.ordinal < note.next_ordinal)
    shoe = replace(state.shoe_in_play, next_ordinal=note.next_ordinal)
    return replace(state, shoe=shoe).with_round(replace(played, cards=kept))


def end_round(state: State, event: facts.RoundEnded | facts.RoundVoided) -> State:
    """What came out for the round and is in no hand is surplus. After a correction only the difference is counted."""
    shoe, played = state.shoe_in_play, state.round_in_play
    if shoe.correcting:
        surplus = len(played.waiting)
    else:
        no_cards = sum(card.face == NO_CARD for card in played.cards)
        in_hands = played.player_card_count + played.banker_card_count
        surplus = shoe.next_ordinal - played.hands_from - in_hands - no_cards
    # A console may give any reason, but a virtual round that it makes void shows its key.
    keyless = isinstance(event, facts.RoundVoided) and shoe.kind == "virtual" and event.key is None
    shoe = replace(shoe, surplus=shoe.surplus + surplus - played.surplus, key_lost=keyless)
    void = isinstance(event, facts.RoundVoided) and not shoe.correcting
    phase = phase_after(played.phase, event)
    return replace(state, shoe=shoe).with_round(
        replace(played, phase=phase, due=(), holding=None, surplus=surplus, void=void, waits_at="")
    )


def settle_round(state: State, note: notes.BooksSettled) -> State:
    """A round that came to a result is kept as long as it can be corrected."""
    shoe, past = state.shoe_in_play, state.past
    assert shoe.current_round is not None, "what is settled was played"
    phase = phase_after(shoe.current_round.phase, note)
    played = replace(shoe.current_round, phase=phase, carried_out=note.carried_out, overruled=())
    if shoe.correcting:
        past = past.with_item(str(played.number), played)
        return replace(state, shoe=replace(shoe, correcting=None), past=past)
    if shoe.kind == "physical":
        past = past if played.void else past.with_item(str(played.number), played)
        oldest = played.number - state.rules_in_force.correctable_rounds
        past = past.with_changes({number: None for number, kept in past.items() if kept.number <= oldest})
    return replace(state, shoe=replace(shoe, round=replace(played, cards=())), past=past)


def reopen_round(state: State, note: notes.RoundReopened) -> State:
    """The round is decided anew. Whatever is told of its cards from now on is a correction."""
    played = state.past[str(note.number)]
    reopened = replace(
        played,
        phase=phase_after(played.phase, note),
        revision=played.revision + 1,
        cards=tuple(replace(card, told=True) for card in played.cards),
    )
    return replace(state, shoe=replace(state.shoe_in_play, correcting=reopened))
