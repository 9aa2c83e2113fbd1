"""Cards as they leave a physical shoe. A scan's identity is its ordinal; a card on the felt cannot be refused."""

from schemas import facts, requests
from schemas.cards import INDEX_OF_CARD
from schemas.codec import Entry
from services.decider.refusal import Refusal
from services.shoe.decisions.dealing import cut_card_before, deal_waiting, end_finished_shoe, misdeal
from services.shoe.decisions.refusing import refuse_shoe
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import (
    BurnedCardSeen,
    CardWaits,
    CutCardNoted,
    LeftoverCardSeen,
    StrayCardSeen,
    SurplusCardSeen,
)
from services.shoe.table.state import FAILED, UNSEEN, WAITING_MAX, Reading, State


def answer_card(state: State, entry: Entry, scan: requests.CardScan) -> list[object] | Refusal:
    """What a card out of the shoe leads to."""
    if refusal := _refuse(state, scan):
        return refusal
    shoe = state.shoe_in_play
    known = shoe.face(scan.ordinal)
    face = _face(state, known, scan.card)
    # A failed read of a card that was read says nothing new, nor does a reading that a correction put right.
    if (known != UNSEEN and face in (known, FAILED)) or _overruled(state, scan):
        return [_repeated(entry)]
    if scan.ordinal < (shoe.next_ordinal if shoe.between_rounds else state.round_in_play.first):
        return Refusal("expired", f"card {scan.ordinal} belongs to what is over")
    if shoe.between_rounds:
        return _between_rounds(state, scan, known, face)
    return _in_round(state, entry, scan, known, face)


def answer_cut_card(state: State, entry: Entry, scan: requests.CutCardScan) -> list[object] | Refusal:
    """The cut card is out: it is seen with the next card that is pulled."""
    if refusal := _refuse(state, scan):
        return refusal
    if state.rules_in_force.dealing != "shoe":
        return Refusal("card_not_expected", "there is no cut card under these house rules")
    cut_card = state.shoe_in_play.cut_card
    if cut_card == scan.ordinal:
        return [_repeated(entry)]
    if cut_card is not None:
        return Refusal("card_not_expected", f"the cut card came out before card {cut_card}")
    return [CutCardNoted(scan.ordinal)]


def _refuse(state: State, scan: requests.CardScan | requests.CutCardScan) -> Refusal | None:
    if refusal := refuse_shoe(state, scan.shoe_number):
        return refusal
    shoe = state.shoe_in_play
    if shoe.kind == "virtual":
        return Refusal("card_not_expected", "the shoe is virtual")
    # A shuffler's ordinals go on over its rounds, of which only the last one's faces are kept.
    most = shoe.faces_from + 52 * state.rules_in_force.decks + shoe.read_twice - 1
    if not 1 <= scan.ordinal <= most:
        return Refusal("out_of_range", f"ordinal: allowed are 1 to {most}")
    return None


def _overruled(state: State, scan: requests.CardScan) -> bool:
    played = state.shoe_in_play.round
    return played is not None and scan.card is not None and Reading(scan.ordinal, scan.card) in played.overruled


def _face(state: State, known: str, card: str | None) -> str:
    """What was read; a card of which more are out than the shoe has is a failed read."""
    if card is None or (card != known and not state.unseen[INDEX_OF_CARD[card]]):
        return FAILED
    return card


def _repeated(entry: Entry) -> facts.RequestRepeated:
    return facts.RequestRepeated(table=entry.event.table, request_id=entry.id, request_type=entry.type, first=None)


def _between_rounds(state: State, scan: requests.CardScan, known: str, face: str) -> list[object] | Refusal:
    """No round is open: the card is surplus, or by the house's rules the next round's if nobody has seen it."""
    shoe, ordinal = state.shoe_in_play, scan.ordinal
    if ordinal < shoe.faces_to:
        if known != FAILED:
            return Refusal("expired", f"card {ordinal} waits for the next round as it was read first")
        return [LeftoverCardSeen(ordinal, face)]
    stays = state.rules_in_force.surplus_card == "next_round" and not scan.face_up
    if stays and ordinal == shoe.faces_to < shoe.next_ordinal + WAITING_MAX:
        return [LeftoverCardSeen(ordinal, face), misdeal(state, ordinal, "next_round", None)]
    return _surplus(state, ordinal, face)


def _surplus(state: State, ordinal: int, face: str) -> list[object]:
    """Nothing waits: play goes on behind this card, if enough are left."""
    note = SurplusCardSeen(ordinal, face)
    after = evolve(state, note)
    ended = end_finished_shoe(after) if after.shoe_in_play.idle else []
    return [note, misdeal(state, ordinal, "surplus_card", None), *ended]


def _in_round(state: State, entry: Entry, scan: requests.CardScan, known: str, face: str) -> list[object]:
    played, ordinal = state.round_in_play, scan.ordinal
    pulled_now = known in (UNSEEN, FAILED)
    cut_card = cut_card_before(state, ordinal, played) if pulled_now else []
    burned = ordinal < played.hands_from
    if reason := _misdeal_reason(state, ordinal, pulled_now):
        seen = BurnedCardSeen(ordinal, face) if burned else StrayCardSeen(ordinal, face)
        return [*cut_card, misdeal(state, ordinal, reason, played.number), *([seen] if pulled_now else [])]
    missed = [] if face != FAILED else [_missed(state, ordinal)]
    if burned:
        return [*cut_card, BurnedCardSeen(ordinal, face), *missed]
    note = CardWaits(ordinal, face, entry.place, scan.face_up)
    dealt: list[object] = []
    if played.due and not state.held:
        dealt = deal_waiting(state, entry, played.due, evolve(state, note).round_in_play.waiting)
    # A card that is dealt at once brings its cut card along.
    return [*([] if dealt else cut_card), note, *dealt, *missed]


def _misdeal_reason(state: State, ordinal: int, pulled_now: bool) -> str | None:
    """Why the order of the round's cards cannot be known any more."""
    played, next_ordinal = state.round_in_play, state.shoe_in_play.next_ordinal
    if played.phase == "misdealt":
        return "awaiting_console"
    if not pulled_now:
        return "other_card"
    if ordinal > next_ordinal:
        return "ordinal_gap"
    if ordinal == next_ordinal and len(played.waiting) >= WAITING_MAX:
        return "too_many_waiting"
    return None


def _missed(state: State, ordinal: int) -> facts.ScanMissed:
    shoe, played = state.shoe_in_play, state.round_in_play
    return facts.ScanMissed(table=state.table, shoe_number=shoe.number, round_number=played.number, ordinal=ordinal)
