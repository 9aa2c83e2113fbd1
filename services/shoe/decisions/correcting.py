"""Cards dealt out again, in the order in which they left a physical shoe (article 10), in play and after the end.

    in play          card.correct ─► the first four by article 7, the cards behind them wait for calls; it goes on
    after its end    card.correct ─► correcting ─draw.called─► a card of the round, or void where it has none
                                        └─round.decided─► over ─round.settled─► as it was, with one revision more

What was told stays told: `card.corrected` follows for each card that is another one or elsewhere. Which facts follow
never depends on a closed card's face: each card that the request names is told anew, the same or not.
"""

from collections.abc import Collection, Iterator
from itertools import takewhile

from schemas import facts, requests
from schemas.cards import POINTS, Side
from schemas.codec import Entry
from services.decider.refusal import Refusal
from services.shoe.decisions.dealing import FIRST_FOUR, ROUND_CARDS_MAX, deal_waiting, evolved, placed
from services.shoe.decisions.refusing import refuse_shoe
from services.shoe.decisions.voiding import round_voided
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import CardsDue, ReadingsPutRight, RoundReopened
from services.shoe.table.readings import composition_after
from services.shoe.table.state import FAILED, NO_CARD, UNSEEN, WAITING_MAX, Reading, RoundCard, State

_PLACES = tuple(zip(FIRST_FOUR, (1, 1, 2, 2), strict=True))


def correct(state: State, request: requests.CardCorrect) -> list[object] | Refusal:
    """Deal the cards of the round in play, or of one of the last ones, out again with these readings put right."""
    if refusal := refuse_shoe(state, request.shoe_number) or _refuse_round(state, request.round_number):
        return refusal
    outcomes: list[object] = []
    if state.shoe_in_play.between_rounds:
        outcomes.append(RoundReopened(request.round_number))
    reopened = evolved(state, outcomes)
    readings = _readings(reopened, request)
    if isinstance(readings, Refusal):
        return readings
    note = ReadingsPutRight(readings)
    named = {reading.ordinal for reading in readings}
    return [*outcomes, note, *_deal_again(evolve(reopened, note), named)]


def draw(state: State, entry: Entry, call: facts.DrawCalled) -> list[object]:
    """A round that is corrected after its end draws from the cards that left the shoe for it, and from no other."""
    drawn = deal_waiting(state, entry, (call.side,), state.round_in_play.waiting[:1])
    return drawn or [round_voided(state, "card_missing")]


def _refuse_round(state: State, number: int) -> Refusal | None:
    """A round can be corrected while it is in play, and as one of the last few when all are settled."""
    shoe = state.shoe_in_play
    last = shoe.round_number
    if not 1 <= number <= last:
        return Refusal("wrong_round", f"expected round_number {last or 1}")
    if shoe.kind == "virtual":
        return Refusal("card_not_expected", "the shoe is virtual: its cards are what was drawn")
    if number == last and not shoe.between_rounds:
        return None
    rounds = state.rules_in_force.correctable_rounds
    if number <= last - rounds:
        return Refusal("expired", f"round {number} is not one of the last {rounds}")
    played = state.past.get(str(number))
    if played is not None and played.carried_out and number < shoe.carried_until:
        return Refusal("carried", f"stakes that round {number} carried out are in later books: settlement.adjust")
    if not shoe.idle:
        return Refusal("round_running", f"round {last} is not settled")
    if played is None:
        return Refusal("round_over", f"round {number} has no result to correct")
    return None


def _readings(state: State, request: requests.CardCorrect) -> tuple[Reading, ...] | Refusal:
    """The readings asked for, if the cards of the round are all known with them and the shoe can have held them."""
    shoe, played = state.shoe_in_play, state.round_in_play
    known = {card.number: card.face for card in played.cards}
    if not shoe.correcting:
        known = {number: shoe.face(number) for number in range(played.hands_from, shoe.faces_to)}
    if not known:
        return Refusal("card_not_expected", "no card of the round has left the shoe")
    right = {card.ordinal: card.card or NO_CARD for card in request.cards}
    if len(right) < len(request.cards):
        return Refusal("out_of_range", "cards: an ordinal stands more than once")
    if unknown := right.keys() - known.keys():
        return Refusal("out_of_range", f"cards: ordinal {min(unknown)} is not of this round's {_span(known)}")
    after = known | right
    missing = [number for number, face in after.items() if face in (UNSEEN, FAILED)]
    if missing and not shoe.correcting:
        return Refusal("out_of_range", f"cards: card {missing[0]} is not read: enter it by hand, or void the round")
    if sum(face != NO_CARD for face in after.values()) > ROUND_CARDS_MAX + WAITING_MAX:
        return Refusal("out_of_range", f"cards: {_span(known)} are too many for one round: void it")
    if _impossible(state, known, right):
        return Refusal("card_impossible", "cards: the shoe holds fewer of such a card")
    return tuple(Reading(number, face) for number, face in sorted(right.items()))


def _span(numbers: Collection[int]) -> str:
    return f"cards {min(numbers)} to {max(numbers)}"


def _impossible(state: State, known: dict[int, str], right: dict[int, str]) -> bool:
    """Whether a card would have left the shoe once too often. A shuffler has earlier rounds' cards back."""
    decks, faces_from = state.rules_in_force.decks, state.shoe_in_play.faces_from
    counted = {number: face for number, face in right.items() if number >= faces_from}
    unseen = composition_after(state.unseen, {number: known[number] for number in counted}, counted)
    faces = [*(known | right).values()]
    return min(unseen) < 0 or any(faces.count(face) > decks for face in right.values() if face != NO_CARD)


def _deal_again(state: State, named: Collection[int]) -> Iterator[object]:
    """The facts of a round whose readings are right: corrections first, then what is dealt for the first time."""
    shoe, played = state.shoe_in_play, state.round_in_play
    cards = [card for card in played.cards if card.face != NO_CARD]
    known = list(takewhile(lambda card: card.face != FAILED, cards))
    places = {card.number: place for card, place in zip(known, _PLACES, strict=False)} if played.closed else {}
    told = [
        fact
        for card in played.cards
        if card.told and (card.number in named or places.get(card.number, (None, None)) != (card.side, card.position))
        for fact in _told_again(state, card, places.get(card.number))
    ]
    dealt = [
        outcome
        for card in known
        if card.number in places and not card.told
        for outcome in placed(state, card, *places[card.number])
    ]
    if not told and not dealt:
        # Each request is answered, and each correction followed by a call: the last card is told once more.
        last = max(played.cards, key=lambda card: (card.side is not None, card.number))
        told = list(_told_again(state, last, places.get(last.number)))
    yield from told
    yield from dealt
    if shoe.correcting and len(known) < len(_PLACES):
        yield round_voided(evolved(state, told), "card_missing")
    elif played.closed:
        yield CardsDue(FIRST_FOUR[len(known) :])


def _told_again(state: State, card: RoundCard, place: tuple[Side, int] | None) -> Iterator[object]:
    """The fact that replaces what was said of a card. In no hand it shows its face only if people have seen it."""
    if place is not None:
        yield from placed(state, card, *place)
        return
    shown = card.shown and card.face != NO_CARD
    yield facts.CardCorrected(
        table=state.table,
        shoe_number=state.shoe_in_play.number,
        round_number=state.round_in_play.number,
        revision=state.round_in_play.revision,
        card_number=card.number,
        side=None,
        position=None,
        card=card.face if shown else None,
        points=POINTS[card.face] if shown else None,
    )
