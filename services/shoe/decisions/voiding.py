"""A round that does not count: every stake is returned, except for the pairs that stand (article 10)."""

from schemas import facts, requests
from schemas.cards import Side, is_pair
from services.decider.refusal import Refusal
from services.shoe.table.notes import Outcome, ShoeGoesOn
from services.shoe.table.state import State


def void_round(state: State, request: requests.RoundVoid) -> list[Outcome] | Refusal:
    """The console voids the round in play. A physical shoe goes on with `next_ordinal`."""
    if refusal := _refuse_next_ordinal(state, request.next_ordinal):
        return refusal
    shoe, voided = state.shoe_in_play, round_voided(state, request.reason)
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
    in_hands = [card.ordinal for card in played.cards if card.side is not None]
    lowest = max(in_hands) + 1 if in_hands else played.hands_from
    highest = shoe.faces_from + 52 * state.rules_in_force.decks + shoe.read_twice
    if not lowest <= next_ordinal <= highest:
        return Refusal("out_of_range", f"next_ordinal: allowed are {lowest} to {highest}")
    return None


def round_voided(state: State, reason: str) -> facts.RoundVoided:
    """The end of the round in play, or of the round that is corrected, without a result."""
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
    """Whether a hand's first two cards are a pair. Null unless both were rightly dealt and are shown."""
    played = state.round_in_play
    first_two = [card for card in played.hand(side) if card.position in (1, 2)]
    doubted = played.doubted_from is not None and any(card.ordinal >= played.doubted_from for card in first_two)
    if len(first_two) < 2 or doubted or not all(card.shown for card in first_two):
        return None
    return is_pair(tuple(card.face for card in first_two))
