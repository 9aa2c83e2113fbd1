"""The wire as documents for outsiders: `asyncapi.yaml`, and in `json/` a JSON Schema for each type of event.

`python -m schemas.documents` writes them from the event classes, the examples from the stored samples of the tests;
with `--check` it writes nothing, names the files that are out of date and exits 1.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from schemas.codec import ENTRY_BYTES_MAX, IDENTITY_LENGTH_MAX
from schemas.events import Event, Fact, Request
from schemas.streams import EVENTS, FACT_STREAMS, READS, decider

DIRECTORY: Final = Path(__file__).parent
SAMPLES_DIRECTORY: Final = DIRECTORY.parent / "tests" / "golden"

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_STREAMS: Final[dict[str, str]] = {
    "console": "Requests about tables, shoes and rounds, written by dealers' consoles and pit management.",
    "scans": "Cards as they leave a physical shoe, by an electronic shoe or entered by hand; only the shoe reads them.",
    "wagers": "Bets, written by the gateways of betting terminals.",
    "cards": "What happened at the tables, written by the shoe service alone.",
    "calls": "What must happen next, written by the rules service alone.",
    "bets": "What became of every bet, written by the settlement service alone.",
}
_INFO: Final = (
    "Baccarat tables over Redis streams. A pit, a group of tables run together, has six streams and one for rejects. "
    "Outsiders add requests to `console`, `scans` and `wagers`; three services answer with facts on `cards`, `calls` "
    "and `bets`. Each request is answered by exactly one service.\n\n"
    "An entry is a CloudEvents 1.0 event in binary mode. In this document the fields of an entry are the headers of a "
    "message, except the field `data`, which is its payload, as JSON. All values are UTF-8 strings.\n\n"
    "New types, new optional fields and new reasons may come: a reader passes over a field that it does not know and "
    "takes an unknown reason as a plain refusal. A changed meaning is a new type. Money is an integer in minor units."
)
_PIT: Final = (
    "The name of the pit **with braces around it**: they are part of the key, where they keep all keys of a pit on one "
    "server of a cluster (a hash tag). For the pit `demo` the value is `{demo}`, and the stream `cards` has the key "
    "`baccarat:{demo}:cards`."
)


def documents() -> dict[Path, str]:
    """Every generated file with its content."""
    files = {
        DIRECTORY / "json" / f"{event.type}.json": json.dumps(json_schema(event), indent=2, ensure_ascii=False) + "\n"
        for event in _events()
    }
    files[DIRECTORY / "asyncapi.yaml"] = msgspec.yaml.encode(asyncapi()).decode()
    return files


def json_schema(event: type[Event]) -> dict[str, Any]:
    """The JSON Schema of an event's `data`, standing alone."""
    components = _components("#/$defs/{name}", event)
    schema = components.pop(event.__name__)
    streams = " and ".join(f"`{stream}`" for stream, events in EVENTS.items() if event in events)
    schema["description"] += f" Stands on {streams}."
    head = {"$schema": _DRAFT, "title": event.type}
    return (
        head
        | {key: value for key, value in schema.items() if key != "title"}
        | ({"$defs": components} if components else {})
    )


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI document: streams are channels, event types messages, entry fields headers, `data` the payload."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Baccarat floor",
            "version": "1.0.0",
            "description": _INFO,
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "redis": {
                "host": "localhost:6379",
                "protocol": "redis",
                "description": "Redis from 7.0 on, or Valkey. Entries are added by XADD and read by XREAD.",
            }
        },
        "channels": {stream: _channel(stream) for stream in (*_STREAMS, "rejects")},
        "operations": dict(_operations()),
        "components": {
            "parameters": {"pit": {"description": _PIT, "examples": ["{demo}"]}},
            "messages": {event.type: _message(event) for event in _events()} | {"reject": _REJECT},
            "schemas": {"RequestHeaders": _headers(_REQUEST_FIELDS), "FactHeaders": _headers(_FACT_FIELDS)}
            | _components("#/components/schemas/{name}", *_events()),
        },
    }


def _events() -> list[type[Event]]:
    """Every event class once; some stand on two streams."""
    return list(dict.fromkeys(event for events in EVENTS.values() for event in events))


def _components(template: str, *events: type[Event]) -> dict[str, Any]:
    _, components = msgspec.json.schema_components(events, ref_template=template)
    return dict(sorted(components.items()))


def _channel(stream: str) -> dict[str, Any]:
    types = [event.type for event in EVENTS[stream]] if stream in EVENTS else ["reject"]
    description = _STREAMS.get(stream, "Requests that could not be decoded, each by the service that would answer it.")
    return {
        "address": f"baccarat:{{pit}}:{stream}",
        "description": description,
        "parameters": {"pit": {"$ref": "#/components/parameters/pit"}},
        "messages": {event_type: {"$ref": f"#/components/messages/{event_type}"} for event_type in types},
    }


def _operations() -> Iterator[tuple[str, dict[str, Any]]]:
    """What each service receives, and what it sends. A request is in the operation of the service that answers it."""
    for service, streams in READS.items():
        for stream in streams:
            types = [
                event.type
                for event in EVENTS[stream]
                if issubclass(event, Fact) or decider(stream, event.type) == service
            ]
            yield f"{service}.receive.{stream}", _operation("receive", stream, types)
        own = FACT_STREAMS[service]
        yield f"{service}.send.{own}", _operation("send", own, [event.type for event in EVENTS[own]])
        yield f"{service}.send.rejects", _operation("send", "rejects", ["reject"])


