"""The wire: entries of a Redis stream to events and back. CloudEvents 1.0 in binary mode, `data` as JSON.

`decode` raises `Undecodable` with a reason and nothing else, whatever bytes come. `seal` gives a fact its place in its
stream: `sequence`, and `chain`, the SHA-256 that binds it to all facts before it.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from schemas.events import Event, Fact, Request
from schemas.streams import EVENTS

ENTRY_BYTES_MAX: Final = 16 * 1024
IDENTITY_LENGTH_MAX: Final = 256
DETAIL_LENGTH_MAX: Final = 256
CHAIN_START: Final = "0" * 64

# RFC 3339, section 5.6. W3C Trace Context, section 3.2: anything else says nothing, and is not carried on.
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_TRACEPARENT: Final = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")

_REQUIRED: Final = ("specversion", "id", "source", "type", "subject", "time", "data")
_REQUIRED_OF_FACTS: Final = (*_REQUIRED, "causation", "sequence", "chain")
_CHAINED: Final = ("source", "type", "subject", "time", "causation", "sequence", "data")

_encoder = msgspec.json.Encoder()
_decoders: Final = {
    stream: {event.type: msgspec.json.Decoder(event) for event in events} for stream, events in EVENTS.items()
}


class Undecodable(Exception):
    """An entry that is no event. `reason` is one of the wire's words, `fields` what could be read of it."""

    def __init__(self, reason: str, detail: str, fields: dict[str, bytes]) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail[:DETAIL_LENGTH_MAX]
        self.fields = fields

    def text(self, field: str) -> str:
        """A field as text, whatever its bytes; empty when it is not there."""
        return self.fields.get(field, b"").decode(errors="replace")


class Entry(msgspec.Struct, frozen=True):
    """One decoded entry: where it stands, who sent it, what it says.

    Requests have an `identity` (their source and id in one short word) and a `digest` (of type and data): SHA-256, cut.
    `data`: a request's own bytes, as they were sent. `pit`: where a service reads it.
    """

    stream: str
    entry_id: str
    source: str
    id: str
    type: str
    event: Event
    identity: str = ""
    digest: str = ""
    traceparent: str | None = None
    sequence: int = 0
    chain: str = ""
    data: bytes = b""
    pit: str = ""

    @property
    def place(self) -> str:
        """`<stream>/<entry id>`: how `causation` and `first` name an entry."""
        return f"{self.stream}/{self.entry_id}"


class ChainHead(msgspec.Struct, frozen=True):
    """Where a stream of facts stands: the last one's sequence and chain."""

    sequence: int = 0
    chain: str = CHAIN_START


def named(pairs: Sequence[bytes]) -> dict[str, bytes]:
    """Entry fields by name, of name, value, name, value; of a repeated one the last."""
    return {name.decode(errors="replace"): value for name, value in zip(pairs[::2], pairs[1::2], strict=True)}


def decode(stream: str, entry_id: str, pairs: Sequence[bytes], pit: str = "") -> Entry:
    """The event of one entry, given as the server sends it: name, value, name, value. Raises Undecodable."""
    fields = named(pairs)
    if 2 * len(fields) != len(pairs):
        raise Undecodable("repeated_field", "an entry field stands more than once", fields)
    request = stream not in ("cards", "calls", "bets")
    if request and sum(map(len, pairs)) > ENTRY_BYTES_MAX:
        raise Undecodable("too_large", f"the entry has over {ENTRY_BYTES_MAX} bytes", fields)
    try:
        header = {name: fields[name].decode() for name in (_REQUIRED if request else _REQUIRED_OF_FACTS)}
        traceparent = fields["traceparent"].decode() if "traceparent" in fields else None
    except KeyError as error:
        raise Undecodable("wrong_shape", f"the entry field {error} is missing", fields) from None
    except UnicodeDecodeError:
        raise Undecodable("wrong_shape", "an entry field is not UTF-8", fields) from None
    event = _decode_event(stream, header["type"], fields)
    if request:
        _check_request(header, fields, event)
    if event.table != header["subject"]:
        raise Undecodable("subject_mismatch", "subject is not the table in data", fields)
    return Entry(
        stream=stream,
        entry_id=entry_id,
        source=header["source"],
        id=header["id"],
        type=header["type"],
        event=event,
        identity=_identity(header["source"], header["id"]) if request else "",
        digest=_digest(event) if request else "",
        traceparent=traceparent if traceparent and _TRACEPARENT.fullmatch(traceparent) else None,
        sequence=0 if request else _sequence(header["sequence"], fields),
        chain="" if request else header["chain"],
        data=fields["data"] if request else b"",
        pit=pit,
    )


