"""A round that does not count: every stake is returned, but for the pairs that stand (article 10)."""

from schemas import facts, requests
from schemas.cards import Side, is_pair
from services.decider.refusal import Refusal
from services.shoe.decisions.refusing import refuse_round, refuse_shoe
from services.shoe.table.notes import ShoeGoesOn
from services.shoe.table.state import State


def void_round(state: State, request: requests.RoundVoid) -> list[object] | Refusal:
    """The console voids the round in play; a physical shoe goes on with `next_ordinal`."""
    refusal = refuse_shoe(state, request.shoe_number)
    if refusal and refusal.reason != "shoe_finished":
        return refusal
    assert state.shoe is not None, "a missing shoe was refused"
    shoe, last = state.shoe, state.shoe.round_number
    expected = last + shoe.between_rounds
    if round_refusal := refuse_round(request.round_number, last=last, expected=expected):
        return round_refusal
    if refusal:
        return refusal
    if shoe.between_rounds:
        return Refusal("wrong_round", f"round {expected} is not open")
    if refusal := _refuse_next_ordinal(state, request.next_ordinal):
        return refusal
    voided = round_voided(state, request.reason)
    if shoe.kind == "virtual":
        return [voided]
    return [ShoeGoesOn(shoe.faces_to if request.next_ordinal is None else request.next_ordinal), voided]


def _refuse_next_ordinal(state: State, next_ordinal: int | None) -> Refusal | None:
    """The shoe goes on behind the cards in hands, and at most behind its last card."""
    if next_ordinal is None:
        return None
    shoe, played = state.shoe_in_play, state.round_in_play
    if shoe.kind == "virtual":
        return Refusal("out_of_range", "next_ordinal: a virtual shoe has none")
    in_hands = [card.number for card in played.cards if card.side is not None]
    lowest = max(in_hands) + 1 if in_hands else played.hands_from
    highest = shoe.faces_from + 52 * state.rules_in_force.decks + shoe.read_twice
    if not lowest <= next_ordinal <= highest:
        return Refusal("out_of_range", f"next_ordinal: allowed are {lowest} to {highest}")
    return None


def round_voided(state: State, reason: str) -> facts.RoundVoided:
    """The end of the round in play, or of the one that is corrected, without a result."""
    shoe, played = state.shoe_in_play, state.round_in_play
    keeps_pairs = state.rules_in_force.void_keeps_pairs
    return facts.RoundVoided(
        table=state.table,
        shoe_number=shoe.number,
        round_number=played.number,
        revision=played.revision,
        reason=reason,
        player_pair=_pair(state, "player") if keeps_pairs else None,
        banker_pair=_pair(state, "banker") if keeps_pairs else None,
    )


def _pair(state: State, side: Side) -> bool | None:
    """Whether a hand's first two cards, rightly dealt and open, are a pair; null where they are not that."""
    played = state.round_in_play
    first_two = [card for card in played.hand(side) if card.position in (1, 2)]
    doubted = played.doubted_from is not None and any(card.number >= played.doubted_from for card in first_two)
    if len(first_two) < 2 or doubted or not all(card.shown for card in first_two):
        return None
    return is_pair(tuple(card.face for card in first_two))
