"""A recording on disk: JSON lines, compressed by xz. A part is one pit: a line with its house rules, then its turns.

    {"part": "tables", "house": {"macau": [{…}, "<sha256>"], …}}
    {"written": [["console", ["specversion", "1.0", …]], …], "steps": ["take shoe", "commit shoe", …],
     "drawn": {"bets/7-0": ["8H", …]}, "unseen": {"bets/7-0": "888788…"},
     "found": {"cards": [["card.dealt", "table-1", "bets/7-0", "{…}"], …], …}}

The rules stand in it too, so that a replay hangs on no file that may change. Bytes that are no UTF-8 come back as they
were.
"""

import json
import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from schemas.cards import Composition
from schemas.codec import named
from schemas.house_rules import HouseRules
from tests.simulation.pit import House

RECORDING: Final = Path(__file__).with_name("evening.jsonl.xz")
OUTPUTS: Final = ("cards", "calls", "bets", "rejects")


@dataclass
class Turn:
    """What was written at once, what the services did then, and what came of it.

    No `steps`: all of them stepped until they were quiet. `drawn`: the cards of virtual shoes, by the place of the
    entry that they were drawn for; `unseen`: what they were drawn from. An output is a fact's type, subject, causation
    and data, or all fields of a reject.
    """

    written: list[tuple[str, list[str]]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    drawn: dict[str, list[str]] = field(default_factory=dict)
    unseen: dict[str, str] = field(default_factory=dict)
    found: dict[str, list[list[str]]] = field(default_factory=dict)


@dataclass
class Part:
    """One pit's evening, from its first entry on."""

    name: str
    house: House
    turns: list[Turn] = field(default_factory=list)

    def found(self, stream: str) -> Iterator[list[str]]:
        """All outputs of one stream."""
        return (output for turn in self.turns for output in turn.found.get(stream, ()))


def text_of(pairs: Sequence[bytes]) -> list[str]:
    """The fields of an entry as they are stored."""
    return [value.decode(errors="surrogateescape") for value in pairs]


def bytes_of(fields: Sequence[str]) -> list[bytes]:
    """And back."""
    return [value.encode(errors="surrogateescape") for value in fields]


def counts_of(composition: Composition) -> str:
    """How many there are of each card: a hexadecimal digit a card, in the order of `CARDS`."""
    return "".join(f"{count:x}" for count in composition)


def output_of(stream: str, pairs: Sequence[bytes]) -> list[str]:
    """What is compared of an entry that a service wrote."""
    if stream == "rejects":
        return text_of(pairs)
    fields = named(pairs)
    return text_of([fields[name] for name in ("type", "subject", "causation", "data")])


def write_recording(path: Path, parts: Iterable[Part]) -> None:
    """Store it."""
    with lzma.open(path, "wt", preset=9 | lzma.PRESET_EXTREME) as file:
        for part in parts:
            house = {name: (msgspec.to_builtins(rules), sha256) for name, (rules, sha256) in part.house.items()}
            file.write(_line({"part": part.name, "house": house}))
            file.writelines(_line({name: value for name, value in vars(turn).items() if value}) for turn in part.turns)


def read_recording(path: Path) -> dict[str, Part]:
    """Its parts by name."""
    parts: dict[str, Part] = {}
    with lzma.open(path, "rt") as file:
        for line in file:
            said: dict[str, Any] = json.loads(line)
            if "part" in said:
                house = {
                    name: (msgspec.convert(it, HouseRules), sha256) for name, (it, sha256) in said["house"].items()
                }
                part = parts[said["part"]] = Part(said["part"], house)
            else:
                part.turns.append(Turn(**said))
    return parts


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
