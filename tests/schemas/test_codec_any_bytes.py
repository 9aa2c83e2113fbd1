"""Whatever bytes come, the codec gives an event or says that there is none."""

import json

from hypothesis import example, given
from hypothesis import strategies as st

from schemas.codec import Entry, Undecodable, decode
from schemas.requests import BetPlace, TableOpen
from schemas.streams import EVENTS
from tests.schemas.entries import BET, REASONS, request

STREAMS = sorted(EVENTS)
TYPES = sorted({event.type for events in EVENTS.values() for event in events})
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
