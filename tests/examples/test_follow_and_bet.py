"""The examples for connecting a floor system play a round, write what the wire asks for and notice a broken chain."""

import json
import re
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
import redis

from schemas.documents import DIRECTORY
from schemas.streams import pit_key
from tests import node
from tests.examples.scripted_floor import ScriptedFloor
from tests.servers import Server
from tests.system.floor import Floor

EXAMPLES: Final = DIRECTORY / "examples"

Play = Callable[[str, str, str], subprocess.CompletedProcess[str]]


@pytest.fixture(
    params=["follow_and_bet.py", pytest.param("follow_and_bet.mjs", marks=pytest.mark.needs("npm packages"))]
)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    """Plays a round with one of the examples, which sees nothing of this project, given a server, a pit, a table."""
    script = EXAMPLES / request.param

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        if script.suffix == ".mjs":
            return node.run_script(script, *arguments, directory=tmp_path)
        command = [sys.executable, "-I", str(script), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)

    return run


def data_of(url: str, pit: str, stream: str, event_type: str) -> list[Any]:
    """The data of a stream's facts of one type, as they stand on the server."""
    with redis.Redis.from_url(url, decode_responses=True) as server:
        entries: Any = server.xrange(pit_key(pit, stream))
    return [json.loads(fields["data"]) for _, fields in entries if fields["type"] == event_type]


def assert_printed(url: str, pit: str, result: subprocess.CompletedProcess[str]) -> tuple[str, tuple[Any, ...]]:
    """What an example printed is what stands on `bets`: the answer to its bet, then the same round's books.

    Returns the answer's type and the round's shoe number and round number.
    """
    assert result.returncode == 0, result.stderr
    answer, settled = result.stdout.splitlines()
    event_type, _, data = answer.partition(" ")
    events = [json.loads(data), json.loads(settled)]
    assert events == [data_of(url, pit, "bets", kind)[-1] for kind in (event_type, "round.settled")]
    (number,) = {(event["shoe_number"], event["round_number"]) for event in events}
    return event_type, number


def play_on(floor: ScriptedFloor, play: Play) -> tuple[str, tuple[Any, ...]]:
    return assert_printed(floor.url, floor.pit, play(floor.url, floor.pit, floor.table))


def test_an_example_plays_the_next_round_of_the_shoe(play: Play, floor: ScriptedFloor) -> None:
    assert play_on(floor, play) == ("bet.accepted", (3, 8))


def test_an_example_begins_a_new_shoe_with_round_one(play: Play, floor: ScriptedFloor) -> None:
    floor.start_shoe(4)
    assert play_on(floor, play) == ("bet.accepted", (4, 1))


def test_an_example_takes_the_first_chain_behind_trimming_as_given(play: Play, floor: ScriptedFloor) -> None:
    rewrite(floor, "cards", 0, lambda fields: None)
    assert play_on(floor, play) == ("bet.accepted", (3, 8))


def test_an_example_plays_a_round_with_the_services(play: Play, embedded: Server, real_floor: Floor) -> None:
    url, pit, table = embedded.url, real_floor.pit, real_floor.table
    assert assert_printed(url, pit, play(url, pit, table)) == ("bet.accepted", (1, 1))
    (books,) = [data for data in data_of(url, pit, "bets", "round.settled") if data["table"] == table]
    assert (books["stakes"], books["placed_minor"]) == (1, 10_000)


def test_an_example_tells_why_its_bet_was_rejected(play: Play, floor: ScriptedFloor) -> None:
    floor.rejection = "differential_full"
    assert play_on(floor, play) == ("bet.rejected", (3, 8))
    (rejected,) = data_of(floor.url, floor.pit, "bets", "bet.rejected")
    assert rejected["reason"] == "differential_full"


def test_an_example_that_may_not_open_a_round_says_why_and_places_no_bet(play: Play, floor: ScriptedFloor) -> None:
    floor.refusal = "round_running"
    result = play(floor.url, floor.pit, floor.table)
    assert result.returncode == 1
    assert "round_running" in result.stderr
    assert [fields["type"] for _, fields in floor.received] == ["round.open"]


def test_the_entries_of_an_example_are_those_of_the_wire(play: Play, floor: ScriptedFloor) -> None:
    assert play(floor.url, floor.pit, floor.table).returncode == 0
    with redis.Redis.from_url(floor.url, decode_responses=True) as server:
        ((wager_id, _),) = server.xrange(floor.key("wagers"))
    for _, fields in floor.received:
        assert fields.keys() == {"specversion", "id", "source", "type", "subject", "time", "data"}
        assert uuid.UUID(fields["id"]).version == 4
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", fields["time"])
    assert len({fields["id"] for _, fields in floor.received}) == 3
    number = {"table": "macau-1", "shoe_number": 3, "round_number": 8}
    sent = [(stream, fields["type"], json.loads(fields["data"])) for stream, fields in floor.received]
    bet = {"bettor_id": "example", "bet": "player", "amount_minor": 30_000, "currency": "HKD"}
    assert sent == [
        ("console", "round.open", {"operator": "example", **number}),
        ("wagers", "bet.place", {"bet_id": sent[1][2]["bet_id"], **bet, **number}),
        ("console", "betting.close", {"operator": "example", "wagers_through": wager_id, **number}),
    ]
    assert uuid.UUID(sent[1][2]["bet_id"]).version == 4


@pytest.mark.parametrize(("stream", "index"), [("cards", 0), ("cards", 2), ("bets", 0)])
def test_a_fact_that_was_altered_stops_an_example(play: Play, floor: ScriptedFloor, stream: str, index: int) -> None:
    rewrite(floor, stream, index, lambda fields: fields | {"data": fields["data"].replace("3", "4")})
    assert_chain_is_wrong(floor, play(floor.url, floor.pit, floor.table))


def test_a_fact_that_is_missing_stops_an_example(play: Play, floor: ScriptedFloor) -> None:
    rewrite(floor, "cards", 1, lambda fields: None)
    assert_chain_is_wrong(floor, play(floor.url, floor.pit, floor.table))


def rewrite(
    floor: ScriptedFloor, stream: str, index: int, change: Callable[[dict[str, str]], dict[str, str] | None]
) -> None:
    """Write a stream anew with one entry changed or left out, under the ids that it had."""
    key = floor.key(stream)
    with redis.Redis.from_url(floor.url, decode_responses=True) as server:
        entries: Any = server.xrange(key)
        server.delete(key)
        for position, (entry_id, fields) in enumerate(entries):
            changed = change(fields) if position == index else fields
            if changed is not None:
                server.xadd(key, dict(changed), id=entry_id)


def assert_chain_is_wrong(floor: ScriptedFloor, result: subprocess.CompletedProcess[str]) -> None:
    assert result.returncode == 1
    assert "wrong chain" in result.stderr
    assert floor.received == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_an_example_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) < 40
