"""The end of a round, of a shoe and of a table (articles 3 and 10)."""

from itertools import takewhile

from schemas import facts, requests
from schemas.cards import CARDS
from services.decider.refusal import Refusal
from services.shoe.decisions.dealing import ROUND_CARDS_MAX, misdeal
from services.shoe.decisions.drawn import Drawn
from services.shoe.decisions.refusing import refuse_running
from services.shoe.decisions.suspecting import suspicions
from services.shoe.decisions.voiding import closed_faces
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import BooksSettled, DecisionWaits, KeyAwaited, LeftoverCardsKept, Outcome
from services.shoe.table.state import KEY_LOST, NO_CARD, RoundCard, State


def end_round(state: State, decided: facts.RoundDecided, place: str, drawn: Drawn) -> list[Outcome]:
    """The round ends as rules decided. A card of a physical shoe that still waits is in no hand.

    A virtual round shows its key. As long as the key is missing, the decision of `place` waits.
    """
    if state.shoe_in_play.kind == "virtual" and drawn.key is None:
        return [DecisionWaits(decided), KeyAwaited(place)]
    result = {field: getattr(decided, field) for field in facts.RoundResult.__struct_fields__}
    ended = facts.RoundEnded(**result, key=drawn.key)
    if state.shoe_in_play.kind == "virtual":
        return [*closed_faces(state, drawn), ended]
    if state.shoe_in_play.correcting:
        return [ended]
    left_over = _left_over(state)
    surplus = [
        misdeal(state, card.ordinal, "next_round" if card in left_over else "surplus_card", None)
        for card in state.round_in_play.waiting
    ]
    kept = [LeftoverCardsKept(left_over[0].ordinal)] if left_over else []
    return [*kept, ended, *surplus, *suspicions(state)]


def _left_over(state: State) -> list[RoundCard]:
    """The last cards out that the house rules keep for the next round, because nobody has seen them (article 10)."""
    if state.rules_in_force.surplus_card != "next_round":
        return []
    unused = takewhile(
        lambda card: card.side is None and card.face != NO_CARD and not (card.shown or card.face_up),
        reversed(state.round_in_play.cards),
    )
    return list(unused)[::-1]


def settle(state: State, settled: facts.RoundSettled) -> list[Outcome]:
    """The books of the round are settled, so the shoe may end."""
    played = state.round_of(settled)
    if played is None or played.phase != "over" or played.revision != settled.revision:
        return []
    note = BooksSettled(carried_out=settled.carried_out_minor > 0)
    return [note, *end_finished_shoe(evolve(state, note))]


def end_finished_shoe(state: State) -> list[facts.ShoeEnded]:
    """The shoe ends between rounds if a key is lost, a card damaged, its last round over, or too few cards are left.

    While the table is held nothing ends.
    """
    shoe, rules = state.shoe_in_play, state.rules_in_force
    if state.held:
        return []
    if shoe.key_lost:
        return [_shoe_ended(state, KEY_LOST)]
    if shoe.damaged:
        return [_shoe_ended(state, "damaged_card")]
    if shoe.last_round is not None and shoe.round_number >= shoe.last_round:
        return [_shoe_ended(state, "cut_card")]
    if state.cards_left < ROUND_CARDS_MAX + rules.burn_each_round:
        return [_shoe_ended(state, "too_few_cards")]
    return []


def end_shoe(state: State, request: requests.ShoeEnd) -> list[Outcome]:
    """The house changes the shoe after any round."""
    return [_shoe_ended(state, request.reason)]


def close_table(state: State) -> list[Outcome] | Refusal:
    """The table closes between rounds, and its shoe ends with it."""
    table_closed = facts.TableClosed(table=state.table, reason="request")
    if state.shoe is None or state.shoe.ended:
        return [table_closed]
    return refuse_running(state) or [_shoe_ended(state, "table_closed"), table_closed]


def _shoe_ended(state: State, reason: str) -> facts.ShoeEnded:
    """The count of all cards of the shoe and, of a physical one, the cards that nobody read."""
    shoe = state.shoe_in_play
    read = shoe.kind == "physical" and state.rules_in_force.dealing == "shoe"
    missing = {card: copies for card, copies in zip(CARDS, state.unseen, strict=True) if copies and read}
    return facts.ShoeEnded(
        table=state.table,
        shoe_number=shoe.number,
        reason=reason,
        rounds=shoe.round_number,
        dealt=shoe.dealt,
        burned_seen=shoe.burned_seen,
        burned_unseen=shoe.burned_unseen,
        surplus=shoe.surplus,
        left=state.cards_left,
        missing=missing,
    )
