"""The AsyncAPI document: the reference parser finds no error in it, and it tells all that a connecting system needs."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from jsonschema import Draft7Validator

from schemas.codec import ChainHead, encode_request, seal
from schemas.documents import DIRECTORY
from schemas.facts import BetCancelled
from schemas.requests import BetCancel
from tests import node
from tests.documents.samples import SAMPLES

FILE: Final = DIRECTORY / "asyncapi.yaml"
DOCUMENT: Final[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))

# Who receives and who sends what, as the picture of the streams has it.
OPERATIONS: Final = [
    ("shoe", "receive", "calls"),
    ("shoe", "receive", "bets"),
    ("shoe", "receive", "console"),
    ("shoe", "receive", "scans"),
    ("shoe", "send", "cards"),
    ("shoe", "send", "rejects"),
    ("rules", "receive", "cards"),
    ("rules", "send", "calls"),
    ("rules", "send", "rejects"),
    ("settlement", "receive", "cards"),
    ("settlement", "receive", "console"),
    ("settlement", "receive", "wagers"),
    ("settlement", "send", "bets"),
    ("settlement", "send", "rejects"),
]


def diagnostics(file: Path, directory: Path) -> list[dict[str, str]]:
    result = node.run_script(node.DIRECTORY / "parse_asyncapi.mjs", str(file), directory=directory)
    assert result.returncode == 0, result.stderr
    found: list[dict[str, str]] = json.loads(result.stdout)
    return found


@pytest.mark.needs("npm packages")
def test_the_parser_finds_no_error(tmp_path: Path) -> None:
    worse_than_information = [found for found in diagnostics(FILE, tmp_path) if found["severity"] != "information"]
    assert worse_than_information == []


@pytest.mark.needs("npm packages")
def test_the_parser_finds_a_reference_to_nothing(tmp_path: Path) -> None:
    spoiled = FILE.read_text("utf-8").replace("'#/components/schemas/BetPlace'", "'#/components/schemas/BetPlaced'")
    (tmp_path / "spoiled.yaml").write_text(spoiled, "utf-8")
    errors = [found for found in diagnostics(tmp_path / "spoiled.yaml", tmp_path) if found["severity"] == "error"]
    assert [error["code"] for error in errors] == ["invalid-ref"]


@pytest.mark.parametrize("name", [*sorted(SAMPLES), "reject"])
def test_the_example_of_a_message_is_of_its_payload(name: str) -> None:
    message = DOCUMENT["components"]["messages"][name]
    (example,) = message["examples"]
    schema = {**message["payload"], "components": DOCUMENT["components"]}
    Draft7Validator(schema).validate(example["payload"])


@pytest.mark.parametrize("event_type", sorted(SAMPLES))
def test_every_type_is_a_message_with_headers_payload_and_its_sample(event_type: str) -> None:
    message = DOCUMENT["components"]["messages"][event_type]
    assert message["headers"]["allOf"][1]["properties"]["type"] == {"const": event_type}
    assert message["payload"].keys() == {"$ref"}
    assert message["examples"] == [{"payload": SAMPLES[event_type]}]


@pytest.mark.parametrize("stream", ["console", "scans", "wagers", "cards", "calls", "bets", "rejects"])
def test_every_stream_is_a_channel_with_the_pit_as_a_parameter(stream: str) -> None:
    channel = DOCUMENT["channels"][stream]
    assert channel["address"] == f"baccarat:{{pit}}:{stream}"
    assert channel["parameters"] == {"pit": {"$ref": "#/components/parameters/pit"}}
    assert channel["messages"]


def test_the_value_of_the_pit_gives_the_key() -> None:
    (value,) = DOCUMENT["components"]["parameters"]["pit"]["examples"]
    address = DOCUMENT["channels"]["cards"]["address"]
    assert address.replace("{pit}", value) == "baccarat:{demo}:cards"


def test_the_operations_are_those_of_the_picture() -> None:
    found = [
        (name.split(".")[0], operation["action"], operation["channel"]["$ref"].removeprefix("#/channels/"))
        for name, operation in DOCUMENT["operations"].items()
    ]
    assert sorted(found) == sorted(OPERATIONS)


def test_settlement_receives_what_is_about_the_books_and_the_shoe_all_else_of_the_console() -> None:
    received = {
        service: {
            message["$ref"].rsplit("/", 1)[1]
            for message in DOCUMENT["operations"][f"{service}.receive.console"]["messages"]
        }
        for service in ("shoe", "settlement")
    }
    assert received == {
        "settlement": {"betting.close", "seat.take", "seat.leave", "settlement.adjust"},
        "shoe": {
            "table.open",
            "table.close",
            "table.hold",
            "table.release",
            "key.lost",
            "limits.set",
            "house_rules.change",
            "shoe.load",
            "shoe.end",
            "damage.report",
            "round.open",
            "round.void",
            "card.open",
            "card.correct",
            "holder.pass",
        },
    }


def test_the_headers_are_the_fields_of_an_entry() -> None:
    request = BetCancel(table="macau-1", shoe_number=1, round_number=1, bet_id="b", revision=0)
    entry = encode_request(request, id="1", source="/terminal/1", time="2025-11-29T19:40:00.000000Z", traceparent="00")
    assert header_fields("RequestHeaders") == names(entry) - {"data"}


def test_the_headers_of_facts_are_the_fields_of_their_entries() -> None:
    fact = BetCancelled(**SAMPLES["bet.cancelled"])
    entry, _ = seal(fact, ChainHead(), source="s", time="t", causation="wagers/1-0", traceparent="00")
    assert header_fields("FactHeaders") == names(entry) - {"data"}


def header_fields(headers: str) -> set[str]:
    schema = DOCUMENT["components"]["schemas"][headers]
    assert set(schema["required"]) == schema["properties"].keys() - {"traceparent"}
    return set(schema["properties"])


def names(entry: list[bytes]) -> set[str]:
    return {name.decode() for name in entry[::2]}
