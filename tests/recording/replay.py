"""The recorded evening once more, through the present services: the same entries, cards and order of steps.

Leans on schemas, the pit in memory and the recording, and on nothing inside the services.
"""

from collections.abc import Sequence
from typing import Final, cast

from schemas.cards import Composition
from schemas.streams import Service
from tests.recording.store import OUTPUTS, Part, Turn, bytes_of, counts_of, output_of
from tests.simulation.pit import Pit

_TEXT_MAX: Final = 600


class Replay:
    """One part in a pit of its own. `anew_every`: so often all services are loaded anew from their records."""

    def __init__(self, part: Part, *, anew_every: int = 0) -> None:
        self._part = part
        self._anew_every = anew_every
        self._drawn = {place: cards for turn in part.turns for place, cards in turn.drawn.items()}
        self._unseen = {place: counts for turn in part.turns for place, counts in turn.unseen.items()}
        self._pit = Pit(part.house, draw=self._draw)
        self._told = dict.fromkeys(OUTPUTS, 0)

    def first_difference(self) -> str | None:
        """Where the services write something else than they did, and what; None where they never do."""
        for number, turn in enumerate(self._part.turns, 1):
            start, told = len(self._pit.order), []
            try:
                self._take(turn)
            except Exception as error:  # whatever a changed service raises, what it wrote before may say more
                told.append(f"the pit stops: {type(error).__name__}: {error}")
            if difference := self._compare(turn, start):
                told.insert(0, difference)
            if told:
                return f"part {self._part.name!r}, turn {number} ({_about(turn)}): " + "\n  ".join(told)
            if self._anew_every and number % self._anew_every == 0:
                self._load(turn)
        return None

    def _load(self, turn: Turn) -> None:
        """All services anew, unless one has taken what it has not committed."""
        if sum(step.startswith("take") for step in turn.steps) * 2 == len(turn.steps):
            for memory in self._pit.services.values():
                memory.load()

    def _take(self, turn: Turn) -> None:
        for stream, fields in turn.written:
            self._pit.write(stream, bytes_of(fields))
        do_step(self._pit, *turn.steps)
        if not turn.steps:
            self._pit.run()

    def _draw(self, place: str, unseen: Composition, count: int) -> Sequence[str]:
        """The cards that were drawn for this entry. What would draw more, or from other cards, has changed."""
        drawn = self._drawn.get(place, [])
        assert len(drawn) >= count, f"{place} draws {count} cards, recorded are {len(drawn)}"
        if count:
            counts, recorded = counts_of(unseen), self._unseen[place]
            assert counts == recorded, f"{place} draws from other cards: {counts}, recorded {recorded}"
        return drawn[:count]

    def _compare(self, turn: Turn, start: int) -> str | None:
        """The first difference in the order of writing; what is missing comes last."""
        found = dict.fromkeys(OUTPUTS, 0)
        for stream, index in self._pit.order[start:]:
            if stream not in OUTPUTS:
                continue
            output = output_of(stream, self._pit.streams[stream][index][1])
            recorded = turn.found.get(stream, [])
            before = recorded[found[stream]] if found[stream] < len(recorded) else None
            found[stream] += 1
            if output != before:
                return _difference(stream, self._told[stream] + found[stream], before, output)
        for stream, recorded in turn.found.items():
            if found[stream] < len(recorded):
                return _difference(stream, self._told[stream] + found[stream] + 1, recorded[found[stream]], None)
            self._told[stream] += found[stream]
        return None


def do_step(pit: Pit, *steps: str) -> None:
    """Let services take and commit as these words say, such as `take shoe`. The shoe may `lose keys` or `find keys`."""
    for step in steps:
        verb, service = step.split()
        if service == "keys":
            (pit.lose_keys if verb == "lose" else pit.find_keys)()
            continue
        do = pit.take if verb == "take" else pit.commit
        do(cast(Service, service))


def _about(turn: Turn) -> str:
    """What was asked: enough to find it."""
    asked = []
    for stream, fields in turn.written[:3]:
        given = dict(zip(fields[::2], fields[1::2], strict=True))
        asked.append(" ".join([stream, *(given.get(name, "?") for name in ("type", "subject", "id"))]))
    return ", ".join(asked) + (", …" if len(turn.written) > len(asked) else "")


def _difference(stream: str, number: int, recorded: list[str] | None, found: list[str] | None) -> str:
    """Both outputs, each from a little before the place where they part."""
    one, other = (" ".join(output) if output else "nothing" for output in (recorded, found))
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = max(0, same - _TEXT_MAX // 2)
    told = [f"{'…' * (start > 0)}{text[start : start + _TEXT_MAX]}" for text in (one, other)]
    return f"{stream}/{number}-0\n  recorded: {told[0]}\n  found:    {told[1]}\n  they part at character {same + 1}"
