"""Tables of one pit that are asked for anything, by chance, as in the simulation: most rounds come to an end.

What the simulation proves of every answer is not proved here once more, but for the books and cards at the end.
"""

from typing import Any, Final

from msgspec.structs import replace

from schemas.codec import Entry, encode_request
from schemas.events import Request
from schemas.streams import EVENTS, REQUEST_STREAMS
from tests.recording.houses import LIMITS, VARIANTS, evening_house
from tests.recording.recorder import Recorder
from tests.recording.store import Part
from tests.simulation.floor import ANSWERS_MAX, Floor
from tests.simulation.pit import TIME
from tests.simulation.test_properties import KINDS

ACTIONS: Final = {
    "stakes": 36,
    "play": 10,
    "bet": 6,
    "change": 5,
    "advance": 5,
    "ask": 15,
    "camera": 8,
    "misdeal": 5,
    "hurry": 3,
    "repeat": 3,
    "reuse": 2,
    "garble": 2,
}


class Table(Floor):
    """One table of a recorded pit. Its house rules change among those with as many cards and the same bets."""

    def __init__(self, recorder: Recorder, name: str, house_rules: str, kind: str) -> None:
        seed = recorder.random.randrange(2**32)
        super().__init__(recorder.part.house, house_rules, recorder.random.choice(LIMITS), kind, seed)
        rules = self.house[house_rules][0]
        alike = {each for each, (its, _) in self.house.items() if (its.decks, its.bets) == (rules.decks, rules.bets)}
        self.house = {each: known for each, known in self.house.items() if each in alike}
        self.pit, self.recorder, self.name = recorder.pit, recorder, name
        self._found: list[Any] = []
        recorder.listeners[name] = self._listen

    def _listen(self, entry: Entry) -> None:
        self._found.append(entry.event)
        self.take(entry)

    def write(self, request: Request) -> None:
        """Send to this table, without waiting."""
        self._write(request, f"id-{len(self.sent)}")

    def _write(self, request: Request, id: str) -> None:
        stream = next(name for name in REQUEST_STREAMS if type(request) in EVENTS[name])
        request = replace(request, table=self.name)
        entry = encode_request(request, id=id, source=f"/floor/{self.name}", time=TIME)
        self.sent.append((stream, entry))
        self.recorder.write(stream, entry)

    def hear(self) -> list[Any]:
        """Let the pit get quiet; the facts of this table since it was last asked."""
        self.recorder.run()
        found, self._found = self._found, []
        return found

    def ask(self, request: Request, *, again: bool) -> list[Any]:
        """Send one request, and perhaps once more."""
        self.write(request)
        answers = self.hear()
        if again:
            self.repeat(-1)
        return answers

    def repeat(self, index: int) -> None:
        """Send a copy of an earlier request."""
        stream, entry = self.sent[index]
        self.noisy = self.noisy or stream == "scans"
        self.recorder.write(stream, entry)
        self.hear()

    def act(self) -> None:
        """Anything at all."""
        chance = self.random
        (action,) = chance.choices([*ACTIONS], [*ACTIONS.values()])
        match action:
            case "stakes":
                self._stake()
            case "play":
                for _ in range(chance.randint(1, 3)):
                    self.deal(bets=chance.randint(0, 5))
            case "bet":
                self._advance_to_bets()
                for _ in range(chance.randint(1, 4)):
                    self.ask(self.bet(), again=chance.random() < 0.1)
            case "advance":
                self.advance(chance.randint(1, 7))
            case "ask":
                self.limits = chance.choice([*LIMITS, *[self.limits] * 4])
                self.ask(self.anything(chance.choice(KINDS)), again=chance.random() < 0.1)
            case "change" if self.bet_ids:
                self._advance_to_bets()
                self.ask(self.change(), again=chance.random() < 0.1)
            case "repeat" if self.sent:
                self.repeat(-1 - chance.randrange(min(30, len(self.sent))))
            case "camera" | "misdeal" if self.dealer.kind == "physical":
                self._look_at_the_cards(action)
            case "hurry" | "reuse" | "garble" if self.sent:
                self._act_wrongly(action)
            case _:
                pass

    def _stake(self) -> None:
        """A round with many stakes, of which some are changed and taken back."""
        self.advance(ANSWERS_MAX, until="betting")
        for make in (self.bet, self.change, self.bet):
            for _ in range(self.random.randint(1, 4)):
                if make == self.bet or self.bet_ids:
                    self.write(make())
            self.hear()
        self.deal(bets=0)

    def _advance_to_bets(self) -> None:
        if self.random.random() < 0.8:
            self.advance(ANSWERS_MAX, until="betting")

    def _look_at_the_cards(self, action: str) -> None:
        """Corrections of what is over, and readings that may be wrong."""
        chance = self.random
        if action == "camera":
            self.deal(bets=chance.randint(1, 4))
            for _ in range(chance.randint(1, 3)):
                self.ask(self.anything("correct"), again=chance.random() < 0.1)
            return
        self.advance(ANSWERS_MAX, until="betting")
        self.advance(chance.randint(1, 5))
        for kind in chance.choices(["scan", "failed read", "correct"], k=chance.randint(1, 3)):
            self.ask(self.anything(kind), again=False)

    def _act_wrongly(self, action: str) -> None:
        """Too much at once, an identity of something else, and bytes that no console writes."""
        chance = self.random
        self.noisy = True
        if action == "hurry":
            for _ in range(chance.randint(0, 3)):
                self.write(self.bet())
            for _ in range(chance.randint(2, 5)):
                self.write(self.anything(chance.choice(KINDS)))
        elif action == "reuse":
            number = max(0, len(self.sent) - chance.randint(1, 20))
            request = self.anything(chance.choice(KINDS)) if chance.random() < 0.6 else self.bet()
            self._write(request, f"id-{number}")
        else:
            stream, entry = chance.choice(self.sent[-20:])
            at = chance.randrange(len(entry))
            self.recorder.write(stream, [*entry[:at], chance.randbytes(3), *entry[at + 1 :]])
        if chance.random() < 0.8:
            self.hear()

    def end(self) -> None:
        """No round is left in play, and the books balance."""
        self.hear()
        if self.dealer.is_held:
            self.advance(1)
        if self.dealer.in_round:
            self.deal(bets=0)
        self.reader.check()


