"""Held cards (article 16): dealt closed, opened by a side's holder or the dealer, handed on to another bettor."""

from schemas import facts, requests
from schemas.cards import POINTS
from services.decider.refusal import Refusal
from services.shoe.decisions.refusing import refuse_round, refuse_shoe
from services.shoe.table.state import Holding, State


def open_card(state: State, request: requests.CardOpen) -> list[object] | Refusal:
    """A closed card shows its face. The dealer may open any, a bettor those of the side that he holds."""
    if refusal := _refuse(state, request):
        return refusal
    shoe, played = state.shoe_in_play, state.round_in_play
    place = (request.side, request.position)
    card = next((card for card in played.cards if (card.side, card.position) == place), None)
    if played.holding is None or card is None or card.shown:
        return Refusal("card_not_expected", f"no closed card lies at {request.side}'s position {request.position}")
    if request.opened_by not in (None, _holder(played.holding, request)):
        return Refusal("not_your_seat", f"opened_by: {request.opened_by!r} does not hold the cards of {request.side}")
    return [
        facts.CardOpened(
            table=state.table,
            shoe_number=shoe.number,
            round_number=played.number,
            card_number=card.number,
            side=request.side,
            position=request.position,
            card=card.face,
            points=POINTS[card.face],
            opened_by=request.opened_by,
        )
    ]


def pass_cards(state: State, request: requests.HolderPass) -> list[object] | Refusal:
    """A side's cards go to another bettor with a seated stake on it, or to the dealer."""
    if refusal := _refuse(state, request):
        return refusal
    shoe, played = state.shoe_in_play, state.round_in_play
    if played.holding is None:
        return Refusal("card_not_expected", "no card is held in this round yet")
    holding, holder = played.holding, _holder(played.holding, request)
    bettors = holding.player_bettors if request.side == "player" else holding.banker_bettors
    if request.to is not None and request.to not in bettors:
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


def _holder(holding: Holding, request: requests.CardOpen | requests.HolderPass) -> str | None:
    return holding.player if request.side == "player" else holding.banker


def _refuse(state: State, request: requests.CardOpen | requests.HolderPass) -> Refusal | None:
    if refusal := refuse_shoe(state, request.shoe_number):
        return refusal
    shoe, last = state.shoe_in_play, state.shoe_in_play.round_number
    expected = last + shoe.between_rounds
    if refusal := refuse_round(request.round_number, last=last, expected=expected):
        return refusal
    if shoe.between_rounds:
        return Refusal("wrong_round", f"round {expected} is not open")
    if not state.rules_in_force.holding:
        return Refusal("not_offered", "the house has no card holding")
    return None
