"""Entries that do not decode: each reason of the wire by example, and what is kept of them."""

import json
from pathlib import Path

import pytest

from schemas.codec import DETAIL_LENGTH_MAX, ENTRY_BYTES_MAX, Undecodable, decode
from tests.schemas.entries import BET, PLACED, REASONS, bet, refused, request

NESTED = b'{"table":"t1","x":' + b"[" * 5_000 + b"]" * 5_000 + b"}"

# Each line: what is wrong, the entry, the wire's reason, and what the detail says.
UNDECODABLE = [
    ("no JSON at all", request(data=b""), "not_json", "truncated"),
    ("broken JSON", request(data=BET.encode()[:-1]), "not_json", "truncated"),
    ("something behind the JSON", request(data=BET.encode() + b" x"), "not_json", "trailing"),
    ("a trailing comma", request(data=BET.encode()[:-1] + b",}"), "not_json", "trailing comma"),
    ("NaN", request(data=bet(more=float("nan"))), "not_json", "invalid character"),
    ("a byte order mark", request(data=b"\xef\xbb\xbf" + BET.encode()), "not_json", "invalid character"),
    ("a lone surrogate", request(data=(PLACED % ',"currency":"\\ud800"').encode()), "not_json", ""),
    ("a lone surrogate as a name", request(data=(PLACED % ',"\\udc00":1').encode()), "not_json", ""),
    ("JSON nested too deep", request(data=NESTED), "not_json", "recursion"),
    ("digits without end", request(data=(PLACED % (',"currency":"HKD","x":' + "9" * 5_000)).encode()), "not_json", ""),
    ("an array", request(data=b"[]"), "wrong_shape", "Expected `object`"),
    ("null", request(data=b"null"), "wrong_shape", "Expected `object`"),
    ("a field of data missing", request(data=(PLACED % "").encode()), "wrong_shape", "required field `currency`"),
    ("a string for a number", request(data=bet(amount_minor="5")), "wrong_shape", "$.amount_minor"),
    ("a fraction for a number", request(data=bet(amount_minor=5.0)), "wrong_shape", "$.amount_minor"),
    ("true for a number", request(data=bet(amount_minor=True)), "wrong_shape", "$.amount_minor"),
    ("null for a number", request(data=bet(amount_minor=None)), "wrong_shape", "$.amount_minor"),
    ("a number for a string", request(data=bet(bettor_id=5)), "wrong_shape", "$.bettor_id"),
    ("an empty name", request(data=bet(bettor_id="")), "wrong_shape", "$.bettor_id"),
    ("a name of 65 characters", request(data=bet(bettor_id="p" * 65)), "wrong_shape", "$.bettor_id"),
    ("a line break in a name", request(data=bet(bettor_id="p\n")), "wrong_shape", "$.bettor_id"),
    ("a number out of all bounds", request(data=(BET.replace(":5", ":" + "9" * 5_000)).encode()), "wrong_shape", "$"),
    ("a header field missing: id", request(id=None), "wrong_shape", "'id' is missing"),
    ("a header field missing: source", request(source=None), "wrong_shape", "'source' is missing"),
    ("a header field missing: type", request(type=None), "wrong_shape", "'type' is missing"),
    ("a header field missing: subject", request(subject=None), "wrong_shape", "'subject' is missing"),
    ("a header field missing: time", request(time=None), "wrong_shape", "'time' is missing"),
    ("a header field missing: data", request(data=None), "wrong_shape", "'data' is missing"),
    ("a header field missing: specversion", request(specversion=None), "wrong_shape", "'specversion' is missing"),
    ("nothing", [], "wrong_shape", "is missing"),
    ("another specversion", request(specversion=b"0.3"), "wrong_shape", "specversion is not 1.0"),
    ("an empty id", request(id=b""), "wrong_shape", "id is not 1 to 256"),
    ("an id of 257 characters", request(id=b"i" * 257), "wrong_shape", "id is not 1 to 256"),
    ("an empty source", request(source=b""), "wrong_shape", "source is not 1 to 256"),
    ("an id that is not UTF-8", request(id=b"\xff"), "wrong_shape", "not UTF-8"),
    ("a traceparent that is not UTF-8", request(traceparent=b"\xff"), "wrong_shape", "not UTF-8"),
    ("data that is not UTF-8", request(data=BET.replace("HKD", "H\udcffD").encode(errors="surrogateescape")),
     "wrong_shape", "not UTF-8"),
    ("a header field twice", [*request(), b"id", b"6f0b6a0e"], "repeated_field", "an entry field"),
    ("a field of data twice", request(data=(PLACED % ',"currency":"HKD","bet":"tie"').encode()),
     "repeated_field", "bet stands more than once"),
    ("a field of data twice, once escaped", request(data=(PLACED % ',"currency":"HKD","b\\u0065t":"tie"').encode()),
     "repeated_field", "bet stands more than once"),
    ("a field twice, deep within", request(data=(PLACED % ',"currency":"HKD","x":[{"a":1,"a":1}]').encode()),
     "repeated_field", "a stands more than once"),
    ("an unknown field", request(data=bet(aproved_by="s")), "wrong_shape", "unknown field aproved_by"),
    ("a time without a zone", request(time=b"2026-01-01T00:00:00"), "wrong_shape", "RFC 3339"),
    ("a time that never was", request(time=b"2026-02-30T00:00:00Z"), "wrong_shape", "RFC 3339"),
    ("a date", request(time=b"2026-01-01"), "wrong_shape", "RFC 3339"),
    ("a number of seconds", request(time=b"1767225600"), "wrong_shape", "RFC 3339"),
    ("another subject", request(subject=b"t2"), "subject_mismatch", "subject is not the table"),
    ("an entry over 16 KiB", request(more=b"x" * ENTRY_BYTES_MAX), "too_large", "over 16384 bytes"),
    ("an unknown type", request(type=b"bet.raise"), "unknown_type", "no such type"),
    ("a type of another stream", request(type=b"table.close"), "unknown_type", "no such type"),
    ("a reserved type of another stream", request(type=b"seat.take"), "unknown_type", "no such type"),
    ("a fact among requests", request(type=b"bet.accepted"), "unknown_type", "no such type"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("entry", "reason", "detail"), [row[1:] for row in UNDECODABLE], ids=[r[0] for r in UNDECODABLE]
)
def test_what_does_not_decode_says_why(entry: list[bytes], reason: str, detail: str) -> None:
    found, says = refused("wagers", entry)
    assert found == reason
    assert detail in says


def test_every_reason_of_the_wire_has_an_example() -> None:
    assert {reason for _, _, reason, _ in UNDECODABLE} == REASONS


def test_an_entry_of_exactly_16_kib_is_taken() -> None:
    room = ENTRY_BYTES_MAX - sum(map(len, request(more=b"")))
    assert decode("wagers", "1-0", request(more=b"x" * room)).type == "bet.place"
    assert refused("wagers", request(more=b"x" * (room + 1)))[0] == "too_large"


def test_what_could_be_read_of_an_undecodable_entry_is_kept() -> None:
    with pytest.raises(Undecodable) as error:
        decode("wagers", "1-0", request(type=b"\xffbet", data=b"{"))
    assert error.value.text("id") == "6f0b6a0e"
    assert error.value.text("type") == "\ufffdbet"
    assert error.value.text("causation") == ""


def test_a_detail_is_no_longer_than_it_needs_to_be() -> None:
    name = "n" * 5_000
    data = (PLACED % f',"currency":"HKD","{name}":1,"{name}":2').encode()
    reason, detail = refused("wagers", request(data=data))
    assert (reason, len(detail)) == ("repeated_field", DETAIL_LENGTH_MAX)


@pytest.mark.parametrize(("data", "reason"), [(b"{}", "wrong_shape"), (b"{", "not_json")])
def test_a_reserved_type_must_name_its_table(data: bytes, reason: str) -> None:
    assert refused("console", request(type=b"card.correct", data=data))[0] == reason


@pytest.mark.parametrize("card", ["1H", "8X", "8H\n", "", 8])
def test_a_scan_of_what_is_no_card_does_not_decode_and_its_face_is_not_repeated(card: object) -> None:
    data = json.dumps({"table": "t1", "shoe_number": 1, "ordinal": 9, "card": card}).encode()
    reason, detail = refused("scans", request(type=b"card.scan", data=data))
    assert reason == "wrong_shape"
    assert repr(card) not in detail


@pytest.mark.parametrize("place", ["", "5", "-", "5-", "-5", "5-0\n", "x-0", "1" * 21 + "-0"])
def test_an_entry_id_has_two_numbers(place: str) -> None:
    data = {"table": "t1", "operator": "o", "shoe_number": 1, "round_number": 2, "wagers_through": place}
    entry = request(type=b"betting.close", data=json.dumps(data).encode())
    assert refused("console", entry)[0] == "wrong_shape"


def test_an_unknown_field_deep_within_is_named_with_its_path() -> None:
    sample = json.loads((Path(__file__).parents[1] / "golden" / "table.open.json").read_text())
    sample["limits"]["bets"]["tie"]["maximum"] = 5
    data = json.dumps(sample).encode()
    with pytest.raises(Undecodable, match=r"unknown field limits\.bets\.tie\.maximum"):
        decode("console", "1-0", request(type=b"table.open", subject=sample["table"].encode(), data=data))
