"""Requests through the codec: what is read of them, what makes two the same, and which fields need not be known."""

import hashlib
import json

import pytest

from schemas.codec import decode, encode_request
from schemas.events import Request
from schemas.facts import BetRejected
from schemas.requests import BetPlace, BettingClose, CardScan, TableClose
from tests.schemas.entries import BET, TRACE, request, sealed


def test_a_request_decodes_with_its_place_identity_and_digest() -> None:
    entry = decode("wagers", "17-3", request(traceparent=TRACE.encode()))
    assert entry.event == BetPlace(
        table="t1",
        shoe_number=1,
        round_number=2,
        bet_id="b",
        bettor_id="p",
        bet="tie",
        amount_minor=5,
        currency="HKD",
        seat=None,
    )
    assert (entry.place, entry.type, entry.traceparent) == ("wagers/17-3", "bet.place", TRACE)
    said = BET.removesuffix("}").encode() + b',"seat":null}'
    assert entry.digest == hashlib.sha256(b"bet.place " + said).hexdigest()[:32]
    assert entry.identity == hashlib.sha256(b"10:/gateway/76f0b6a0e").hexdigest()[:32]


@pytest.mark.parametrize(
    ("changes", "same_identity", "same_digest"),
    [
        ({}, True, True),
        ({"time": b"2027-01-01T00:00:00Z"}, True, True),
        ({"traceparent": TRACE.encode()}, True, True),
        ({"id": b"other"}, False, True),
        ({"source": b"/gateway/8"}, False, True),
        ({"source": b"/gateway/76", "id": b"f0b6a0e"}, False, True),  # the same letters, divided elsewhere
        ({"data": BET.replace('"tie"', '"player"').encode()}, True, False),
        ({"data": BET.replace(":5", ": 5").encode()}, True, True),  # digests are of what is said
        ({"data": json.dumps(dict(reversed(json.loads(BET).items()))).encode()}, True, True),
        ({"data": (BET.removesuffix("}") + ',"seat":null}').encode()}, True, True),
    ],
)
def test_identity_is_source_and_id_and_digest_is_type_and_data(
    changes: dict[str, bytes], *, same_identity: bool, same_digest: bool
) -> None:
    one, other = decode("wagers", "1-0", request()), decode("wagers", "2-0", request(**changes))
    assert (one.identity == other.identity) is same_identity
    assert (one.digest == other.digest) is same_digest


@pytest.mark.parametrize("amount", [0, -1, 2**63, 2**64, -(2**70), 10**4_000])
def test_a_bad_amount_decodes_for_the_rules_to_refuse_and_the_refusal_can_be_written(amount: int) -> None:
    event = decode("wagers", "1-0", request(data=BET.replace(":5", f":{amount}").encode())).event
    assert isinstance(event, BetPlace)
    assert event.amount_minor == amount
    rejection = BetRejected(
        table="t1",
        shoe_number=1,
        round_number=2,
        bet_id="b",
        bettor_id="p",
        bet="tie",
        amount_minor=amount,
        revision=None,
        reason="amount_too_large",
        detail="",
    )
    assert decode("bets", "1-0", sealed(rejection)[0]).event == rejection


def test_entry_fields_that_are_not_known_are_passed_over() -> None:
    assert decode("wagers", "1-0", request(dataschema=b"x")).event == decode("wagers", "1-0", request()).event


# What W3C Trace Context calls a traceparent, and what it does not.
TRACES = [
    (TRACE, True),
    ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", True),
    ("00-ab-cd-01", False),
    ("", False),
    (TRACE + "-more", False),
    (TRACE.upper(), False),
    ("ff" + TRACE[2:], False),
    ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", False),
    ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", False),
    ("x" * 10_000, False),
]


@pytest.mark.parametrize(("trace", "kept"), TRACES)
def test_a_traceparent_is_carried_on_if_it_is_one(trace: str, *, kept: bool) -> None:
    assert decode("wagers", "1-0", request(traceparent=trace.encode())).traceparent == (trace if kept else None)


TIMES = [
    "2026-01-01T00:00:00Z",
    "2026-01-01t00:00:00.123456z",
    "2026-01-01T00:00:00.5+08:00",
    "2016-12-31T23:59:60Z",
]


@pytest.mark.parametrize("time", TIMES)
def test_times_of_rfc_3339_are_taken(time: str) -> None:
    assert decode("wagers", "1-0", request(time=time.encode())).type == "bet.place"


TABLE_CLOSE = TableClose(table="t1", operator="o", approved_by="s")
CLOSE = BettingClose(table="t1", operator="o", shoe_number=1, round_number=2, wagers_through="1764445200000-0")
SCAN = CardScan(table="t1", shoe_number=1, ordinal=9, card=None)


@pytest.mark.parametrize(("stream", "event"), [("console", TABLE_CLOSE), ("console", CLOSE), ("scans", SCAN)])
@pytest.mark.parametrize("traceparent", [None, TRACE])
def test_a_request_survives_encoding(stream: str, event: Request, traceparent: str | None) -> None:
    entry = decode(
        stream, "1-0", encode_request(event, id="i", source="s", time="2026-01-01T00:00:00Z", traceparent=traceparent)
    )
    assert (entry.event, entry.id, entry.source, entry.traceparent) == (event, "i", "s", traceparent)
