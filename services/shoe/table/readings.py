"""What changes when the readings of a physical shoe turn out to be wrong: the cards of a round, and what is unseen."""

from collections.abc import Mapping

from msgspec.structs import replace

from schemas.cards import INDEX_OF_CARD, Composition
from services.shoe.table.notes import ReadingsPutRight, ShoeGoesOn
from services.shoe.table.phases import phase_after
from services.shoe.table.state import NO_CARD, UNSEEN, Reading, RoundCard, State


def put_right(state: State, note: ReadingsPutRight) -> State:
    """The readings are what they should have been. The cards lie as they left the shoe, and no side is due."""
    shoe, played = state.shoe_in_play, state.round_in_play
    known = {card.ordinal: card for card in played.cards}
    if not shoe.correcting:
        known = {
            ordinal: replace(known.get(ordinal, RoundCard(ordinal, UNSEEN)), face=shoe.face(ordinal))
            for ordinal in range(played.hands_from, shoe.faces_to)
        }
    right = {reading.ordinal: reading.face for reading in note.readings}
    before = {ordinal: known[ordinal].face for ordinal in right}
    # A shuffler has the cards of earlier rounds back, so these are counted nowhere any more.
    counted = {ordinal: face for ordinal, face in right.items() if ordinal >= shoe.faces_from}
    for ordinal, face in counted.items():
        shoe = shoe.with_face(ordinal, face)
    no_cards = sum((face == NO_CARD) - (before[ordinal] == NO_CARD) for ordinal, face in counted.items())
    shoe = replace(
        shoe,
        read_twice=shoe.read_twice + no_cards,
        next_ordinal=shoe.next_ordinal if shoe.correcting else shoe.faces_to,
    )
    unseen = composition_after(state.unseen, {ordinal: before[ordinal] for ordinal in counted}, counted)
    overruled = {Reading(ordinal, face) for ordinal, face in before.items() if face in INDEX_OF_CARD}
    played = replace(
        played,
        phase=phase_after(played.phase, note),
        due=(),
        cards=tuple(replace(card, face=right.get(ordinal, card.face)) for ordinal, card in known.items()),
        doubted_from=None,
        overruled=(*played.overruled, *sorted(overruled - {*played.overruled}, key=lambda reading: reading.ordinal)),
    )
    return replace(state, shoe=shoe, unseen=unseen).with_round(played)


def composition_after(unseen: Composition, before: Mapping[int, str], after: Mapping[int, str]) -> Composition:
    """What nobody has seen, when cards that were read as `before` are those of `after`. Below 0: a card too many."""
    counts = list(unseen)
    for faces, change in ((before, 1), (after, -1)):
        for face in faces.values():
            if face in INDEX_OF_CARD:
                counts[INDEX_OF_CARD[face]] += change
    return tuple(counts)


def go_on(state: State, note: ShoeGoesOn) -> State:
    """The scans of the round from `next_ordinal` on were errors: their cards are unseen again."""
    shoe, played = state.shoe_in_play, state.round_in_play
    dropped = {ordinal: shoe.face(ordinal) for ordinal in range(note.next_ordinal, shoe.faces_to)}
    kept = 2 * (note.next_ordinal - shoe.faces_from)
    shoe = replace(
        shoe,
        next_ordinal=note.next_ordinal,
        read_twice=shoe.read_twice - sum(face == NO_CARD for face in dropped.values()),
        faces=shoe.faces[:kept] + UNSEEN * (note.next_ordinal - shoe.faces_to),
    )
    played = replace(played, cards=tuple(card for card in played.cards if card.ordinal < note.next_ordinal))
    return replace(state, shoe=shoe, unseen=composition_after(state.unseen, dropped, {})).with_round(played)
