"""The codec: what decodes, what does not and why, whatever bytes come; and the chain, by hand."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemas.codec import (
    CHAIN_START,
    DETAIL_LENGTH_MAX,
    ENTRY_BYTES_MAX,
    ChainHead,
    Entry,
    Undecodable,
    chain_of,
    decode,
    encode_request,
    seal,
)
from schemas.events import Fact, Request
from schemas.facts import BetRejected, BetsSettled, CardDealt, DrawCalled, RoundVoided, SettledBet
from schemas.requests import BetPlace, BettingClose, CardScan, NotBuiltYet, TableClose, TableOpen
from schemas.streams import EVENTS, RESERVED_TYPES

REASONS = {"not_json", "wrong_shape", "repeated_field", "subject_mismatch", "too_large", "unknown_type"}
STREAMS = sorted(EVENTS)
TYPES = sorted({event.type for events in EVENTS.values() for event in events} | RESERVED_TYPES)
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


# --- requests ------------------------------------------------------------------------------------------------------


def test_a_request_decodes_with_its_place_identity_and_digest() -> None:
    entry = decode("wagers", "17-3", request(traceparent=b"00-ab-cd-01"))
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
    assert (entry.place, entry.type, entry.traceparent) == ("wagers/17-3", "bet.place", "00-ab-cd-01")
    assert entry.digest == hashlib.sha256(b"bet.place " + BET.encode()).hexdigest()[:32]
    assert entry.identity == hashlib.sha256(b"10:/gateway/76f0b6a0e").hexdigest()[:32]


@pytest.mark.parametrize(
    ("changes", "same_identity", "same_digest"),
    [
        ({}, True, True),
        ({"time": b"2027-01-01T00:00:00Z"}, True, True),
        ({"traceparent": b"00-ab-cd-01"}, True, True),
        ({"id": b"other"}, False, True),
        ({"source": b"/gateway/8"}, False, True),
        ({"source": b"/gateway/76", "id": b"f0b6a0e"}, False, True),  # the same letters, divided elsewhere
        ({"data": BET.replace('"tie"', '"player"').encode()}, True, False),
        ({"data": BET.replace(":5", ": 5").encode()}, True, False),  # digests are of bytes
    ],
)
def test_identity_is_source_and_id_and_digest_is_type_and_data(
    changes: dict[str, bytes], *, same_identity: bool, same_digest: bool
) -> None:
    one, other = decode("wagers", "1-0", request()), decode("wagers", "2-0", request(**changes))
    assert (one.identity == other.identity) is same_identity
    assert (one.digest == other.digest) is same_digest


def bet(**changes: Any) -> bytes:
    return json.dumps({**json.loads(BET), **changes}).encode()


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


def test_fields_that_are_not_known_are_passed_over() -> None:
    assert decode("wagers", "1-0", request(data=bet(colour="red"), dataschema=b"x")).event == (
        decode("wagers", "1-0", request()).event
    )


@pytest.mark.parametrize("event_type", sorted(RESERVED_TYPES))
def test_a_reserved_type_decodes_to_not_built_yet(event_type: str) -> None:
    data = b'{"table":"t1","operator":"o","whatever":[1]}'
    entry = decode("console", "1-0", request(type=event_type.encode(), data=data))
    assert entry.event == NotBuiltYet(table="t1")
    assert entry.type == event_type


@pytest.mark.parametrize(("data", "reason"), [(b"{}", "wrong_shape"), (b"{", "not_json")])
def test_a_reserved_type_must_name_its_table(data: bytes, reason: str) -> None:
    assert refused("console", request(type=b"card.correct", data=data))[0] == reason


TABLE_CLOSE = TableClose(table="t1", operator="o", approved_by="s")
CLOSE = BettingClose(table="t1", operator="o", shoe_number=1, round_number=2, wagers_through="1764445200000-0")
SCAN = CardScan(table="t1", shoe_number=1, ordinal=9, card=None)


@pytest.mark.parametrize(("stream", "event"), [("console", TABLE_CLOSE), ("console", CLOSE), ("scans", SCAN)])
@pytest.mark.parametrize("traceparent", [None, "00-ab-cd-01"])
def test_a_request_survives_encoding(stream: str, event: Request, traceparent: str | None) -> None:
    entry = decode(stream, "1-0", encode_request(event, id="i", source="s", time="t", traceparent=traceparent))
    assert (entry.event, entry.id, entry.source, entry.traceparent) == (event, "i", "s", traceparent)


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


# --- whatever bytes come -------------------------------------------------------------------------------------------

HEADERS = ["specversion", "id", "source", "type", "subject", "time", "data", "traceparent", "causation", "sequence"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*json.loads(BET), "x"]) | st.text(), inner),
)
RAW_JSON = st.sampled_from([
    "1e999", "-0", "9" * 400, "9" * 5_000, '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', "[" * 3_000, '{"a":1,"a":2}',
    "01", "Infinity", '"\x7f"', "true", "null", "{}", "[]", '""',
])  # fmt: skip


def outcome(stream: str, entry: list[bytes]) -> Entry | Undecodable:
    """What decode makes of it; any exception but Undecodable fails the test."""
    try:
        return decode(stream, "1-0", entry)
    except Undecodable as error:
        undecodable = error
    assert undecodable.reason in REASONS
    undecodable.detail.encode()  # it is written to `rejects`
    for name in HEADERS:
        undecodable.text(name).encode()
    return undecodable


@given(st.sampled_from(STREAMS), st.lists(st.tuples(st.binary(), st.binary())))
def test_any_bytes_are_an_event_or_undecodable(stream: str, fields: list[tuple[bytes, bytes]]) -> None:
    assert isinstance(outcome(stream, [part for pair in fields for part in pair]), Undecodable)


@given(
    st.sampled_from(STREAMS),
    st.sampled_from(TYPES),
    st.dictionaries(
        st.sampled_from(HEADERS), st.binary() | st.text().map(lambda text: text.encode("utf-8", "replace"))
    ),
    st.lists(st.sampled_from(HEADERS)),
    st.binary() | JSON.map(lambda value: json.dumps(value).encode()) | RAW_JSON.map(str.encode),
)
def test_any_headers_and_data_are_an_event_or_undecodable(
    stream: str, event_type: str, changes: dict[str, bytes], repeated: list[str], data: bytes
) -> None:
    sound = {"type": event_type.encode(), "data": data, "causation": b"cards/1-0", "sequence": b"1", "chain": b"0"}
    entry = request(**{**sound, **changes})
    outcome(stream, [*entry, *(part for name in repeated for part in (name.encode(), b"x"))])


@given(st.sampled_from(list(json.loads(BET))), JSON.map(json.dumps) | RAW_JSON)
@example("amount_minor", "9" * 4_300)
@example("bettor_id", '"\\ud83d\\ude00"')
def test_any_value_in_one_field_is_an_event_or_undecodable(field: str, value: str) -> None:
    names = json.loads(BET)
    data = ",".join(f'"{name}":{value if name == field else json.dumps(names[name])}' for name in names)
    found = outcome("wagers", request(data=f"{{{data}}}".encode()))
    if isinstance(found, Entry):
        assert isinstance(found.event, BetPlace)
        assert type(found.event.amount_minor) is int
        assert 1 <= len(found.event.bettor_id) <= 64


@given(JSON)
def test_any_limits_are_an_event_or_undecodable(limits: object) -> None:
    data = {"table": "t1", "operator": "o", "house_rules": "macau", "limits": limits}
    found = outcome("console", request(type=b"table.open", data=json.dumps(data).encode()))
    assert isinstance(found, Undecodable) or isinstance(found.event, TableOpen)


# --- facts and their chain -----------------------------------------------------------------------------------------

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
VOIDED = RoundVoided(table="tísch 1", shoe_number=1, round_number=2, revision=0, reason="閒")
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


def sealed(
    fact: Fact, head: ChainHead | None = None, *, traceparent: str | None = None
) -> tuple[list[bytes], ChainHead]:
    return seal(fact, head or ChainHead(), source=SOURCE, time=TIME, causation=CAUSATION, traceparent=traceparent)


def fields_of(entry: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(entry[::2], entry[1::2], strict=True))


@pytest.mark.parametrize(
    ("stream", "fact"), [("cards", DEALT), ("cards", VOIDED), ("calls", CALLED), ("bets", SETTLED)]
)
@pytest.mark.parametrize("traceparent", [None, "00-ab-cd-01"])
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


def test_the_chain_is_what_the_wire_says() -> None:
    """By hand: the previous chain, then source type subject time causation sequence data, each as length:bytes."""
    first, head = sealed(DEALT)
    data = (
        '{"table":"t1","shoe_number":1,"round_number":2,"card_number":9,"side":"banker","position":3,"card":"8H",'
        '"points":8}'
    )
    by_hand = hashlib.sha256(
        (
            "0" * 64
            + "19:/baccarat/demo/shoe"
            + "10:card.dealt"
            + "2:t1"
            + "27:2026-01-02T03:04:05.000006Z"
            + "9:calls/1-0"
            + "1:1"
            + f"115:{data}"
        ).encode()
    ).hexdigest()
    assert len(data) == 115
    assert fields_of(first) == {
        b"specversion": b"1.0",
        b"id": by_hand[:32].encode(),
        b"source": b"/baccarat/demo/shoe",
        b"type": b"card.dealt",
        b"subject": b"t1",
        b"time": b"2026-01-02T03:04:05.000006Z",
        b"causation": b"calls/1-0",
        b"sequence": b"1",
        b"data": data.encode(),
        b"chain": by_hand.encode(),
    }
    assert head == ChainHead(1, by_hand)


def test_lengths_in_the_chain_are_of_bytes_and_not_of_characters() -> None:
    _, first = sealed(DEALT)
    second, head = sealed(VOIDED, first)
    data = (
        '{"table":"tísch 1","shoe_number":1,"round_number":2,"revision":0,"reason":"閒",'
        '"player_pair":null,"banker_pair":null}'
    )
    by_hand = hashlib.sha256(
        first.chain.encode()
        + b"19:/baccarat/demo/shoe12:round.voided8:t\xc3\xadsch 127:2026-01-02T03:04:05.000006Z9:calls/1-01:2"
        + b"%d:" % len(data.encode())
        + data.encode()
    ).hexdigest()
    assert len(data.encode()) == len(data) + 3
    assert fields_of(second)[b"chain"].decode() == head.chain == by_hand


CHAINED = ["source", "type", "subject", "time", "causation", "sequence", "data"]


@pytest.mark.parametrize("name", CHAINED)
def test_any_byte_of_a_chained_field_makes_another_chain(name: str) -> None:
    entry, head = sealed(DEALT)
    sound = fields_of(entry)
    assert chain_of(sound, CHAIN_START) == head.chain
    value = sound[name.encode()]
    tampered = {value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :] for at in range(len(value))}
    tampered |= {value + b"0", value[:-1], b""}
    chains = {chain_of({**sound, name.encode(): other}, CHAIN_START) for other in tampered}
    assert len(chains) == len(tampered)
    assert head.chain not in chains


def test_a_byte_moved_from_one_field_to_the_next_makes_another_chain() -> None:
    entry, head = sealed(DEALT)
    sound = fields_of(entry)
    moved = {**sound, b"type": sound[b"type"] + b"t", b"subject": sound[b"subject"][1:]}
    assert chain_of(moved, CHAIN_START) != head.chain


def test_another_past_makes_another_chain() -> None:
    entry, head = sealed(DEALT)
    assert chain_of(fields_of(entry), "1" + "0" * 63) != head.chain


def test_the_same_facts_make_the_same_chain_and_each_takes_the_next_number() -> None:
    heads, head = [], ChainHead()
    for fact in (DEALT, CALLED, DEALT):
        _, head = sealed(fact, head)
        heads.append(head)
    assert [head.sequence for head in heads] == [1, 2, 3]
    assert len({head.chain for head in heads}) == 3
    assert sealed(DEALT)[1] == heads[0]


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
