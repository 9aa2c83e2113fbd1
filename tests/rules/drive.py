"""A table for the rules core alone: deals cards as a shoe would and answers the calls, keeping every state and call."""

from collections.abc import Sequence
from itertools import cycle
from typing import Any, cast

from schemas.cards import POINTS, Side
from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import (
    CardCorrected,
    CardDealt,
    CardFoundFaceUp,
    CardOpened,
    DrawCalled,
    RoundDecided,
    RoundEnded,
    RoundOpened,
    RoundResult,
    RoundVoided,
)
from services.rules.core import State, decide, evolve

TABLE, SHOE, ROUND = "macau-1", 3, 7


def opened(*, shoe: int = SHOE, round_number: int = ROUND, demonstration: bool = False) -> RoundOpened:
    return RoundOpened(
        table=TABLE,
        shoe_number=shoe,
        round_number=round_number,
        demonstration=demonstration,
        burned=0,
        cards_left=300,
        last_round=False,
        limits_version=1,
    )


def a_side(name: str) -> Side:
    return "player" if name == "player" else "banker"


def number_of(side: str, position: int) -> int:
    """Cards 21 to 26 in the order of a round in which both sides draw."""
    return (
        20
        + [("player", 1), ("banker", 1), ("player", 2), ("banker", 2), ("player", 3), ("banker", 3)].index(
            (side, position)
        )
        + 1
    )


def dealt(side: str, position: int, card: str | None, number: int | None = None) -> CardDealt:
    return CardDealt(
        table=TABLE,
        shoe_number=SHOE,
        round_number=ROUND,
        card_number=number or number_of(side, position),
        side=a_side(side),
        position=position,
        card=card,
        points=POINTS[card] if card else None,
    )


def card_opened(side: str, position: int, card: str) -> CardOpened:
    return CardOpened(
        table=TABLE,
        shoe_number=SHOE,
        round_number=ROUND,
        card_number=number_of(side, position),
        side=a_side(side),
        position=position,
        card=card,
        points=POINTS[card],
        opened_by=None,
    )


def corrected(
    number: int,
    side: str | None = None,
    position: int | None = None,
    card: str | None = None,
    *,
    revision: int = 0,
    round_number: int = ROUND,
) -> CardCorrected:
    return CardCorrected(
        table=TABLE,
        shoe_number=SHOE,
        round_number=round_number,
        revision=revision,
        card_number=number,
        side=None if side is None else a_side(side),
        position=position,
        card=card,
        points=POINTS[card] if card else None,
    )


def ended(decided: RoundDecided) -> RoundEnded:
    """The end as the shoe writes it: what was decided, without `through`."""
    fields = {name: getattr(decided, name) for name in RoundResult.__struct_fields__}
    return RoundEnded(**fields)


def face_up() -> CardFoundFaceUp:
    return CardFoundFaceUp(table=TABLE, shoe_number=SHOE, round_number=ROUND, card_number=30)


def voided(*, round_number: int = ROUND) -> RoundVoided:
    return RoundVoided(table=TABLE, shoe_number=SHOE, round_number=round_number, revision=0, reason="misdeal")


def step(state: State, fact: Fact) -> tuple[State, list[Fact]]:
    """What the runtime does with one fact of the shoe's: evolve, decide, evolve the outcomes."""
    entry = Entry(stream="cards", entry_id="1-0", source="/baccarat/p/shoe", id="x", type=fact.type, event=fact)
    state = evolve(state, cast(Any, fact))
    calls = decide(state, entry)
    for call in calls:
        state = evolve(state, call)
    return state, [*calls]


def steps(facts: Sequence[Fact], state: State | None = None) -> tuple[State, list[Fact]]:
    """Every call that these facts bring about, in order, and the state behind them."""
    state, calls = state or State(table=TABLE), []
    for fact in facts:
        state, new = step(state, fact)
        calls += new
    return state, calls


def first_four(player: Sequence[str], banker: Sequence[str]) -> list[Fact]:
    """A round's opening and its first four cards, Player, Banker, Player, Banker."""
    return [
        opened(),
        dealt("player", 1, player[0]),
        dealt("banker", 1, banker[0]),
        dealt("player", 2, player[1]),
        dealt("banker", 2, banker[1]),
    ]


def play(cards: Sequence[str]) -> tuple[list[DrawCalled], RoundDecided]:
    """Deal these cards in order until the round is decided: the draws called, and the decision."""
    state, _ = step(State(table=TABLE), opened())
    hands: dict[str, int] = {"player": 0, "banker": 0}
    draws: list[DrawCalled] = []
    sides = cycle(("player", "banker"))
    for number, card in enumerate(cards):
        side = next(sides) if number < 4 else draws[-1].side
        hands[side] += 1
        state, calls = step(state, dealt(side, hands[side], card))
        assert len(calls) == (number >= 3), "a call after each card from the fourth on, and none before"
        for call in calls:
            if isinstance(call, RoundDecided):
                return draws, call
            assert isinstance(call, DrawCalled)
            draws.append(call)
    raise AssertionError("the cards ran out before the decision")


def deal_order(player: Sequence[str], banker: Sequence[str]) -> list[str]:
    """The cards of two finished hands in the order in which they left the shoe."""
    return [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]


def a_decision() -> RoundDecided:
    """Player 9 against Banker 7."""
    return play(["9S", "7S", "KH", "QH"])[1]
