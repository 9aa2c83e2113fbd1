"""What must happen next at one table: the decisions of the rules service.

    round.opened    round → player
    card.dealt      player → banker; banker → player; player, banker → call, open
    card.opened     open → open, call; player → player; banker → banker
    draw.called     call → player, banker
    round.decided   call → end
    round.ended     end → round
    round.voided    any but round → round
    card.corrected  any → player, banker, open, correction, call

These are the values of `Round.expects`. The first four cards go to Player and Banker in turn (article 7). `open`: a
card lies face down and has to be opened before the next call (article 16). `correction`: more facts of a correction
have to come. After a correction the hands as they are now say what comes next, also in a round that had ended
(article 10).

The step that reads the last card before a call also makes the call. So `call` is in no stored state, and no two calls
are made from the same cards.
"""

from typing import assert_never

import msgspec
from msgspec.structs import replace

from schemas import facts
from schemas.codec import Entry
from schemas.events import RoundFact
from schemas.facts import CallsFact, CardsFact
from services.decider.part import Part
from services.rules.hands import HandCard, Round, call, with_cards


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table: its round in play, or its last one.

    `past`: the rounds before it that a physical shoe may still correct, by number.
    """

    table: str
    correctable_rounds: int = 0
    physical: bool = False
    round: Round = Round()
    past: Part[Round] = Part()


def decide(state: State, entry: Entry) -> list[CallsFact]:
    """The call that is due after the entry's card. The state holds the card already."""
    match entry.event:
        case facts.CardDealt() | facts.CardOpened() | facts.CardCorrected() as fact:
            played = _round_of(state, fact)
            return [call(state.table, played)] if played.expects == "call" else []
        case _:
            return []


def evolve(state: State, event: CardsFact | CallsFact) -> State:
    """The state after a fact of the shoe or a call. Much that the shoe tells does not touch the course of a round."""
    match event:
        case facts.CardDealt():
            return _with(state, _dealt(_round_of(state, event), event))
        case facts.DrawCalled():
            return _with(state, replace(_round_of(state, event), expects=event.side))
        case facts.RoundDecided():
            return _with(state, replace(_round_of(state, event), expects="end"))
        case facts.RoundOpened():
            return _with_new_round(state, event)
        case facts.CardOpened():
            return _with(state, _opened(_round_of(state, event), event))
        case facts.CardFoundFaceUp():
            played = _round_of(state, event)
            return _with(state, replace(played, through=played.through + 1))
        case facts.CardCorrected():
            return _with(state, _corrected(_round_of(state, event), event))
        case facts.RoundEnded():
            played = _round_of(state, event)
            assert played.expects == "end", "a round ends that is not decided"
            return _with(state, replace(played, expects="round"))
        case facts.RoundVoided():
            played = _round_of(state, event)
            assert played.expects != "round", "a round is void after its end"
            return _with(state, replace(played, expects="round"))
        case facts.ShoeStarted():
            past = state.past.with_changes(dict.fromkeys(state.past))
            return replace(state, physical=event.kind == "physical", past=past)
        case facts.TableOpened() | facts.HouseRulesChanged():
            return replace(state, correctable_rounds=event.house_rules.correctable_rounds)
        case (
            facts.TableClosed() | facts.TableHeld() | facts.TableReleased() | facts.LimitsChanged() | facts.ShoeEnded()
            | facts.ShoeSuspect() | facts.CutCardReached() | facts.CardDamaged() | facts.ScanMissed()
            | facts.MisdealDetected() | facts.HolderPassed() | facts.RequestRefused() | facts.RequestRepeated()
        ):  # fmt: skip
            return state
    assert_never(event)


def _round_of(state: State, event: RoundFact) -> Round:
    """The round in play or the last one. Only corrections are about earlier rounds."""
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
    return replace(state, past=state.past.with_item(str(played.round_number), played))


def _with_new_round(state: State, event: facts.RoundOpened) -> State:
    """The round before joins the past ones, and those that can't be corrected any more are forgotten."""
    last = state.round
    assert last.expects == "round", "a round opens while another is in play"
    assert (event.shoe_number, event.round_number) > (last.shoe_number, last.round_number), "a round opens again"
    past = state.past
    if state.physical:
        if last.shoe_number == event.shoe_number:
            past = past.with_item(str(last.round_number), last)
        oldest = event.round_number - state.correctable_rounds
        past = past.with_changes({number: None for number, played in past.items() if played.round_number <= oldest})
    opened = Round(event.shoe_number, event.round_number, event.demonstration, expects="player")
    return replace(state, round=opened, past=past)


def _dealt(played: Round, event: facts.CardDealt) -> Round:
    """One more card for the side that is expected. After the first four, each card makes a call due."""
    assert event.side == played.expects, f"a card for {event.side} when {played.expects} is expected"
    assert event.position == played.next_position(event.side), f"not the position of the next card for {event.side}"
    card = HandCard(event.card_number, event.side, event.position, event.card)
    return with_cards(played, (*played.cards, card))


def _opened(played: Round, event: facts.CardOpened) -> Round:
    card = HandCard(event.card_number, event.side, event.position, event.card)
    face_down = replace(card, card=None)
    assert face_down in played.cards, "a card is opened that is not held"
    return with_cards(played, tuple(card if other == face_down else other for other in played.cards))


def _corrected(played: Round, event: facts.CardCorrected) -> Round:
    """The card lies where this fact says, or in no hand, whatever was said of it before."""
    revision = played.revision + (played.expects == "round")
    assert event.revision == revision, f"a correction with revision {event.revision} when {revision} is expected"
    cards = tuple(card for card in played.cards if card.number != event.card_number)
    if event.side is not None:
        assert event.position is not None, "a card of a hand has a position"
        cards = (*cards, HandCard(event.card_number, event.side, event.position, event.card))
    return with_cards(replace(played, revision=revision), cards)
