"""Replay: recorded rounds through the three services, as processes on a real server."""

import json
import os
import pty
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from schemas.streams import pit_key
from services.floor import replay_streams
from services.floor.replay import replay
from tests.servers import Server, embedded
from tests.system.processes import Services

__all__ = ["embedded"]

DATA = Path(__file__).parents[1] / "data"
SHIPPED = DATA / "recorded_rounds.jsonl"
ONE_CARD_CHANGED = DATA / "recorded_rounds_one_card_changed.jsonl"
# What their sources marked, or a reading by hand: the rest agrees.
SHIPPED_DIFFER = [13, 14, 15, 39, 40, 41, 42, 43, 50, 51, 52, 53]
PIT = "replay"
NATURAL = {"player": ["8", "K"], "banker": ["2", "3"], "result": "P", "pairs": ""}
SUMMARY = re.compile(r"rounds=(\d+) agree=(\d+) differ=(\d+) rounds_per_s=\d+")


@pytest.fixture(scope="module")
def services(embedded: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = Services(embedded, tmp_path_factory.mktemp("services"), PIT)
    services.start()
    yield services
    services.stop()


@pytest.fixture
def url(embedded: Server, services: Services) -> str:
    assert services.names, "they run"
    return embedded.url


def written(directory: Path, *records: dict[str, Any]) -> Path:
    file = directory / "rounds.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def lines_told(output: str) -> dict[int, str]:
    """What was said about each line of the file, by its number, without the last line."""
    *told, _ = output.splitlines()
    return {int(line.removeprefix("line ").partition(":")[0]): line for line in told}


def summary(output: str) -> tuple[int, ...]:
    found = SUMMARY.fullmatch(output.splitlines()[-1])
    assert found, output
    return tuple(map(int, found.groups()))


# --- what agrees and what differs ----------------------------------------------------------------------------------


async def test_the_shipped_rounds_differ_exactly_where_the_records_are_wrong(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await replay(SHIPPED, PIT, url) == 1
    output, errors = capsys.readouterr()
    assert (summary(output), errors) == ((54, 42, 12), "")
    told = lines_told(output)
    assert list(told) == SHIPPED_DIFFER
    assert told[13] == (
        'line 13: {"player":["9","2","Q"],"banker":["7","5"],"shoe":"shoe_48","result":"B","pairs":""}'
        " | services: void: the record has no third card for the Banker, who was called to draw"
        " | differs in void | the record breaks article 9"
    )
    assert told[42] == (
        'line 42: {"player":["T","T"],"banker":["5","4"],"shoe":"shoe_3","result":"P"}'
        ' | services: player TC TD (0), banker 5C 4C (9), result B, pairs "P", natural 1, settled B'
        " | differs in result | the record keeps article 9"
    )
    assert told[43].endswith("| differs in player, banker, result | the record breaks article 9")


async def test_one_changed_card_in_each_agreeing_round_is_reported_each_time(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await replay(ONE_CARD_CHANGED, PIT, url) == 1
    output = capsys.readouterr().out
    assert summary(output) == (42, 0, 42)
    assert list(lines_told(output)) == list(range(1, 43))


def test_the_changed_rounds_are_the_agreeing_ones_with_one_other_card() -> None:
    records = [json.loads(line) for line in SHIPPED.read_bytes().splitlines()]
    agreeing = [record for number, record in enumerate(records, start=1) if number not in SHIPPED_DIFFER]
    changed = [json.loads(line) for line in ONE_CARD_CHANGED.read_bytes().splitlines()]
    for before, after in zip(agreeing, changed, strict=True):
        sides = ("player", "banker")
        assert {**before, "player": 0, "banker": 0} == {**after, "player": 0, "banker": 0}
        pairs = [pair for side in sides for pair in zip(before[side], after[side], strict=True)]
        assert sum(old != new for old, new in pairs) == 1


async def test_a_file_whose_rounds_all_agree_says_so_in_one_line(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await replay(written(tmp_path, NATURAL, NATURAL), PIT, url) == 0
    output = capsys.readouterr().out
    assert summary(output) == (2, 2, 0)
    assert len(output.splitlines()) == 1


LACKS = "void: the record lacks one of the first four cards"
NO_THIRD = "void: the record has no third card for the {}, who was called to draw"
PLAYER_NATURAL = 'player 8C KC (8), banker 2C 3C (5), result P, pairs "", natural 1, settled P'

# A record's cards, what the services said, what differs.
MISSHAPEN = [
    (" | ", LACKS, "void"),
    ("8 | ", LACKS, "void"),
    ("8 K | 2", LACKS, "void"),
    ("8 | 2 3 4", LACKS, "void"),
    (" | 2 3", LACKS, "void"),
    ("2 3 | 7 K 4", NO_THIRD.format("Player"), "void"),
    ("2 3 4 | 2 3", NO_THIRD.format("Banker"), "void"),
    ("6 K 5 | 2 3", NO_THIRD.format("Banker"), "void"),
    ("8 K 5 | 2 3", PLAYER_NATURAL, "player"),
    ("8 K | 2 3 5", PLAYER_NATURAL, "banker"),
    ("8 K 5 5 5 5 | 2 3 5 5 5 5 5 5 5 5 5 5", PLAYER_NATURAL, "player, banker"),
]


@pytest.mark.parametrize(("cards", "said", "fields"), MISSHAPEN)
async def test_a_record_with_too_few_or_too_many_cards_differs_and_play_goes_on(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, cards: str, said: str, fields: str
) -> None:
    player, banker = cards.split("|")
    misshapen = {"shoe": 1, "player": player.split(), "banker": banker.split()}
    agreeing = {**NATURAL, "shoe": 1}
    assert await replay(written(tmp_path, misshapen, agreeing, misshapen, agreeing), PIT, url) == 1
    output = capsys.readouterr().out
    assert summary(output) == (4, 2, 2)
    told = lines_told(output)
    assert list(told) == [1, 3]
    assert f" | services: {said} | differs in {fields} | the record breaks article 9" in told[1]


async def test_issues_and_other_fields_are_not_read(url: str, tmp_path: Path, capsys: Any) -> None:
    marked = {**NATURAL, "issues": {"any": "thing"}, "hand": [], "source": None}
    assert await replay(written(tmp_path, marked), PIT, url) == 0
    assert summary(capsys.readouterr().out) == (1, 1, 0)


# --- shoes ---------------------------------------------------------------------------------------------------------

# Thirteen rounds of four cards that are one deck: a natural each.
ONE_DECK = (
    ("9 T", "Q Q"), ("9 T", "Q Q"), ("9 T", "K K"), ("9 T", "K K"), ("8 J", "2 2"), ("8 J", "2 2"), ("8 J", "3 3"),
    ("8 J", "3 3"), ("7 A", "6 6"), ("7 A", "6 6"), ("4 4", "5 5"), ("4 4", "5 5"), ("7 A", "7 A"),
)  # fmt: skip


async def test_fewer_than_six_cards_left_start_a_new_shoe_and_the_round_s_line_says_so(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = [{"shoe": 1, "player": player.split(), "banker": banker.split()} for player, banker in ONE_DECK * 8]
    assert await replay(written(tmp_path, *rounds), PIT, url) == 0
    output = capsys.readouterr().out
    assert summary(output) == (104, 104, 0)
    assert list(lines_told(output)) == [104]
    assert lines_told(output)[104].endswith(" | agrees | new shoe: fewer than six cards were left")


async def test_a_card_without_a_copy_left_starts_a_new_shoe_and_the_round_s_line_says_so(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = {"shoe": 1, "player": ["9C", "K"], "banker": ["2", "3"], "result": "P"}
    assert await replay(written(tmp_path, *[same] * 17), PIT, url) == 0
    told = lines_told(capsys.readouterr().out)
    assert list(told) == [9, 17]
    assert told[9].endswith(" | agrees | new shoe: no copy of a card was left")


async def test_a_new_shoe_is_said_of_a_differing_round_too(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = {"shoe": 1, "player": ["9C", "9C"], "banker": ["9C", "9C"], "result": "T"}
    assert await replay(written(tmp_path, same, same, {**same, "result": "B"}), PIT, url) == 1
    told = lines_told(capsys.readouterr().out)
    assert " | differs in result | the record keeps article 9 | new shoe: no copy" in told[3]


# --- what goes in --------------------------------------------------------------------------------------------------


def new_entries(server: Server, stream: str, before: int) -> list[tuple[str, dict[str, Any], dict[str, str]]]:
    """Type, data and fields of a stream's entries behind the first so many."""
    with server.client() as client:
        entries: Any = client.xrange(pit_key(PIT, stream))
    decoded = [{name.decode(): value.decode() for name, value in fields.items()} for _, fields in entries[before:]]
    return [(fields["type"], json.loads(fields["data"]), fields) for fields in decoded]


def lengths(server: Server) -> dict[str, int]:
    with server.client() as client:
        return {stream: int(client.xlen(pit_key(PIT, stream))) for stream in ("console", "scans", "wagers", "cards")}


async def test_rounds_are_numbered_in_file_order_in_a_physical_shoe_for_each_label(
    embedded: Server, url: str, tmp_path: Path
) -> None:
    before = lengths(embedded)
    labels = ["a", "a", "b", None, None, "a", 1, "1"]
    void = {"shoe": "a", "player": ["8"], "banker": []}
    await replay(written(tmp_path, *({**NATURAL, "shoe": label} for label in labels), void, void), PIT, url)

    console = new_entries(embedded, "console", before["console"])
    opened = [(data["shoe_number"], data["round_number"]) for kind, data, _ in console if kind == "round.open"]
    assert opened == [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (8, 2)]
    assert {data["kind"] for kind, data, _ in console if kind == "shoe.load"} == {"physical"}

    scans = [data for _, data, _ in new_entries(embedded, "scans", before["scans"])]
    ordinals = {shoe: [data["ordinal"] for data in of_shoe] for shoe, of_shoe in groupby(scans, _shoe_number)}
    four = [1, 2, 3, 4]
    assert ordinals == {1: [*four, 5, 6, 7, 8], 2: four, 3: four, 4: four, 5: four, 6: four, 7: four, 8: [1, 2]}
    assert [data["card"] for data in scans[:8]] == ["8C", "2C", "KC", "3C", "8D", "2D", "KD", "3D"]


def _shoe_number(scan: dict[str, Any]) -> int:
    number: int = scan["shoe_number"]
    return number


async def test_every_run_has_a_table_of_its_own_under_macau_and_nobody_bets(
    embedded: Server, url: str, tmp_path: Path
) -> None:
    before = lengths(embedded)
    file = written(tmp_path, NATURAL)
    await replay(file, PIT, url)
    await replay(file, PIT, url)

    console = new_entries(embedded, "console", before["console"])
    kinds = ["table.open", "shoe.load", "round.open", "betting.close", "table.close"]
    assert [kind for kind, _, _ in console] == kinds * 2
    tables = [data["table"] for kind, data, _ in console if kind == "table.open"]
    assert len(set(tables)) == 2
    assert {data["house_rules"] for kind, data, _ in console if kind == "table.open"} == {"macau"}
    assert {data["wagers_through"] for kind, data, _ in console if kind == "betting.close"} == {"0-0"}
    assert all(data["operator"] for _, data, _ in console)
    identities = [uuid.UUID(fields["id"]) for _, _, fields in console]
    assert {identity.version for identity in identities} == {4}
    assert len(set(identities)) == len(identities)
    assert lengths(embedded)["wagers"] == before["wagers"] == 0


async def test_every_card_scanned_is_dealt_and_no_misdeal_is_left_behind(embedded: Server, url: str) -> None:
    before = lengths(embedded)
    await replay(SHIPPED, PIT, url)
    cards = new_entries(embedded, "cards", before["cards"])
    kinds = {kind for kind, _, _ in cards}
    assert not kinds & {"misdeal.detected", "scan.missed", "request.refused", "request.repeated"}
    dealt = [
        (data["shoe_number"], data["card_number"], data["card"]) for kind, data, _ in cards if kind == "card.dealt"
    ]
    scanned = [
        (data["shoe_number"], data["ordinal"], data["card"])
        for _, data, _ in new_entries(embedded, "scans", before["scans"])
    ]
    assert dealt == scanned


# --- what cannot be played -----------------------------------------------------------------------------------------

NOWHERE = "redis://127.0.0.1:1/0"
UNREADABLE = [
    (b"", "holds no round"),
    (b"\n\n", "holds no round"),
    (b'{"player":["8","K"],"banker":["2","3"]}\nrubbish\n', "line 2: JSON is malformed"),
    (b'{"player":["8","K"]}\n', "line 1: Object missing required field `banker`"),
    (b'{"player":["8","K"],"banker":["2","11"]}\n', "line 1: Expected `str` matching regex"),
]


@pytest.mark.parametrize(("content", "said"), UNREADABLE)
async def test_an_unreadable_file_is_one_line_with_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(content)
    assert await replay(file, PIT, NOWHERE) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith(f"{file}: {said}")
    assert len(errors.splitlines()) == 1


async def test_a_missing_file_and_a_folder_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert await replay(tmp_path / "none.jsonl", PIT, NOWHERE) == 2
    assert capsys.readouterr().err == f"{tmp_path}/none.jsonl: No such file or directory\n"
    assert await replay(tmp_path, PIT, NOWHERE) == 2
    assert capsys.readouterr().err == f"{tmp_path}: Is a directory\n"


SERVERS_THAT_ARE_NONE = [NOWHERE, "redis://no-such-host.invalid:6379/0", "http://127.0.0.1/", "rubbish"]


@pytest.mark.parametrize("server", SERVERS_THAT_ARE_NONE)
async def test_an_unreachable_server_is_one_line(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert await replay(SHIPPED, PIT, server) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith("pit replay: ")
    assert len(errors.splitlines()) == 1


async def test_a_pit_that_nobody_owns_is_one_line(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_streams, "ANSWER_SECONDS", 0.2)
    assert await replay(SHIPPED, "nobody-s", url) == 2
    expected = "pit nobody-s: the services gave no answer within 0.2 s after the first request\n"
    assert capsys.readouterr().err == expected


async def test_with_rules_stopped_it_ends_with_one_line(
    url: str, services: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await replay(written(tmp_path, NATURAL), PIT, url) == 0, "the services are there"
    capsys.readouterr()
    services.hold("rules")
    try:
        monkeypatch.setattr(replay_streams, "ANSWER_SECONDS", 2)
        assert await replay(SHIPPED, PIT, url) == 2
    finally:
        services.go_on("rules")
    assert capsys.readouterr() == ("", "pit replay: the services gave no answer within 2 s after card.dealt\n")


# --- the command ---------------------------------------------------------------------------------------------------


def test_the_command_starts_what_it_needs_and_shows_its_progress_on_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "services", "replay", str(SHIPPED)],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80", "TMPDIR": str(tmp_path)},
    ) as process:
        os.close(theirs)
        shown = _until_closed(ours)
    os.close(ours)
    assert process.returncode == 1
    assert "━" in shown, "a progress bar"
    assert "/54" in shown
    last_line = shown.rstrip().splitlines()[-1]
    assert SUMMARY.search(last_line), shown
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


def _until_closed(descriptor: int) -> str:
    read = b""
    while True:
        try:
            part = os.read(descriptor, 65_536)
        except OSError:  # Linux: the other end of the terminal is closed
            return read.decode()
        if not part:
            return read.decode()
        read += part


def test_the_embedded_services_refuse_a_pit_that_they_do_not_own() -> None:
    command = [sys.executable, "-m", "services", "replay", str(SHIPPED), "--pit", "other"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "pit other: the embedded services own only demo, replay\n"
