"""Entries by hand, for the tests of the codec: a request that decodes, facts as their writer seals them, a refusal."""

import json
from typing import Any

import pytest

from schemas.codec import ChainHead, Undecodable, decode, seal
from schemas.events import Fact
from schemas.facts import CardDealt, DrawCalled, RoundVoided

REASONS = {"not_json", "wrong_shape", "repeated_field", "subject_mismatch", "too_large", "unknown_type"}
PLACED = '{"table":"t1","shoe_number":1,"round_number":2,"bet_id":"b","bettor_id":"p","bet":"tie","amount_minor":5%s}'
BET = PLACED % ',"currency":"HKD"'


def pairs(fields: dict[str, bytes]) -> list[bytes]:
    return [part for name, value in fields.items() for part in (name.encode(), value)]


def request(**changes: bytes | None) -> list[bytes]:
    """A bet that decodes, with these header fields changed or (None) left out."""
    fields: dict[str, bytes | None] = {
        "specversion": b"1.0",
        "id": b"6f0b6a0e",
        "source": b"/gateway/7",
        "type": b"bet.place",
        "subject": b"t1",
        "time": b"2026-01-02T03:04:05.000006Z",
        "data": BET.encode(),
        **changes,
    }
    return pairs({name: value for name, value in fields.items() if value is not None})


def refused(stream: str, entry: list[bytes]) -> tuple[str, str]:
    with pytest.raises(Undecodable) as error:
        decode(stream, "1-0", entry)
    return error.value.reason, error.value.detail


def bet(**changes: Any) -> bytes:
    return json.dumps({**json.loads(BET), **changes}).encode()


SOURCE, TIME, CAUSATION = "/baccarat/demo/shoe", "2026-01-02T03:04:05.000006Z", "calls/1-0"
DEALT = CardDealt(
    table="t1", shoe_number=1, round_number=2, card_number=9, side="banker", position=3, card="8H", points=8
)
CALLED = DrawCalled(
    table="t1",
    shoe_number=1,
    round_number=2,
    through=4,
    side="player",
    player_total=5,
    banker_total=0,
    player_third_points=None,
)
TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
VOIDED = RoundVoided(table="tísch 1", shoe_number=1, round_number=2, revision=0, reason="閒")


def sealed(
    fact: Fact, head: ChainHead | None = None, *, traceparent: str | None = None
) -> tuple[list[bytes], ChainHead]:
    return seal(fact, head or ChainHead(), source=SOURCE, time=TIME, causation=CAUSATION, traceparent=traceparent)


def fields_of(entry: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(entry[::2], entry[1::2], strict=True))
