"""Card holding (article 16): cards lie face down until the holder of their side, or the dealer, opens them."""

from schemas import facts, requests
from schemas.cards import POINTS
from services.decider.refusal import Refusal
from services.shoe.decisions.drawn import NO_KEY, Drawn
from services.shoe.table.notes import Outcome
from services.shoe.table.state import State


def open_card(state: State, request: requests.CardOpen, drawn: Drawn) -> list[Outcome] | Refusal:
    """A card that lies face down is opened. The dealer may open any card, a bettor those of the side that he holds."""
    if refusal := _refuse_holding(state):
        return refusal
    shoe, played, holding = state.shoe_in_play, state.round_in_play, state.round_in_play.holding
    asked = (request.side, request.position)
    card = next((card for card in played.cards if (card.side, card.position) == asked), None)
    if holding is None or card is None or card.shown:
        return Refusal("card_not_expected", f"no closed card lies at {request.side}'s position {request.position}")
    if request.opened_by not in (None, holding.holder(request.side)):
        return Refusal("not_your_seat", f"opened_by: {request.opened_by!r} does not hold the cards of {request.side}")
    face = card.face
    if shoe.kind == "virtual":
        if drawn.key is None:
            return NO_KEY
        face = drawn.cards[played.cards.index(card)]
    return [
        facts.CardOpened(
            table=state.table,
            shoe_number=shoe.number,
            round_number=played.number,
            card_number=card.ordinal,
            side=request.side,
            position=request.position,
            card=face,
            points=POINTS[face],
            opened_by=request.opened_by,
        )
    ]


def pass_cards(state: State, request: requests.HolderPass) -> list[Outcome] | Refusal:
    """The cards of a side go to another bettor with a seated stake on it, or to the dealer."""
    if refusal := _refuse_holding(state):
        return refusal
    shoe, played, holding = state.shoe_in_play, state.round_in_play, state.round_in_play.holding
    if holding is None:
        return Refusal("card_not_expected", "no card is held in this round yet")
    holder = holding.holder(request.side)
    if request.to is not None and request.to not in holding.bettors(request.side):
        return Refusal("no_stake", f"to: {request.to!r} has no seated stake on {request.side}")
    if request.to == holder:
        return Refusal("out_of_range", f"to: holds the cards of {request.side} already, allowed: another")
    return [
        facts.HolderPassed(
            table=state.table,
            shoe_number=shoe.number,
            round_number=played.number,
            side=request.side,
            from_holder=holder,
            to_holder=request.to,
        )
    ]


def _refuse_holding(state: State) -> Refusal | None:
    return None if state.rules_in_force.holding else Refusal("not_offered", "the house has no card holding")
