"""The same entries once more: cut by the cursors that a service logged, decided anew, committed to a pit beside.

A commit's line holds the cursors behind it. Between two of them the service may have read more than once, and decided
what ranked lower before what came later and ranks higher: the `taken` lines hold the cursors in between. A process that
was killed between a commit and its line left the cursors for the next one, which says them when it has `loaded`.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from schemas.codec import Entry, named
from schemas.house_rules import SHIPPED_DIRECTORY, read_house_rules
from schemas.streams import Stream, cursor_key, pit_key, state_key
from services.rules import app as rules_app
from services.rules import core as rules
from services.runtime.connection import PitConnection
from services.runtime.cursor import START
from services.runtime.loading import load
from services.runtime.records import Records
from services.runtime.service import Definition
from services.runtime.step import RawEntry, Snapshot, Stepper
from services.settlement import app as settlement_app
from services.shoe import app as shoe_app
from services.shoe import core as shoe
from services.shoe.dealer import Dealer
from tests.keys import master_key
from tests.servers import Server

Cursors = dict[Stream, str]
Line = dict[str, Any]


class Load(NamedTuple):
    """A process loaded the pit at these cursors."""

    cursors: Cursors


class Commit(NamedTuple):
    """Where each of its reads brought the service, the last to the commit's cursors; `facts` as logged, if it was."""

    reads: tuple[Cursors, ...]
    facts: int | None = None


def read_log(path: Path) -> list[Line]:
    """A service's log, without what others say in it."""
    return [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]


def course(lines: Iterable[Line], inputs: Sequence[Stream]) -> Iterator[Load | Commit]:
    """Loads and commits in their order, with the commits that nobody lived to log."""
    committed: Cursors = dict.fromkeys(inputs, START)
    taken: list[Cursors] = []
    for line in lines:
        match line["event"]:
            case "taken":
                taken.append(line["cursors"])
            case "committed":
                yield Commit((*taken, line["cursors"]), line["facts"])
                committed, taken = line["cursors"], []
            case "loaded" | "loaded again":
                if line["cursors"] != committed:
                    yield Commit((*taken, line["cursors"]))
                yield Load(line["cursors"])
                committed, taken = line["cursors"], []
            case _:
                pass


def without_the_last_line_of_each_life(lines: Sequence[Line]) -> list[Line]:
    """A log as if each process had been killed between its last commit and the line about it."""
    kept: list[Line] = []
    for line in lines:
        if line["event"] == "loaded":
            last = next((number for number in reversed(range(len(kept))) if kept[number]["event"] == "committed"), None)
            # Where they differ, the process was killed just there.
            if last is not None and kept[last]["cursors"] == line["cursors"]:
                del kept[last:]
        kept.append(line)
    return kept


def definition(service: str) -> Definition[Any]:
    """The service's own, but for its clock."""
    if service == "settlement":
        return settlement_app.settlement
    if service == "rules":
        return replace(rules_app.rules, decide=rules.decide)
    house = read_house_rules(SHIPPED_DIRECTORY)
    dealer = Dealer([master_key()])

    def decide(state: shoe.State, entry: Entry) -> Sequence[object]:
        return dealer.decide(entry.pit, state, entry, house)

    return replace(shoe_app.shoe, decide=decide)


class Replay:
    """One service of `pit` once more, into a pit beside it that gets a copy of the streams it reads."""

    def __init__(self, server: Server, pit: str, beside: str, service: str) -> None:
        self._client = server.client()
        self._client.set_response_callback("XRANGE", lambda reply, **_: reply)
        self.pit, self.beside = pit, beside
        self.definition = definition(service)
        self._records: Records[Any] = Records(self.definition.state)
        self._connection = PitConnection(server.url, beside, self.definition)
        self._inputs = {stream: self._raw(pit, stream) for stream in self.definition.inputs}
        for stream in self.definition.inputs:
            self._client.copy(pit_key(pit, stream), pit_key(beside, stream))
        self._times = [fact["time"] for fact in self.facts(pit)]

    async def run(self, lines: Iterable[Line]) -> None:
        """Everything that the log tells of."""
        await self._connection.open()
        try:
            stepper = await self._load()
            for happened in course(lines, self.definition.inputs):
                match happened:
                    case Load():
                        stepper = await self._load()
                        assert stepper.positions == happened.cursors
                    case Commit():
                        await self._commit(stepper, happened)
        finally:
            await self._connection.close()

    async def _load(self) -> Stepper[Any]:
        _, stepper = await load(self._connection, self.definition, self._records, self.pit)
        return stepper

    async def _commit(self, stepper: Stepper[Any], commit: Commit) -> None:
        for cursors in commit.reads:
            stepper.take(self._between(stepper.positions, cursors))
            if stepper.end_wanted is not None:
                stepper.end_known(stepper.end_wanted, cursors[stepper.end_wanted])
                stepper.take(self._between(stepper.positions, cursors))
            assert stepper.impassable is None, stepper.impassable
            assert stepper.positions == cursors, f"{stepper.positions} after a read to {cursors}"
        assert commit.facts in (None, len(stepper.facts)), (
            f"{len(stepper.facts)} facts up to {stepper.positions}, not {commit}"
        )
        written = self._client.xlen(pit_key(self.beside, self.definition.output))
        time = self._times[written] if stepper.facts else ""
        await self._connection.send(stepper.seal(time), None)
        await self._connection.committed()
        stepper.acknowledged()

    def _between(self, start: Mapping[Stream, str], through: Mapping[Stream, str]) -> Snapshot:
        return {
            stream: entries[_place(entries, start[stream]) : _place(entries, through[stream])]
            for stream, entries in self._inputs.items()
        }

    def _raw(self, pit: str, name: str) -> list[RawEntry]:
        reply = self._client.execute_command("XRANGE", pit_key(pit, name), "-", "+")
        return [(entry_id.decode(), pairs) for entry_id, pairs in reply]

    def _entries(self, pit: str, name: str) -> list[dict[str, str]]:
        return [{field: value.decode() for field, value in named(pairs).items()} for _, pairs in self._raw(pit, name)]

    def facts(self, pit: str) -> list[dict[str, str]]:
        """What the service wrote to its stream in this pit."""
        return self._entries(pit, self.definition.output)

    def rejects(self, pit: str) -> list[dict[str, str]]:
        """What it rejected there."""
        return [entry for entry in self._entries(pit, "rejects") if entry["service"] == self.definition.name]

    def records(self, pit: str) -> dict[str, str]:
        """Its records there, whose version is drawn."""
        return {**self._hash(state_key(pit, self.definition.name)), "version": ""}

    def cursor(self, pit: str) -> dict[str, str]:
        """Where it stands there. The version is drawn, everything else follows."""
        return {**self._hash(cursor_key(pit, self.definition.name)), "version": ""}

    def _hash(self, key: str) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self._client.hgetall(key).items()}


def _place(entries: Sequence[RawEntry], entry_id: str) -> int:
    return bisect_right(entries, _number(entry_id), key=lambda entry: _number(entry[0]))


def _number(entry_id: str) -> tuple[int, int]:
    milliseconds, _, count = entry_id.partition("-")
    return int(milliseconds), int(count)
