"""Plays one pit and writes down what it is given, what is drawn, who steps, and what comes of it."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from schemas.cards import CARDS, Composition
from schemas.codec import Entry, decode
from schemas.streams import FACT_STREAMS, Service
from tests.recording.replay import do_step
from tests.recording.store import OUTPUTS, Part, Turn, counts_of, output_of, text_of
from tests.simulation.pit import House, Pit

_FIRST_FOUR: Final = 4
TIE_CHANCE: Final = 0.15  # of a virtual round beside what chance gives: carried stakes are what is easily got wrong


class Recorder:
    """One pit. `any_order`: the services step as chance has it, and so it is recorded.

    `cards`: the next ones that virtual shoes deal, as far as they still have them. `listeners` hear the facts of the
    table that they are named after.
    """

    def __init__(self, name: str, house: House, seed: int, *, any_order: bool = False) -> None:
        self.random = random.Random(seed)
        self.part = Part(name, house)
        self.pit = Pit(house, draw=self._draw)
        self.cards: list[str] = []
        self.listeners: dict[str, Callable[[Entry], None]] = {}
        self._any_order = any_order
        self._turn = Turn()
        self._start = 0

    def write(self, stream: str, pairs: Sequence[bytes]) -> str:
        """An entry, whatever it says; its place. It is taken with the next `run` or `step`."""
        self._turn.written.append((stream, text_of(pairs)))
        return self.pit.write(stream, pairs)

    def run(self) -> None:
        """Let the pit get quiet."""
        if self._any_order:
            self._run_in_any_order()
        else:
            self.pit.run()
        self._end_turn()

    def step(self, *services: Service) -> None:
        """Let these services take and commit, one after the other, and none else."""
        self.do(*[f"{verb} {service}" for service in services for verb in ("take", "commit")])

    def do(self, *steps: str) -> None:
        """Let services take and commit in this order, such as `take shoe`, and nothing else."""
        self._do(*steps)
        self._end_turn()

    def _run_in_any_order(self) -> None:
        """While one service has decided and not committed, others may go on."""
        taken: list[str] = []
        while able := [*self._able_to_take(taken), *[f"commit {name}" for name in taken]]:
            step = self.random.choice(able)
            self._do(step)
            verb, name = step.split()
            taken = [*taken, name] if verb == "take" else [other for other in taken if other != name]

    def _able_to_take(self, taken: Sequence[str]) -> list[str]:
        services = self.pit.services.items()
        return [f"take {name}" for name, its in services if name not in taken and its.has_news(self.pit.streams)]

    def _do(self, *steps: str) -> None:
        self._turn.steps += steps
        do_step(self.pit, *steps)

    def _end_turn(self) -> None:
        turn, self._turn = self._turn, Turn()
        written = self.pit.order[self._start :]
        self._start = len(self.pit.order)
        for stream, index in written:
            if stream in OUTPUTS:
                _, pairs = self.pit.streams[stream][index]
                turn.found.setdefault(stream, []).append(output_of(stream, pairs))
        if turn != Turn():
            self.part.turns.append(turn)
        for stream, index in written:
            if stream in FACT_STREAMS.values():
                entry = decode(stream, *self.pit.streams[stream][index])
                if listener := self.listeners.get(entry.event.table):
                    listener(entry)

    def _draw(self, place: str, unseen: Composition, count: int) -> Sequence[str]:
        left = dict(zip(CARDS, unseen, strict=True)) if count else {}
        drawn, self.cards = self.cards[:count], self.cards[count:]
        if count == _FIRST_FOUR and not drawn and self.random.random() < TIE_CHANCE:
            drawn = _tied(left)
        if len(drawn) < count or any(left[card] < drawn.count(card) for card in drawn):
            drawn = self.random.sample(CARDS, count, counts=unseen)
        if drawn:
            self._turn.drawn[place], self._turn.unseen[place] = drawn, counts_of(unseen)
        return drawn


def _tied(left: Mapping[str, int]) -> list[str]:
    """Two naturals of one total, if the shoe still has them."""
    for rank in "89":
        naturals = [card for card in CARDS if card[0] == rank and left[card]]
        nothing = [card for card in CARDS if card[0] in "TJQK" and left[card]]
        if len(naturals) > 1 and len(nothing) > 1:
            return [*naturals[:2], *nothing[:2]]
    return []
