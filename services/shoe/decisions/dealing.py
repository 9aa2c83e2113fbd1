"""Cards out of the shoe into the hands: the first four, the draws, and the cut card before them (articles 3 to 9)."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from schemas import facts
from schemas.cards import POINTS, Side
from schemas.codec import Entry
from schemas.events import RoundFact
from services.decider.outcome import LateAnswer
from services.shoe.decisions.drawn import Drawn
from services.shoe.decisions.voiding import void_virtual_round
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import BooksClosed, CardsDue, CardsOut, KeyAwaited, Outcome, ShoeNote
from services.shoe.table.state import FAILED, Holding, RoundCard, State

# Article 7: one at a time, Player first.
FIRST_FOUR: Final[tuple[Side, ...]] = ("player", "banker", "player", "banker")
# Article 3: a round never starts that the shoe cannot finish.
ROUND_CARDS_MAX: Final = 6


def books_close_for(state: State, closed: facts.BettingClosed) -> bool:
    """Whether cards are due after this close. Its round may be void or misdealt by now."""
    played = state.round_of(closed)
    return played is not None and played.phase == "betting"


def close_books(state: State, entry: Entry, closed: facts.BettingClosed, drawn: Drawn) -> list[Outcome]:
    """The first four cards are due. In a misdealt round they will be when it is put right.

    All cards of a virtual round come from the chain of this very close, whatever happens before they are dealt.
    """
    played = state.round_of(closed)
    if played is None or played.phase not in ("betting", "misdealt"):
        return []
    seed = entry.chain if state.shoe_in_play.kind == "virtual" else ""
    note = BooksClosed(_holding(closed) if state.rules_in_force.holding else None, seed)
    if played.phase == "misdealt":
        return [note]
    return [note, *deal_due(evolve(state, note), entry, FIRST_FOUR, drawn)]


def _holding(closed: facts.BettingClosed) -> Holding:
    return Holding(
        closed.player_holder,
        closed.banker_holder,
        tuple(seat.bettor_id for seat in closed.player_seats),
        tuple(seat.bettor_id for seat in closed.banker_seats),
    )


def call_fits(state: State, call: facts.DrawCalled | facts.RoundDecided) -> bool:
    """Whether a call was made from all cards of the current round. Any other call comes too late and is ignored."""
    played = state.round_of(call)
    return played is not None and played.phase == "calling" and played.card_facts == call.through


def deal_due(state: State, entry: Entry, sides: tuple[Side, ...], drawn: Drawn) -> list[Outcome]:
    """These sides get cards. While the table is held, they only stay due."""
    due = CardsDue(sides)
    return [due] if state.held else [due, *deal_now(state, entry.place, sides, drawn)]


def deal_now(state: State, place: str, sides: tuple[Side, ...], drawn: Drawn) -> list[Outcome]:
    """The sides that are due get cards: of a virtual shoe all at once, of a physical one as far as they are out.

    Without the key of a virtual round they stay due. A round of which cards were dealt from another seed is void.
    """
    shoe, played = state.shoe_in_play, state.round_in_play
    if shoe.kind == "physical":
        return list(_deal(state, place, sides, _ready(played.waiting)))
    if drawn.key is None:
        return [KeyAwaited(place)]
    if drawn.seed_changed:
        return void_virtual_round(state, "history_lost", drawn)
    faces = drawn.cards[len(played.cards) :]
    assert len(faces) >= len(sides), "the wiring draws what is wanted"
    pulled = [RoundCard(ordinal, face) for ordinal, face in enumerate(faces, shoe.next_ordinal)]
    return list(_deal(state, place, sides, pulled))


def deal_waiting(state: State, entry: Entry, sides: tuple[Side, ...], queue: Sequence[RoundCard]) -> list[Outcome]:
    """The sides that are due get the cards of a physical shoe that wait, up to the first one that was not read."""
    return list(_deal(state, entry.place, sides, _ready(queue)))


def _ready(queue: Sequence[RoundCard]) -> list[RoundCard]:
    return list(takewhile(lambda card: card.face != FAILED, queue))


def _deal(state: State, place: str, sides: tuple[Side, ...], pulled: Sequence[RoundCard]) -> Iterator[Outcome]:
    played = state.round_in_play
    in_hand = {"player": played.player_card_count, "banker": played.banker_card_count}
    cut_card_seen = False
    for side, card in zip(sides, pulled, strict=False):
        in_hand[side] += 1
        if not cut_card_seen and (reached := cut_card_before(state, card.ordinal)):
            cut_card_seen = True
            yield from reached
        for outcome in into_hand(state, card, side, in_hand[side]):
            if isinstance(outcome, RoundFact) and card.place not in ("", place):
                yield LateAnswer(outcome, card.place)
            else:
                yield outcome
    if len(pulled) >= len(sides):
        yield CardsOut()


def into_hand(state: State, card: RoundCard, side: Side, position: int) -> Iterator[facts.CardsFact | ShoeNote]:
    """A card goes into a hand. If a fact has put it into a hand before, this is a correction (article 10).

    Under card holding it lies face down, unless somebody has seen its face (articles 4 and 16).
    """
    shoe, played = state.shoe_in_play, state.round_in_play
    face_down = played.holding is not None and not (card.shown or card.face_up)
    face, points = (None, None) if face_down else (card.face, POINTS[card.face])
    if card.told:
        yield facts.CardCorrected(
            table=state.table,
            shoe_number=shoe.number,
            round_number=played.number,
            revision=played.revision,
            card_number=card.ordinal,
            side=side,
            position=position,
            card=face,
            points=points,
        )
        return
    if card.face_up:
        yield facts.CardFoundFaceUp(
            table=state.table, shoe_number=shoe.number, round_number=played.number, card_number=card.ordinal
        )
    yield facts.CardDealt(
        table=state.table,
        shoe_number=shoe.number,
        round_number=played.number,
        card_number=card.ordinal,
        side=side,
        position=position,
        card=face,
        points=points,
    )


def cut_card_before(state: State, ordinal: int) -> list[facts.CutCardReached]:
    """The cut card, if it lay before this card of the round in play and nobody has seen it yet (article 3).

    The cut card may come out when the round's first card is due. Then the house rules say which round it counts for.
    Burned cards do not count as the round's first card.
    """
    shoe, rules, played = state.shoe_in_play, state.rules_in_force, state.round_in_play
    if shoe.cut_card is None or shoe.last_round is not None or ordinal < shoe.cut_card:
        return []
    is_last = rules.cut_card_first_counts == "last" and shoe.cut_card <= played.hands_from
    return [
        facts.CutCardReached(
            table=state.table,
            shoe_number=shoe.number,
            round_number=played.number,
            card_number=shoe.cut_card,
            last_round=played.number + (0 if is_last else rules.rounds_after_cut_card),
        )
    ]


def misdeal(state: State, ordinal: int, reason: str, round_number: int | None) -> facts.MisdealDetected:
    """A physical card that no hand takes. With a round's number, that round waits for the console."""
    shoe = state.shoe_in_play
    return facts.MisdealDetected(
        table=state.table,
        shoe_number=shoe.number,
        round_number=round_number,
        ordinal=ordinal,
        expected_ordinal=max(shoe.next_ordinal, shoe.faces_to) if shoe.between_rounds else shoe.next_ordinal,
        reason=reason,
    )
