"""What a physical shoe's readings say: the faces of its cards, and with them what nobody has seen. No checks."""

from collections.abc import Mapping

from msgspec.structs import replace

from schemas.cards import INDEX_OF_CARD, Composition, without
from services.shoe.table import notes
from services.shoe.table.state import FAILED, NO_CARD, UNSEEN, Reading, Round, RoundCard, State


def with_face(state: State, ordinal: int, face: str) -> State:
    """A physical card is out: its face is kept."""
    shoe = state.shoe_in_play
    faces = shoe.faces + UNSEEN * (ordinal + 1 - shoe.faces_to)
    start = 2 * (ordinal - shoe.faces_from)
    shoe = replace(shoe, faces=faces[:start] + face + faces[start + 2 :])
    unseen = state.unseen if face == FAILED else without(state.unseen, face)
    return replace(state, shoe=shoe, unseen=unseen)


_Seen = notes.CardWaits | notes.BurnedCardSeen | notes.SurplusCardSeen | notes.StrayCardSeen


def see(state: State, note: _Seen) -> State:
    """A physical card is out, and is counted where it belongs."""
    state = with_face(state, note.ordinal, note.face)
    shoe, ordinal = state.shoe_in_play, note.ordinal
    match note:
        case notes.CardWaits():
            played = replace(state.round_in_play, cards=_cards_with(state.round_in_play, note))
            shoe = replace(shoe, next_ordinal=max(shoe.next_ordinal, ordinal + 1), round=played)
        case notes.BurnedCardSeen() if note.face != FAILED:
            shoe = replace(shoe, burned_seen=shoe.burned_seen + 1, burned_unseen=shoe.burned_unseen - 1)
        case notes.SurplusCardSeen():
            surplus = shoe.surplus + ordinal + 1 - shoe.next_ordinal
            shoe = replace(shoe, surplus=surplus, next_ordinal=ordinal + 1)
        case notes.BurnedCardSeen() | notes.StrayCardSeen():
            pass
    return replace(state, shoe=shoe)


def _cards_with(played: Round, note: notes.CardWaits) -> tuple[RoundCard, ...]:
    """The round's cards with this one, which may take the place of its own failed scan."""
    waiting = RoundCard(note.ordinal, note.face, face_up=note.face_up, place=note.place)
    if played.cards and note.ordinal <= played.cards[-1].number:
        return tuple(waiting if card.number == note.ordinal else card for card in played.cards)
    return (*played.cards, waiting)


def put_right(state: State, readings: tuple[Reading, ...]) -> State:
    """The readings are what they should have been, the cards as they left the shoe, none of them due."""
    shoe, played = state.shoe_in_play, state.round_in_play
    known = {card.number: card for card in played.cards}
    if not shoe.correcting:
        known = {
            number: replace(known.get(number, RoundCard(number, UNSEEN)), face=shoe.face(number))
            for number in range(played.hands_from, shoe.faces_to)
        }
    right = {reading.ordinal: reading.face for reading in readings}
    before = {number: known[number].face for number in right}
    # A shuffler has the cards of earlier rounds back: they are in no count any more.
    counted = {number: face for number, face in right.items() if number >= shoe.faces_from}
    faces = shoe.faces
    for number, face in counted.items():
        start = 2 * (number - shoe.faces_from)
        faces = faces[:start] + face + faces[start + 2 :]
    no_cards = sum((face == NO_CARD) - (before[number] == NO_CARD) for number, face in counted.items())
    shoe = replace(
        shoe,
        faces=faces,
        read_twice=shoe.read_twice + no_cards,
        next_ordinal=shoe.next_ordinal if shoe.correcting else shoe.faces_to,
    )
    unseen = composition_after(state.unseen, {number: before[number] for number in counted}, counted)
    overruled = {Reading(number, face) for number, face in before.items() if face in INDEX_OF_CARD}
    played = replace(
        played,
        phase="dealing" if played.closed else "betting",
        due=(),
        cards=tuple(replace(card, face=right.get(number, card.face)) for number, card in known.items()),
        doubted_from=None,
        overruled=(*played.overruled, *sorted(overruled - {*played.overruled}, key=lambda reading: reading.ordinal)),
    )
    return replace(state, shoe=shoe, unseen=unseen).with_round(played)


def composition_after(unseen: Composition, before: Mapping[int, str], after: Mapping[int, str]) -> Composition:
    """What nobody has seen, when these cards turn out to be those; a count below 0 is a card too many."""
    counts = list(unseen)
    for faces, change in ((before, 1), (after, -1)):
        for face in faces.values():
            if face in INDEX_OF_CARD:
                counts[INDEX_OF_CARD[face]] += change
    return tuple(counts)


def go_on(state: State, next_ordinal: int) -> State:
    """Scans of a round at or behind `next_ordinal` were errors: their cards are unseen again."""
    shoe, played = state.shoe_in_play, state.round_in_play
    kept = 2 * (next_ordinal - shoe.faces_from)
    dropped = {number: shoe.face(number) for number in range(next_ordinal, shoe.faces_to)}
    shoe = replace(
        shoe,
        next_ordinal=next_ordinal,
        read_twice=shoe.read_twice - sum(face == NO_CARD for face in dropped.values()),
        faces=shoe.faces[:kept] + UNSEEN * (next_ordinal - shoe.faces_to),
    )
    played = replace(played, cards=tuple(card for card in played.cards if card.number < next_ordinal))
    return replace(state, shoe=shoe, unseen=composition_after(state.unseen, dropped, {})).with_round(played)
