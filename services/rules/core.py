"""What must happen next at one table: the decisions of the rules service.

    round.opened     round → player
    card.dealt       player → banker → player → banker → call     the first four (article 7)
    draw.called      call → player or banker                      and its card.dealt → call
    round.decided    call → end
    round.ended      end → round
    round.voided     any but round → round

A card that is dealt closed puts `open` in place of what comes behind it, until `card.opened` (article 16). Behind a
`card.corrected` the place is what the hands as they are now say, and in a round that had ended too (article 10).

The places are the values of `Round.expects`. The step that reads a card also makes its call and so leaves `call` again:
no stored state stands there, and no card is called from twice.
"""

import msgspec
from msgspec.structs import replace

from schemas.codec import Entry
from schemas.events import Fact, RoundFact
from schemas.facts import (
    CardCorrected,
    CardDealt,
    CardFoundFaceUp,
    CardOpened,
    DrawCalled,
    HouseRulesChanged,
    RoundDecided,
    RoundEnded,
    RoundOpened,
    RoundVoided,
    ShoeStarted,
    TableOpened,
)
from services.rules.hands import Placed, Round, call, with_cards


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table: its round in play, or its last, and the rounds before that a physical shoe may still correct."""

    table: str
    correctable_rounds: int = 0
    physical: bool = False
    round: Round = Round()
    past: dict[str, Round] = {}


def decide(state: State, entry: Entry) -> list[Fact]:
    """The call that the entry's card makes due; the entry's fact stands in the state already."""
    match entry.event:
        case CardDealt() | CardOpened() | CardCorrected() as fact:
            played = _round_of(state, fact)
            return [call(state.table, played)] if played.expects == "call" else []
        case _:
            return []


def evolve(state: State, event: Fact) -> State:
    """The state after a fact of the shoe's or a call; most of what the shoe tells does not touch a round's course."""
    match event:
        case CardDealt():
            return _with(state, _dealt(_round_of(state, event), event))
        case DrawCalled():
            return _with(state, replace(_round_of(state, event), expects=event.side))
        case RoundDecided():
            return _with(state, replace(_round_of(state, event), expects="end"))
        case RoundOpened():
            return _with_new_round(state, event)
        case CardOpened():
            return _with(state, _opened(_round_of(state, event), event))
        case CardFoundFaceUp():
            played = _round_of(state, event)
            return _with(state, replace(played, through=played.through + 1))
        case CardCorrected():
            return _with(state, _corrected(_round_of(state, event), event))
        case RoundEnded():
            played = _round_of(state, event)
            assert played.expects == "end", "a round ends that is not decided"
            return _with(state, replace(played, expects="round"))
        case RoundVoided():
            played = _round_of(state, event)
            assert played.expects != "round", "a round is void after its end"
            return _with(state, replace(played, expects="round"))
        case ShoeStarted():
            return replace(state, physical=event.kind == "physical", past={})
        case TableOpened() | HouseRulesChanged():
            return replace(state, correctable_rounds=event.house_rules.correctable_rounds)
        case _:
            return state


def _round_of(state: State, event: RoundFact) -> Round:
    """The round in play or the last one; only corrections are about earlier ones."""
    played = state.round
    if event.round_number != played.round_number:
        played = state.past.get(str(event.round_number), played)
    assert (event.shoe_number, event.round_number) == (played.shoe_number, played.round_number), (
        f"a fact of round {event.shoe_number}/{event.round_number} in {played.shoe_number}/{played.round_number}"
    )
    return played


def _with(state: State, played: Round) -> State:
    if played.round_number == state.round.round_number:
        return replace(state, round=played)
    return replace(state, past={**state.past, str(played.round_number): played})


def _with_new_round(state: State, event: RoundOpened) -> State:
    last = state.round
    assert last.expects == "round", "a round opens while another is in play"
    assert (event.shoe_number, event.round_number) > (last.shoe_number, last.round_number), "a round opens again"
    past = state.past
    if state.physical:
        known = {**past, str(last.round_number): last} if last.shoe_number == event.shoe_number else past
        oldest = event.round_number - state.correctable_rounds
        past = {number: played for number, played in known.items() if played.round_number > oldest}
    opened = Round(event.shoe_number, event.round_number, event.demonstration, expects="player")
    return replace(state, round=opened, past=past)


def _dealt(played: Round, event: CardDealt) -> Round:
    """One card to the side that expects it; after the first four, each card makes a call due."""
    assert event.side == played.expects, f"a card for {event.side} when {played.expects} is expected"
    assert event.position == played.next_position(event.side), f"not the position of the next card for {event.side}"
    card = Placed(event.card_number, event.side, event.position, event.card)
    return with_cards(played, (*played.cards, card))


def _opened(played: Round, event: CardOpened) -> Round:
    card = Placed(event.card_number, event.side, event.position, event.card)
    closed = replace(card, card=None)
    assert closed in played.cards, "a card is opened that is not held"
    return with_cards(played, tuple(card if other == closed else other for other in played.cards))


def _corrected(played: Round, event: CardCorrected) -> Round:
    """The card is where this fact says, or in no hand, whatever was said of it before."""
    revision = played.revision + (played.expects == "round")
    assert event.revision == revision, f"a correction with revision {event.revision} when {revision} is expected"
    cards = tuple(card for card in played.cards if card.number != event.card_number)
    if event.side is not None:
        assert event.position is not None, "a card of a hand has a position"
        cards = (*cards, Placed(event.card_number, event.side, event.position, event.card))
    return with_cards(replace(played, revision=revision), cards)
