"""What every event has in common. The events themselves: `requests.py` (imperative) and `facts/` (past tense).

An event is the `data` of one stream entry, as JSON. **The names of types and fields are stored for ever**: new optional
fields may come, a changed meaning is a new type beside the old one. Money is an integer in the currency's minor unit.
"""

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

# `(?!\n)`: in Python `$` would let one trailing newline through.
Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)")]
Text = Annotated[str, Meta(max_length=256)]
EntryId = Annotated[str, Meta(pattern=r"^[0-9]{1,20}-[0-9]{1,20}$(?!\n)", examples=["1764445200000-0"])]


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One event at one table."""

    type: ClassVar[str]
    table: Name


class Request(Event, frozen=True, kw_only=True):
    """Somebody asks; exactly one service answers."""


class Fact(Event, frozen=True, kw_only=True):
    """It happened; its service wrote it once and nobody takes it back."""


class RoundFact(Fact, frozen=True, kw_only=True):
    """A fact about one round: its number restarts with each shoe."""

    shoe_number: int
    round_number: int