def _decode_event(stream: str, event_type: str, fields: dict[str, bytes]) -> Event:
    decoder: msgspec.json.Decoder[Any] | None = _decoders[stream].get(event_type)
    if decoder is None:
        raise Undecodable("unknown_type", "no such type on this stream", fields)
    try:
        event: Event = decoder.decode(fields["data"])
    except msgspec.ValidationError as error:
        raise Undecodable("wrong_shape", str(error), fields) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Undecodable("not_json", str(error), fields) from None
    return event


def _check_request(header: dict[str, str], fields: dict[str, bytes], event: Event) -> None:
    """What only outsiders get wrong: the services' own facts are spared the second parse.

    A field that nobody knows is refused: a slip of the pen in `approved_by` must not pass for a request without it.
    """
    if header["specversion"] != "1.0":
        raise Undecodable("wrong_shape", "specversion is not 1.0", fields)
    for name in ("id", "source"):
        if not 1 <= len(header[name]) <= IDENTITY_LENGTH_MAX:
            raise Undecodable("wrong_shape", f"{name} is not 1 to {IDENTITY_LENGTH_MAX} characters", fields)
    if not is_time(header["time"]):
        raise Undecodable("wrong_shape", "time is not a date and time of RFC 3339", fields)
    try:
        raw = json.loads(header["data"], object_pairs_hook=_without_repeats)
    except _RepeatedError as error:
        raise Undecodable("repeated_field", f"{error} stands more than once in data", fields) from None
    except (ValueError, RecursionError) as error:
        raise Undecodable("not_json", str(error), fields) from None
    if unknown := _unknown_field(raw, msgspec.to_builtins(event)):
        raise Undecodable("wrong_shape", f"data has the unknown field {unknown}", fields)


def is_time(text: str) -> bool:
    """Whether this is a date and time by RFC 3339, section 5.6."""
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text.upper().replace(":60", ":59"))  # a leap second is one of RFC 3339's
    except ValueError:
        return False
    return True


def _unknown_field(raw: Any, known: Any) -> str | None:
    """The path of a field that stands in the JSON and not in the event."""
    if isinstance(raw, dict):
        for name, value in raw.items():
            if name not in known:
                return str(name)
            if (inner := _unknown_field(value, known[name])) is not None:
                return f"{name}.{inner}"
    elif isinstance(raw, list):
        for value, known_value in zip(raw, known, strict=True):
            if (inner := _unknown_field(value, known_value)) is not None:
                return inner
    return None


class _RepeatedError(Exception):
    pass


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedError(next(name for name in names if names.count(name) > 1))
    return found


def _identity(source: str, request_id: str) -> str:
    return hashlib.sha256(f"{len(source)}:{source}{request_id}".encode()).hexdigest()[:32]


def _digest(event: Event) -> str:
    """Of what is said and not of how it is written: the same fields in another order say the same."""
    return hashlib.sha256(event.type.encode() + b" " + _encoder.encode(event)).hexdigest()[:32]


def _sequence(text: str, fields: dict[str, bytes]) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise Undecodable("wrong_shape", "sequence is not a decimal number", fields)
    return int(text)


def encode_request(event: Request, *, id: str, source: str, time: str, traceparent: str | None = None) -> list[bytes]:
    """The entry of a request, as name, value, name, value."""
    named = {
        "specversion": "1.0",
        "id": id,
        "source": source,
        "type": event.type,
        "subject": event.table,
        "time": time,
        "data": _encoder.encode(event).decode(),
    }
    if traceparent:
        named["traceparent"] = traceparent
    return [part.encode() for pair in named.items() for part in pair]


def seal(
    fact: Fact, head: ChainHead, *, source: str, time: str, causation: str, traceparent: str | None
) -> tuple[list[bytes], ChainHead]:
    """The entry of the next fact of a stream, as name, value, name, value, and the stream's head behind it."""
    sequence = head.sequence + 1
    values = (
        source.encode(),
        fact.type.encode(),
        fact.table.encode(),
        time.encode(),
        causation.encode(),
        b"%d" % sequence,
        _encoder.encode(fact),
    )
    chain = chain_after(head.chain, values)
    entry = [b"specversion", b"1.0", b"id", chain[:32].encode()]
    for name, value in zip(_CHAINED, values, strict=True):
        entry += (name.encode(), value)
    entry += (b"chain", chain.encode())
    if traceparent is not None:
        entry += (b"traceparent", traceparent.encode())
    return entry, ChainHead(sequence, chain)


def chain_after(chain: str, values: Sequence[bytes]) -> str:
    """Hex SHA-256 over the previous `chain` and, for source type subject time causation sequence data, length:bytes."""
    return hashlib.sha256(chain.encode() + b"".join(b"%d:%b" % (len(value), value) for value in values)).hexdigest()


def chain_of(fields: dict[bytes, bytes], previous: str) -> str:
    """The chain that a fact with these entry fields must have behind `previous`; a reader compares."""
    return chain_after(previous, [fields[name.encode()] for name in _CHAINED])
