"""Records and files of them for tests, and what the replay printed."""

import json
import re
from pathlib import Path
from typing import Any

from services.floor.replay.recorded_rounds import Record

PIT = "replay"
DATA = Path(__file__).parents[2] / "data"
SHIPPED = DATA / "recorded_rounds.jsonl"
# A round that keeps the rules and agrees.
NATURAL = {"player": ["8", "K"], "banker": ["2", "3"], "result": "P", "pairs": ""}
_LAST_LINE = re.compile(r"rounds=(\d+) agree=(\d+) differ=(\d+) rounds_per_s=\d+")


def record(player: str, banker: str, **fields: Any) -> Record:
    """A record with these cards, named with blanks between them."""
    return Record(player=tuple(player.split()), banker=tuple(banker.split()), **fields)


def written(directory: Path, *records: dict[str, Any]) -> Path:
    """A file of these records."""
    file = directory / "rounds.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def lines_told(output: str) -> dict[int, str]:
    """What was said about each line of the file, by its number, without the last line."""
    *told, _ = output.splitlines()
    return {int(line.removeprefix("line ").partition(":")[0]): line for line in told}


def summary(output: str) -> tuple[int, ...]:
    """The last line's rounds, agree and differ."""
    found = _LAST_LINE.fullmatch(output.splitlines()[-1])
    assert found, output
    return tuple(map(int, found.groups()))
