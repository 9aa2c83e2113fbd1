"""Cards dealt again in the order in which they left a physical shoe (article 10), in play and after a round's end.

    in play          card.correct ─► the first four by article 7; the cards behind them wait for calls
    after its end    card.correct ─► correcting ─draw.called─► a card of the round, or void where it has none
                                        └─round.decided─► over ─round.settled─► as before, with one revision more

A fact that was told stays told. `card.corrected` follows for each card that is another one or lies elsewhere. Which
facts follow never depends on the face of a card that lies face down: each card that the request names is told again,
whether it changes or not.
"""

from collections.abc import Collection, Iterator
from itertools import takewhile
from typing import Final

from schemas import facts, requests
from schemas.cards import POINTS, Side
from schemas.codec import Entry
from services.decider.refusal import Refusal
from services.shoe.decisions.dealing import FIRST_FOUR, ROUND_CARDS_MAX, deal_waiting, into_hand
from services.shoe.decisions.voiding import round_voided
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import (
    BettingGoesOn,
    CardsDue,
    CardsOut,
    Outcome,
    ReadingsPutRight,
    RoundReopened,
    ShoeNote,
)
from services.shoe.table.readings import composition_after
from services.shoe.table.state import FAILED, NO_CARD, UNSEEN, WAITING_MAX, Reading, RoundCard, State

# A side, and the position in its hand.
Position = tuple[Side, int]
_FIRST_POSITIONS: Final[tuple[Position, ...]] = tuple(zip(FIRST_FOUR, (1, 1, 2, 2), strict=True))


def correct(state: State, request: requests.CardCorrect) -> list[Outcome] | Refusal:
    """Put these readings right, and deal the cards of the round in play, or of one of the last ones, again."""
    if refusal := _refuse_round(state, request.round_number):
        return refusal
    outcomes: list[Outcome] = []
    if state.shoe_in_play.between_rounds:
        reopened = RoundReopened(request.round_number)
        state, outcomes = evolve(state, reopened), [reopened]
    readings = _readings(state, request)
    if isinstance(readings, Refusal):
        return readings
    note = ReadingsPutRight(readings)
    named = {reading.ordinal for reading in readings}
    return [*outcomes, note, *_deal_again(evolve(state, note), named)]


def draw(state: State, entry: Entry, call: facts.DrawCalled) -> list[Outcome]:
    """A round that is corrected after its end draws from the cards that left the shoe for it, and from no other."""
    drawn = deal_waiting(state, entry, (call.side,), state.round_in_play.waiting[:1])
    return [CardsDue((call.side,)), *drawn] if drawn else [round_voided(state, "card_missing")]


def _refuse_round(state: State, number: int) -> Refusal | None:
    """A round can be corrected while it is in play. One of the last few can, when all of them are settled."""
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
    """The readings asked for. With them all cards of the round must be known, and the shoe must have held them."""
    shoe, played = state.shoe_in_play, state.round_in_play
    known = {card.ordinal: card.face for card in played.cards}
    if not shoe.correcting:
        known = {ordinal: shoe.face(ordinal) for ordinal in range(played.hands_from, shoe.faces_to)}
    if not known:
        return Refusal("card_not_expected", "no card of the round has left the shoe")
    right = {card.ordinal: card.card or NO_CARD for card in request.cards}
    if len(right) < len(request.cards):
        return Refusal("out_of_range", "cards: an ordinal stands more than once")
    if unknown := right.keys() - known.keys():
        return Refusal("out_of_range", f"cards: ordinal {min(unknown)} is not of this round's {_span(known)}")
    after = known | right
    missing = [ordinal for ordinal, face in after.items() if face in (UNSEEN, FAILED)]
    if missing and not shoe.correcting:
        return Refusal("out_of_range", f"cards: card {missing[0]} is not read: enter it by hand, or void the round")
    if sum(face != NO_CARD for face in after.values()) > ROUND_CARDS_MAX + WAITING_MAX:
        return Refusal("out_of_range", f"cards: {_span(known)} are too many for one round: void it")
    if _impossible(state, known, right):
        return Refusal("card_impossible", "cards: the shoe holds fewer of such a card")
    return tuple(Reading(ordinal, face) for ordinal, face in sorted(right.items()))


def _span(ordinals: Collection[int]) -> str:
    return f"cards {min(ordinals)} to {max(ordinals)}"


def _impossible(state: State, known: dict[int, str], right: dict[int, str]) -> bool:
    """Whether a card would have left the shoe once too often. A shuffler has the cards of earlier rounds back."""
    decks, faces_from = state.rules_in_force.decks, state.shoe_in_play.faces_from
    counted = {ordinal: face for ordinal, face in right.items() if ordinal >= faces_from}
    unseen = composition_after(state.unseen, {ordinal: known[ordinal] for ordinal in counted}, counted)
    faces = [*(known | right).values()]
    return min(unseen) < 0 or any(faces.count(face) > decks for face in right.values() if face != NO_CARD)


def _deal_again(state: State, named: Collection[int]) -> Iterator[Outcome]:
    """The round goes on with the right readings: first come corrections, then cards that are dealt the first time."""
    shoe, played = state.shoe_in_play, state.round_in_play
    cards = [card for card in played.cards if card.face != NO_CARD]
    known = list(takewhile(lambda card: card.face != FAILED, cards))
    positions = (
        dict(zip((card.ordinal for card in known), _FIRST_POSITIONS, strict=False)) if played.books_closed else {}
    )
    told = [
        fact
        for card in played.cards
        if card.told
        and (card.ordinal in named or positions.get(card.ordinal, (None, None)) != (card.side, card.position))
        for fact in _tell_again(state, card, positions.get(card.ordinal))
    ]
    dealt = [
        outcome
        for card in known
        if card.ordinal in positions and not card.told
        for outcome in into_hand(state, card, *positions[card.ordinal])
    ]
    if not told and not dealt:
        # Each request is answered, and each correction followed by a call: the last card is told once more.
        last = max(played.cards, key=lambda card: (card.side is not None, card.ordinal))
        told = list(_tell_again(state, last, positions.get(last.ordinal)))
    yield from told
    yield from dealt
    if shoe.correcting and len(known) < len(_FIRST_POSITIONS):
        for fact in told:
            state = evolve(state, fact)
        yield round_voided(state, "card_missing")
    elif not played.books_closed:
        yield BettingGoesOn()
    else:
        due = FIRST_FOUR[len(known) :]
        yield CardsDue(due) if due else CardsOut()


def _tell_again(state: State, card: RoundCard, position: Position | None) -> Iterator[facts.CardsFact | ShoeNote]:
    """The fact that replaces what was said of a card. In no hand it shows its face only if people have seen it."""
    if position is not None:
        yield from into_hand(state, card, *position)
        return
    shown = card.shown and card.face != NO_CARD
    yield facts.CardCorrected(
        table=state.table,
        shoe_number=state.shoe_in_play.number,
        round_number=state.round_in_play.number,
        revision=state.round_in_play.revision,
        card_number=card.ordinal,
        side=None,
        position=None,
        card=card.face if shown else None,
        points=POINTS[card.face] if shown else None,
    )
