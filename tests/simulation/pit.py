"""A pit in memory: the three services' cores in the runtime's own stepper, over streams that are lists.

    send ──► console, scans, wagers ──► run: a service with news takes a step ──► cards, calls, bets, rejects ──► …quiet

Same requests, cards and seed: same streams, byte for byte. A seed makes the services step in a random order, commit
late where they may, and now and then be loaded anew from their records; without one the first that has news stepper.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from schemas.codec import Entry, decode, encode_request
from schemas.events import Fact, Request
from schemas.house_rules import SHIPPED_DIRECTORY, HouseRules, read_house_rules
from schemas.streams import EVENTS, Service, Stream
from services.rules.app import rules
from services.runtime.cursor import read_cursor
from services.runtime.records import Records
from services.runtime.service import Definition
from services.runtime.step import READ_COUNT, RawEntry, Stepper
from services.settlement.app import settlement
from services.shoe import core as shoe_core
from services.shoe.app import shoe
from services.shoe.dealer import Dealer
from tests.given_cards import GivingDealer, Pick, laid_in
from tests.keys import key_from

NAME: Final = "memory"
TIME: Final = "2026-01-01T00:00:00.000000Z"
STEPS_MAX: Final = 10_000  # more than any request brings about: beyond it the services answer one another for ever

House = Mapping[str, tuple[HouseRules, str]]


@cache
def house(*directories: Path) -> House:
    """The shipped rule sets and those of these folders."""
    return read_house_rules(*directories, SHIPPED_DIRECTORY)


class Pit:
    """The streams of one pit and the three services that read them. Virtual shoes are dealt by a key of the seed's.

    `cards`: the next ones that they deal instead. `draw` deals them all.
    """

    def __init__(
        self,
        rule_sets: House | None = None,
        *,
        seed: int | None = None,
        cards: Iterable[str] = (),
        draw: Pick | None = None,
    ) -> None:
        self.streams: dict[str, list[RawEntry]] = {name: [] for name in (*EVENTS, "rejects")}
        self.order: list[tuple[str, int]] = []  # every entry, as stream and index, in the order of writing
        self._random = None if seed is None else random.Random(seed)
        keys = [key_from(str(seed))]
        pick = draw or (laid_in(cards, random.Random(seed)) if cards else None)
        self._dealer = self._first_dealer = GivingDealer(keys, pick) if pick else Dealer(keys)
        decide = self._decide_shoe(house() if rule_sets is None else rule_sets)
        definitions = (replace(shoe, decide=decide), rules, settlement)
        self.services: dict[Service, Memory] = {each.name: Memory(each) for each in definitions}

    def send(self, stream: str, request: Request, *, id: str | None = None, source: str = "/floor") -> str:
        """Write a request, under an identity of its own unless one is given; its place."""
        identity = id or f"request-{len(self.order)}"
        return self.write(stream, encode_request(request, id=identity, source=source, time=TIME))

    def write(self, stream: str, pairs: Sequence[bytes]) -> str:
        """Write any entry; its place."""
        entries = self.streams[stream]
        entries.append((f"{len(entries) + 1}-0", pairs))
        self.order.append((stream, len(entries) - 1))
        return f"{stream}/{entries[-1][0]}"

    def run(self) -> None:
        """Let the services step until each has read all there is, and commit what they put off."""
        for _ in range(STEPS_MAX):
            waiting = [memory for memory in self.services.values() if memory.has_news(self.streams)]
            if not waiting:
                break
            self._step(self._random.choice(waiting) if self._random else waiting[0])
        else:
            raise AssertionError(f"not quiet after {STEPS_MAX} steps")
        for memory in self.services.values():
            memory.commit(self.write)

    def take(self, service: Service) -> None:
        """Let one service decide what it has not read. Until its commit nobody else knows."""
        self.services[service].take(self.streams)

    def commit(self, service: Service) -> None:
        """Let it write what it decided."""
        self.services[service].commit(self.write)

    def events(self, since: int = 0) -> Iterator[Entry]:
        """The decoded entries from this index of `order` on; rejects are none."""
        for stream, index in self.order[since:]:
            if stream != "rejects":
                entry_id, pairs = self.streams[stream][index]
                yield decode(stream, entry_id, pairs)

    def _step(self, memory: "Memory") -> None:
        chance = self._random
        if chance and chance.random() < 0.05:
            memory.load()
        memory.take(self.streams)
        if memory.has_effect or not chance or chance.random() < 0.5:
            memory.commit(self.write)

    def lose_keys(self) -> None:
        """From now on the shoe has no key."""
        self._dealer = Dealer([])

    def find_keys(self) -> None:
        """From now on it has them again."""
        self._dealer = self._first_dealer

    def _decide_shoe(self, rules: House) -> Any:
        def decide(state: shoe_core.State, entry: Entry) -> Sequence[object]:
            return self._dealer.decide(NAME, state, entry, rules)

        return decide


class Memory:
    """One service and what its commits have stored: the cursor hash and the records, as the server would hold them."""

    def __init__(self, definition: Definition[Any]) -> None:
        self.definition = definition
        self.records: dict[bytes, bytes] = {}
        self._codec: Records[Any] = Records(definition.state)
        self._cursor: dict[bytes, bytes] = {}
        self.load()

    def load(self) -> None:
        """Forget what is not committed and start from what is stored."""
        self._stepper: Stepper[Any] = Stepper(
            self.definition,
            self._codec,
            NAME,
            cursor=read_cursor(self._cursor, self.definition.inputs),
            states=self._codec.load(self.records),
            quarantined=frozenset(),
        )

    @property
    def has_effect(self) -> bool:
        """Whether a commit is due at once."""
        return self._stepper.has_effect

    @property
    def decided(self) -> list[Fact]:
        """What it has decided and not committed."""
        return self._stepper.facts

    def has_news(self, streams: Mapping[str, Sequence[RawEntry]]) -> bool:
        """Whether an input holds entries that are not taken."""
        return any(len(streams[name]) > _index(self._stepper.positions[name]) for name in self.definition.inputs)

    def take(self, streams: Mapping[str, Sequence[RawEntry]]) -> None:
        """Decide what one read of all inputs brings. What stops a pit is raised: a service's own error."""
        stepper = self._stepper
        snapshot: dict[Stream, Sequence[RawEntry]] = {}
        for name in self.definition.inputs:
            start = _index(stepper.positions[name])
            if entries := streams[name][start : start + READ_COUNT]:
                snapshot[name] = entries
        stepper.take(snapshot)
        if stepper.end_wanted is not None:
            stepper.end_known(stepper.end_wanted, streams[stepper.end_wanted][-1][0])
        if stepper.impassable is not None:
            raise stepper.impassable

    def commit(self, write: Any) -> None:
        """Do what `commit_v1` does with the step's arguments."""
        if not (self._stepper.has_effect or self._stepper.has_moved):
            self._stepper.entries.clear()
            return
        arguments = iter(self._stepper.seal(TIME)[2:])
        _pairs(arguments)  # where the cursors land
        self._cursor |= _pairs(arguments)
        for stream in (self.definition.output, "rejects"):
            for _ in range(int(next(arguments))):
                write(stream, [next(arguments) for _ in range(int(next(arguments)))])
        self.records |= _pairs(arguments)
        for _ in range(int(next(arguments))):
            self.records.pop(next(arguments), None)
        self._stepper.acknowledged()


def _pairs(arguments: Iterator[bytes]) -> dict[bytes, bytes]:
    return {next(arguments): next(arguments) for _ in range(int(next(arguments)))}


def _index(position: str) -> int:
    return int(position.partition("-")[0])
