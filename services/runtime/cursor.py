"""The cursor hash of a service in a pit: where it stands. Every role may read it, only `commit_v1` writes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from schemas.codec import CHAIN_START, ChainHead
from schemas.streams import Stream

START: Final = "0-0"


@dataclass
class Cursor:
    """What the cursor hash says: version, positions and heads of the inputs, head of the own stream.

    `taken`: how many entries of each request stream were read since it began.
    """

    version: str = ""
    record_format: int = 0
    positions: dict[Stream, str] = field(default_factory=dict)
    heads: dict[Stream, ChainHead] = field(default_factory=dict)
    taken: dict[Stream, int] = field(default_factory=dict)
    head: ChainHead = field(default_factory=ChainHead)


def read_cursor(rows: Mapping[bytes, bytes], inputs: Sequence[Stream]) -> Cursor:
    """The cursor hash of a service: `version`, `format`, `sequence`, `chain`; for each input an id, of facts also
    `….sequence` and `….chain`, of requests `….taken`.
    """
    text = {name.decode(): value.decode() for name, value in rows.items()}
    return Cursor(
        version=text.get("version", ""),
        record_format=int(text.get("format", 0)),
        positions={stream: text.get(stream, START) for stream in inputs},
        heads={
            stream: ChainHead(int(text.get(f"{stream}.sequence", 0)), text.get(f"{stream}.chain", CHAIN_START))
            for stream in inputs
        },
        taken={stream: int(text.get(f"{stream}.taken", 0)) for stream in inputs},
        head=ChainHead(int(text.get("sequence", 0)), text.get("chain", CHAIN_START)),
    )


def number_of(entry_id: str) -> tuple[int, int]:
    """An entry id as what it is compared by."""
    milliseconds, _, count = entry_id.partition("-")
    return int(milliseconds), int(count or 0)