def play_whole_shoes(recorder: Recorder) -> None:
    """Small shoes from the first card to the last round, and again, with stakes that one carries to the other."""
    sets = ("burns-besides", "burns-decks", "burns-each-round", "burns-fixed", "next-round-burned", "keeps-pairs")
    for number, house_rules in enumerate(sets):
        kind = ("virtual", "physical")[number // 4]
        table = Table(recorder, f"shoes-{house_rules}", house_rules, kind)
        while table.dealer.shoe_number < 3:
            table.deal(bets=3)
        table.end()


def play_tables(name: str, seed: int, *, actions: int, any_order: bool = False) -> Part:
    """A table of every set, the shipped ones with each kind of shoe, until so many things were done."""
    recorder = Recorder(name, evening_house(), seed, any_order=any_order)
    house, kinds = recorder.part.house, ("physical", "virtual")
    both = [name for name, (rules, _) in house.items() if name not in VARIANTS or rules.holding]
    kinds_of = {name: kinds if name in both else (kinds[number % 2],) for number, name in enumerate(house)}
    tables = [Table(recorder, f"{each}-{kind}", each, kind) for each in house for kind in kinds_of[each]]
    for table in tables:
        table.advance(2)
        for _ in range(2):
            table.write(table.anything("take seat"))
    for _ in range(actions):
        recorder.random.choice(tables).act()
    for table in tables:
        table.end()
    return recorder.part