def _operation(action: str, stream: str, types: list[str]) -> dict[str, Any]:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{stream}"},
        "messages": [{"$ref": f"#/channels/{stream}/messages/{event_type}"} for event_type in types],
    }


def _message(event: type[Event]) -> dict[str, Any]:
    headers = "RequestHeaders" if issubclass(event, Request) else "FactHeaders"
    return {
        "name": event.type,
        "summary": " ".join((event.__doc__ or "").split()),
        "headers": {
            "allOf": [
                {"$ref": f"#/components/schemas/{headers}"},
                {"type": "object", "properties": {"type": {"const": event.type}}},
            ]
        },
        "payload": {"$ref": f"#/components/schemas/{event.__name__}"},
        "examples": [{"payload": json.loads((SAMPLES_DIRECTORY / f"{event.type}.json").read_text("utf-8"))}],
    }


def _text(description: str, **rest: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **rest}


_TIME: Final = {"format": "date-time", "examples": ["2025-11-29T19:40:00.000000Z"]}
_COMMON_FIELDS: Final = {
    "specversion": {"const": "1.0"},
    "type": _text("The type of the event."),
    "subject": _text("The table, the same as in `data`."),
    "traceparent": _text("The trace that this entry belongs to, by W3C Trace Context."),
}
_REQUEST_FIELDS: Final = _COMMON_FIELDS | {
    "id": _text(
        "With `source` the identity of the request: a UUID that the sender chose and stored before sending it first.",
        minLength=1,
        maxLength=IDENTITY_LENGTH_MAX,
    ),
    "source": _text("Who asks.", minLength=1, maxLength=IDENTITY_LENGTH_MAX, examples=["/console/macau-1"]),
    "time": _text("The sender's clock (RFC 3339 UTC, microseconds): a claim.", **_TIME),
}
_FACT_FIELDS: Final = _COMMON_FIELDS | {
    "id": _text("The first 32 digits of `chain`.", pattern="^[0-9a-f]{32}$"),
    "source": _text("Which service of which pit wrote it.", examples=["/baccarat/demo/shoe"]),
    "time": _text("The writer's clock at the commit (RFC 3339 UTC, microseconds).", **_TIME),
    "causation": _text(
        "Stream and entry id of the request that this fact answers, else of the entry whose step wrote it.",
        examples=["console/1764445200000-0"],
    ),
    "sequence": _text("1, 2, … on its stream, without a gap.", pattern="^[1-9][0-9]{0,17}$"),
    "chain": _text(
        "Hex SHA-256 over the `chain` of the fact before it on the stream (64 zeros before the first) and then, for "
        "`source type subject time causation sequence data`: the value's length in bytes, in decimal, `:`, the value.",
        pattern="^[0-9a-f]{64}$",
    ),
}


def _headers(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name != "traceparent"],
    }


_REJECT_FIELDS: Final = {
    "stream": _text("Where the request stands: `console`, `scans` or `wagers`."),
    "entry": _text("Its entry id there."),
    "service": _text("The service that would have answered it."),
    "reason": _text(
        "`not_json`, `wrong_shape`, `repeated_field`, `subject_mismatch`, `too_large` (an entry has at most "
        f"{ENTRY_BYTES_MAX} bytes), `unknown_type` or `quarantined`; `entries_lost`: requests about `entry` were "
        "removed from the stream before they were read."
    ),
    "detail": _text("What is wrong with it, for people."),
    "id": _text("Its `id`, as far as it has one."),
    "type": _text("Its `type`, as far as it has one."),
    "digest": _text("Hex SHA-256 of its `data`; left out where there is none, and for `scans`."),
    "data": _text("The first 256 bytes of its `data`, of a console request alone: no bet and no card is seen here."),
}
_REJECT: Final = {
    "name": "reject",
    "summary": "A request changed nothing because it could not be decoded, or because its table is set aside.",
    "description": "No CloudEvents event: the entry's fields are the payload, all of them strings.",
    "payload": {
        "type": "object",
        "properties": _REJECT_FIELDS,
        "required": [name for name in _REJECT_FIELDS if name not in ("digest", "data")],
    },
    "examples": [
        {
            "payload": {
                "stream": "wagers",
                "entry": "1764445222310-0",
                "service": "settlement",
                "reason": "wrong_shape",
                "detail": "Expected `int`, got `str` - at `$.amount_minor`",
                "id": "0b5a8f0e-6f0c-4a52-8f57-5f0c3f3f9a11",
                "type": "bet.place",
                "digest": "1b74c803fe51fb27eca28bf25d6bc4469e9cbec6524dca55d54a51d749a4d854",
            }
        }
    ],
}


def main(arguments: list[str]) -> None:
    """Write the documents, or compare them with `--check`."""
    files = documents()
    surplus = set((DIRECTORY / "json").glob("*.json")) - files.keys()
    if arguments == ["--check"]:
        stale = {path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text}
        if stale | surplus:
            names = ", ".join(str(path.relative_to(DIRECTORY.parent)) for path in sorted(stale | surplus))
            sys.exit(f"out of date: {names} (`python -m schemas.documents` writes them)")
    elif arguments:
        sys.exit("usage: python -m schemas.documents [--check]")
    else:
        (DIRECTORY / "json").mkdir(exist_ok=True)
        for path in surplus:
            path.unlink()
        for path, text in files.items():
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
