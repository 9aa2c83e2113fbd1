"""Article 10 whatever happens: scans go wrong in every way, calls are late; the hands are those of the final order."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import facts
from schemas.cards import CARDS
from services.shoe.table.state import NO_CARD
from tests.shoe.loop import Loop, hands_of
from tests.shoe.table import house_rules

SCANS = ["right", "right", "right", "right", "right", "right", "wrong", "failed", "missed", "twice"]
steps = st.sampled_from(["scan", "scan", "scan", "scan", "call", "open", "correct", "close", "again", "enter"])


class Felt:
    """A round's cards as they really left the shoe, and what the shoe said of them."""

    def __init__(self, cards: list[str], *, holding: bool, prompt: bool, all_named: bool) -> None:
        self.loop = Loop(house_rules(decks=8, holding=holding), prompt=prompt)
        self.loop.open()
        self.loop.load("physical")
        self.loop.open_round(1)
        self.cards = cards
        self.real: dict[int, str | None] = {}
        self.unread: set[int] = set()
        self.all_named = all_named

    def scan(self, how: str) -> None:
        """The next card leaves the shoe."""
        ordinal, card = len(self.real) + 1, self.cards[sum(card is not None for card in self.real.values())]
        self.real[ordinal] = card
        said = {"failed": None, "wrong": CARDS[(CARDS.index(card) + 5) % 52]}.get(how, card)
        if how in ("failed", "missed"):
            self.unread.add(ordinal)
        if how != "missed":
            self.loop.scan(ordinal, said)
        if how == "twice":
            self.real[ordinal + 1] = None
            self.loop.scan(ordinal + 1, card)

    def enter(self) -> None:
        """What was not read is entered by hand, if there is any."""
        if self.unread:
            ordinal = min(self.unread)
            self.unread.remove(ordinal)
            self.loop.scan(ordinal, self.real[ordinal])

    def step(self, what: str, data: Any) -> None:
        loop, played = self.loop, self.loop.state.shoe_in_play.round
        assert played is not None
        match what:
            case "scan" if len(self.real) < 11:
                self.scan(data.draw(st.sampled_from(SCANS)))
            case "enter":
                self.enter()
            case "again" if self.real:
                loop.scan(1, self.real[1])
            case "call" if loop.calls:
                loop.take(loop.calls.pop(0))
            case "close":
                loop.close_betting(1)
            case "open":
                self.open_cards(limit=1)
            case "correct":
                ordinals = data.draw(st.lists(st.sampled_from(sorted(self.real) or [1]), unique=True))
                loop.correct(1, {ordinal: self.real.get(ordinal) for ordinal in ordinals})
            case _:
                pass

    def open_cards(self, limit: int = 6) -> None:
        played = self.loop.state.shoe_in_play.round
        assert played is not None
        closed = [card for card in played.cards if card.side and not card.shown]
        for card in closed[:limit]:
            assert card.side is not None
            assert card.position is not None
            self.loop.open_card(1, card.side, card.position)

    def real_of_the_round(self) -> list[str | None]:
        """What really was at each ordinal that the shoe knows as this round's."""
        return [self.real[card.ordinal] for card in self.loop.state.past["1"].cards]

    def readings(self, known: dict[int, str]) -> dict[int, str | None]:
        """What the console names: every card, or only those that were read wrongly."""
        return {
            number: self.real[number]
            for number, face in known.items()
            if self.all_named or face != (self.real[number] or NO_CARD)
        }

    def put_right(self) -> facts.RoundEnded | facts.RoundVoided:
        """A settled round whose readings are not what they were is corrected; how it ended for good."""
        loop, known = self.loop, self.loop.state.past["1"].cards
        wrong = any(card.face != (self.real[card.ordinal] or NO_CARD) for card in known)
        if wrong:
            loop.correct(1, self.readings({card.ordinal: card.face for card in known}))
            while loop.calls:
                loop.take(loop.calls.pop(0))
        end = [fact for fact in loop.facts if isinstance(fact, facts.RoundEnded | facts.RoundVoided)]
        assert [fact.revision for fact in end] == list(range(1 + wrong))
        return end[-1]

    def finish(self) -> None:
        """The floor answers every wait, and last puts every reading right."""
        self.loop.close_betting(1)
        if self.real:
            while self.unread:
                self.enter()
            self.loop.correct(1, self.readings({n: self.loop.state.shoe_in_play.face(n) for n in self.real}))
        for _ in range(20):
            self.open_cards()
            while self.loop.calls:
                self.loop.take(self.loop.calls.pop(0))
            played = self.loop.state.shoe_in_play.round
            assert played is not None
            if not played.in_play:
                return
            if played.due:
                self.scan("right")
        pytest.fail("the round does not end")


@settings(max_examples=300, deadline=None)
@given(st.permutations(CARDS), st.lists(steps, min_size=6, max_size=30), st.tuples(*[st.booleans()] * 3), st.data())
def test_the_hands_at_the_end_are_those_of_the_final_order(
    cards: list[str], sequence: list[str], switches: tuple[bool, bool, bool], data: Any
) -> None:
    holding, prompt, all_named = switches
    felt = Felt(cards, holding=holding, prompt=prompt, all_named=all_named)
    if prompt:
        felt.loop.close_betting(1)
    for what in sequence:
        if felt.loop.of(facts.RoundEnded):
            break
        felt.step(what, data)
    if not felt.loop.of(facts.RoundEnded):
        felt.finish()
    felt.loop.settled(1)
    end = felt.put_right()
    felt.loop.settled(1, end.revision)
    of_the_round = felt.real_of_the_round()
    cards = [card for card in of_the_round if card]
    behind = felt.loop.state.shoe_in_play.next_ordinal - 1 - len(of_the_round)
    felt.loop.end_shoe()
    (shoe_ended,) = felt.loop.of(facts.ShoeEnded)
    assert shoe_ended.dealt + shoe_ended.surplus + shoe_ended.left == 416
    try:
        player, banker, left = hands_of(cards)
    except LookupError:
        assert isinstance(end, facts.RoundVoided)
        return
    assert isinstance(end, facts.RoundEnded)
    assert (list(end.player_cards), list(end.banker_cards)) == (player, banker)
    assert (shoe_ended.dealt, shoe_ended.surplus) == (len(player + banker), len(left) + behind)
