"""A round that does not count: every stake is returned, except for the pairs that stand (article 10)."""

from schemas import facts, requests
from schemas.cards import Side, is_pair
from services.decider.refusal import Refusal
from services.shoe.decisions.drawn import NO_KEY, Drawn
from services.shoe.table.notes import ClosedFacesKnown, Outcome, ShoeGoesOn
from services.shoe.table.state import KEY_LOST, State


def void_round(state: State, request: requests.RoundVoid, drawn: Drawn) -> list[Outcome] | Refusal:
    """The console voids the round in play. A physical shoe goes on with `next_ordinal`."""
    if refusal := _refuse_next_ordinal(state, request.next_ordinal):
        return refusal
    shoe = state.shoe_in_play
    if shoe.kind == "virtual":
        return void_virtual_round(state, request.reason, drawn) if drawn.key else NO_KEY
    voided = round_voided(state, request.reason)
    return [ShoeGoesOn(shoe.faces_to if request.next_ordinal is None else request.next_ordinal), voided]


def void_virtual_round(state: State, reason: str, drawn: Drawn) -> list[Outcome]:
    """The end of a virtual round without a result. The cards that lie face down leave what is unseen."""
    return [*closed_faces(state, drawn), round_voided(state, reason, drawn.key)]


def closed_faces(state: State, drawn: Drawn) -> list[ClosedFacesKnown]:
    """What lies face down in a virtual round that is about to be over."""
    cards = state.round_in_play.cards
    closed = tuple(face for card, face in zip(cards, drawn.cards, strict=False) if not card.shown)
    return [ClosedFacesKnown(closed)] if closed else []


def lose_key(state: State, request: requests.KeyLost, drawn: Drawn) -> list[Outcome] | Refusal:
    """The key of the round is lost: the round is void, and its shoe ends when its books are settled."""
    if state.shoe_in_play.kind == "physical":
        return Refusal("card_not_expected", "the shoe is physical: its rounds have no key")
    if request.approved_by in (None, request.operator):
        return Refusal("approval_missing", f"approved_by: another person than {request.operator} has to approve")
    if drawn.key or drawn.elsewhere:
        return Refusal("key_not_lost", "a replica of the shoe has the key of this round")
    return [round_voided(state, KEY_LOST)]


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


def round_voided(state: State, reason: str, key: str | None = None) -> facts.RoundVoided:
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
        key=key,
    )


def _pair(state: State, side: Side) -> bool | None:
    """Whether a hand's first two cards are a pair. Null unless both were rightly dealt and are shown."""
    played = state.round_in_play
    first_two = [card for card in played.hand(side) if card.position in (1, 2)]
    doubted = played.doubted_from is not None and any(card.ordinal >= played.doubted_from for card in first_two)
    if len(first_two) < 2 or doubted or not all(card.shown for card in first_two):
        return None
    return is_pair(tuple(card.face for card in first_two))
