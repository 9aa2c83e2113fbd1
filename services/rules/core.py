"""What must happen next at one table: the decisions of the rules service.

    round.opened     round → player
    card.dealt       player → banker → player → banker → call     the first four (article 7)
    draw.called      call → player or banker                      and its card.dealt → call
    round.decided    call → end
    round.ended      end → round
    round.voided     any but round → round

The places are the values of `State.expects`. The step that reads a card also makes its call and so leaves `call` again:
no stored state stands there, and no card is called from twice.
"""

from typing import Literal

import msgspec
from msgspec.structs import replace

from schemas.cards import POINTS, Result, is_pair
from schemas.codec import Entry
from schemas.events import Fact, RoundFact
from schemas.facts import (
    CardDealt,
    CardFoundFaceUp,
    DrawCalled,
    RoundDecided,
    RoundEnded,
    RoundOpened,
    RoundVoided,
)
from services.rules.tableau import is_natural, side_to_draw


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table's round in play, or its last. `through` counts the round's card facts, those after its end too."""

    table: str
    shoe_number: int = 0
    round_number: int = 0
    demonstration: bool = False
    player: tuple[str, ...] = ()
    banker: tuple[str, ...] = ()
    through: int = 0
    expects: Literal["round", "player", "banker", "call", "end"] = "round"


def decide(state: State, entry: Entry) -> list[Fact]:
    """The call that the entry's card makes due; the entry's fact stands in the state already."""
    return [_call(state)] if state.expects == "call" else []


def evolve(state: State, event: Fact) -> State:
    """The state after a fact of the shoe's or a call; most of what the shoe tells does not touch a round's course."""
    match event:
        case CardDealt():
            return _with_card(state, event)
        case DrawCalled():
            return replace(state, expects=event.side)
        case RoundDecided():
            return replace(state, expects="end")
        case RoundOpened():
            return _with_new_round(state, event)
        case CardFoundFaceUp():
            _assert_same_round(state, event)
            return replace(state, through=state.through + 1)
        case RoundEnded():
            _assert_same_round(state, event)
            assert state.expects == "end", "a round ends that is not decided"
            return replace(state, expects="round")
        case RoundVoided():
            _assert_same_round(state, event)
            assert state.expects != "round", "a round is void after its end"
            return replace(state, expects="round")
        case _:
            return state


def _call(state: State) -> Fact:
    player = tuple(POINTS[card] for card in state.player)
    banker = tuple(POINTS[card] for card in state.banker)
    player_total, banker_total = sum(player) % 10, sum(banker) % 10
    side = side_to_draw(player, banker)
    if side is not None:
        return DrawCalled(
            table=state.table,
            shoe_number=state.shoe_number,
            round_number=state.round_number,
            through=state.through,
            side=side,
            player_total=player_total,
            banker_total=banker_total,
            player_third_points=player[2] if len(player) == 3 else None,
        )
    return RoundDecided(
        table=state.table,
        shoe_number=state.shoe_number,
        round_number=state.round_number,
        revision=0,
        through=state.through,
        result=_result(player_total, banker_total),
        player_cards=state.player,
        banker_cards=state.banker,
        player_total=player_total,
        banker_total=banker_total,
        natural=is_natural(player, banker),
        player_pair=is_pair(state.player),
        banker_pair=is_pair(state.banker),
        demonstration=state.demonstration,
    )


def _result(player_total: int, banker_total: int) -> Result:
    """Articles 11 and 12: the higher total wins, equal totals are a tie."""
    if player_total == banker_total:
        return "tie"
    return "player" if player_total > banker_total else "banker"


def _with_new_round(state: State, event: RoundOpened) -> State:
    assert state.expects == "round", "a round opens while another is in play"
    assert (event.shoe_number, event.round_number) > (state.shoe_number, state.round_number), "a round opens again"
    return State(
        table=state.table,
        shoe_number=event.shoe_number,
        round_number=event.round_number,
        demonstration=event.demonstration,
        expects="player",
    )


def _with_card(state: State, event: CardDealt) -> State:
    """One card to the side that expects it; after the first four, each card makes a call due."""
    _assert_same_round(state, event)
    assert event.side == state.expects, f"a card for {event.side} when {state.expects} is expected"
    assert event.card is not None, "a held card, which no house rules allow yet"
    player, banker = state.player, state.banker
    if event.side == "player":
        player = (*player, event.card)
        assert event.position == len(player), "not the position of Player's next card"
    else:
        banker = (*banker, event.card)
        assert event.position == len(banker), "not the position of Banker's next card"
    expects: Literal["player", "banker", "call"] = "banker" if event.side == "player" else "player"
    if len(player) + len(banker) >= 4:
        expects = "call"
    return replace(state, player=player, banker=banker, through=state.through + 1, expects=expects)


def _assert_same_round(state: State, event: RoundFact) -> None:
    """The shoe has one round in play: no fact of another can come."""
    assert (event.shoe_number, event.round_number) == (state.shoe_number, state.round_number), (
        f"a fact of round {event.shoe_number}/{event.round_number} in {state.shoe_number}/{state.round_number}"
    )
