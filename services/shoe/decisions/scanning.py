"""Cards as they leave a physical shoe. A scan is known by its ordinal, and a card on the felt cannot be refused."""

from schemas import facts, requests
from schemas.cards import INDEX_OF_CARD
from schemas.codec import Entry
from services.decider.refusal import Refusal
from services.shoe.decisions.dealing import cut_card_before, deal_waiting, misdeal
from services.shoe.decisions.ending import end_finished_shoe
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import (
    BurnedCardScanned,
    CutCardScanned,
    LeftoverCardScanned,
    Outcome,
    StrayCardScanned,
    SurplusCardScanned,
    WaitingCardScanned,
)
from services.shoe.table.state import FAILED, UNSEEN, WAITING_MAX, Reading, Round, Shoe, State

Scan = requests.CardScan | requests.CutCardScan


def answer_scan(state: State, entry: Entry, scan: Scan) -> list[Outcome] | Refusal:
    """What a card or the cut card out of the shoe leads to."""
    if refusal := _refuse(state, scan):
        return refusal
    return _scan_card(state, entry, scan) if isinstance(scan, requests.CardScan) else _scan_cut_card(state, entry, scan)


def _refuse(state: State, scan: Scan) -> Refusal | None:
    shoe = state.shoe_in_play
    if shoe.kind == "virtual":
        return Refusal("card_not_expected", "the shoe is virtual")
    # A shuffler's ordinals go on from round to round, and the faces of the last round alone are kept.
    most = shoe.faces_from + 52 * state.rules_in_force.decks + shoe.read_twice - 1
    if not 1 <= scan.ordinal <= most:
        return Refusal("out_of_range", f"ordinal: allowed are 1 to {most}")
    return None


def _scan_card(state: State, entry: Entry, scan: requests.CardScan) -> list[Outcome] | Refusal:
    shoe = state.shoe_in_play
    known = shoe.face(scan.ordinal)
    face = _face(state, known, scan.card)
    # A card that was read tells nothing new when it is not read again, nor does a reading that was put right.
    if (known != UNSEEN and face in (known, FAILED)) or _overruled(state, scan):
        return [_repeated(entry)]
    if scan.ordinal < (shoe.next_ordinal if shoe.between_rounds else state.round_in_play.first_ordinal):
        return Refusal("expired", f"card {scan.ordinal} belongs to what is over")
    if shoe.between_rounds:
        return _between_rounds(state, scan, known, face)
    return _in_round(state, entry, scan, known, face)


def _scan_cut_card(state: State, entry: Entry, scan: requests.CutCardScan) -> list[Outcome] | Refusal:
    """The cut card is out. It is seen when the next card is pulled."""
    if state.rules_in_force.dealing != "shoe":
        return Refusal("card_not_expected", "there is no cut card under these house rules")
    cut_card = state.shoe_in_play.cut_card
    if cut_card == scan.ordinal:
        return [_repeated(entry)]
    if cut_card is not None:
        return Refusal("card_not_expected", f"the cut card came out before card {cut_card}")
    return [CutCardScanned(scan.ordinal)]


def _overruled(state: State, scan: requests.CardScan) -> bool:
    played = state.shoe_in_play.round
    return played is not None and scan.card is not None and Reading(scan.ordinal, scan.card) in played.overruled


def _face(state: State, known: str, card: str | None) -> str:
    """What was read. A card that the shoe cannot hold once more counts as not read."""
    if card is None or (card != known and not state.unseen[INDEX_OF_CARD[card]]):
        return FAILED
    return card


def _repeated(entry: Entry) -> facts.RequestRepeated:
    return facts.RequestRepeated(table=entry.event.table, request_id=entry.id, request_type=entry.type, first=None)


def _between_rounds(state: State, scan: requests.CardScan, known: str, face: str) -> list[Outcome] | Refusal:
    """No round is open. The card is surplus, or the house rules keep it for the next round if nobody has seen it."""
    shoe, ordinal = state.shoe_in_play, scan.ordinal
    if ordinal < shoe.faces_to:
        if known != FAILED:
            return Refusal("expired", f"card {ordinal} waits for the next round as it was read first")
        return [LeftoverCardScanned(ordinal, face)]
    stays = state.rules_in_force.surplus_card == "next_round" and not scan.face_up
    if stays and ordinal == shoe.faces_to < shoe.next_ordinal + WAITING_MAX:
        return [LeftoverCardScanned(ordinal, face), misdeal(state, ordinal, "next_round", None)]
    note = SurplusCardScanned(ordinal, face)
    after = evolve(state, note)
    ended = end_finished_shoe(after) if after.shoe_in_play.idle else []
    return [note, misdeal(state, ordinal, "surplus_card", None), *ended]


def _in_round(state: State, entry: Entry, scan: requests.CardScan, known: str, face: str) -> list[Outcome]:
    """The card is burned, waits, or is dealt at once; or the order of the round's cards is lost with it."""
    played, ordinal = state.round_in_play, scan.ordinal
    pulled_now = known in (UNSEEN, FAILED)
    cut_card = cut_card_before(state, ordinal) if pulled_now else []
    burned = ordinal < played.hands_from
    if reason := _misdeal_reason(state.shoe_in_play, played, ordinal, pulled_now=pulled_now):
        seen = BurnedCardScanned(ordinal, face) if burned else StrayCardScanned(ordinal, face)
        return [*cut_card, misdeal(state, ordinal, reason, played.number), *([seen] if pulled_now else [])]
    missed = [] if face != FAILED else [_missed(state, ordinal)]
    if burned:
        return [*cut_card, BurnedCardScanned(ordinal, face), *missed]
    note = WaitingCardScanned(ordinal, face, entry.place, scan.face_up)
    dealt: list[Outcome] = []
    if played.due and not state.held:
        dealt = deal_waiting(state, entry, played.due, evolve(state, note).round_in_play.waiting)
    # Whoever deals a card tells of the cut card before it.
    return [*([] if dealt else cut_card), note, *dealt, *missed]


def _misdeal_reason(shoe: Shoe, played: Round, ordinal: int, *, pulled_now: bool) -> str | None:
    """Why the order of the round's cards cannot be known any more."""
    if played.phase == "misdealt":
        return "awaiting_console"
    if not pulled_now:
        return "other_card"
    if ordinal > shoe.next_ordinal:
        return "ordinal_gap"
    if ordinal == shoe.next_ordinal and len(played.waiting) >= WAITING_MAX:
        return "too_many_waiting"
    return None


def _missed(state: State, ordinal: int) -> facts.ScanMissed:
    shoe, played = state.shoe_in_play, state.round_in_play
    return facts.ScanMissed(table=state.table, shoe_number=shoe.number, round_number=played.number, ordinal=ordinal)
