"""Facts through the codec: what is sealed decodes to itself, and a fact that does not decode says why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.codec import CHAIN_START, ENTRY_BYTES_MAX, ChainHead, decode
from schemas.events import Fact
from schemas.facts import BetsSettled, RoundVoided, SettledBet
from tests.schemas.entries import CALLED, DEALT, SOURCE, TRACE, VOIDED, fields_of, refused, sealed

SETTLED = BetsSettled(
    table="t1",
    shoe_number=1,
    round_number=2,
    revision=0,
    bets=(
        SettledBet(
            bet_id="b",
            bettor_id="p",
            bet="banker",
            stake_minor=100,
            outcome="won",
            carried=False,
            commission_minor=5,
            return_minor=195,
        ),
    ),
)


@pytest.mark.parametrize(
    ("stream", "fact"), [("cards", DEALT), ("cards", VOIDED), ("calls", CALLED), ("bets", SETTLED)]
)
@pytest.mark.parametrize("traceparent", [None, TRACE])
def test_a_sealed_fact_decodes_to_itself(stream: str, fact: Fact, traceparent: str | None) -> None:
    entry_fields, _ = sealed(fact, ChainHead(41, "a" * 64), traceparent=traceparent)
    entry = decode(stream, "5-1", entry_fields)
    assert entry.event == fact
    assert (entry.sequence, entry.source, entry.traceparent, entry.digest) == (42, SOURCE, traceparent, "")
    assert entry.id == fields_of(entry_fields)[b"chain"][:32].decode()


@given(st.integers(), st.integers(), st.text(max_size=40), st.integers(min_value=0, max_value=10**17))
def test_any_fact_decodes_to_itself(shoe_number: int, revision: int, reason: str, sequence: int) -> None:
    fact = RoundVoided(table="t1", shoe_number=shoe_number, round_number=1, revision=revision, reason=reason)
    entry_fields, head = sealed(fact, ChainHead(sequence, CHAIN_START))
    entry = decode("cards", "5-1", entry_fields)
    assert (entry.event, entry.sequence) == (fact, head.sequence)


def fact_with(**changes: bytes | None) -> list[bytes]:
    fields = {**fields_of(sealed(DEALT)[0]), **{name.encode(): value for name, value in changes.items()}}
    return [part for name, value in fields.items() if value is not None for part in (name, value)]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"chain": None}, "wrong_shape"),
        ({"causation": None}, "wrong_shape"),
        ({"sequence": None}, "wrong_shape"),
        ({"sequence": b""}, "wrong_shape"),
        ({"sequence": b"-1"}, "wrong_shape"),
        ({"sequence": b"1.0"}, "wrong_shape"),
        ({"sequence": "٣".encode()}, "wrong_shape"),  # a digit, but not of ours
        ({"sequence": b"9" * 5_000}, "wrong_shape"),
        ({"chain": b"\xff"}, "wrong_shape"),
        ({"data": b"{"}, "not_json"),
        ({"subject": b"t2"}, "subject_mismatch"),
        ({"type": b"card.cut"}, "unknown_type"),
        ({"type": b"draw.called"}, "unknown_type"),
        ({"type": b"card.correct"}, "unknown_type"),
    ],
)
def test_a_fact_that_does_not_decode_says_why(changes: dict[str, bytes | None], reason: str) -> None:
    assert refused("cards", fact_with(**changes))[0] == reason


def test_a_fact_may_be_larger_than_a_request() -> None:
    reason = "x" * (2 * ENTRY_BYTES_MAX)
    fact = RoundVoided(table="t1", shoe_number=1, round_number=2, revision=0, reason=reason)
    assert decode("cards", "1-0", sealed(fact)[0]).event == fact
