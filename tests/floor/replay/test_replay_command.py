"""Replay: what cannot be played is one line and exit code 2; the command by itself."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from services.floor import pit_client
from services.floor.replay.command import replay
from tests.floor.replay.records import NATURAL, PIT, SHIPPED, written
from tests.system.processes import Services

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
    monkeypatch.setattr(pit_client, "ANSWER_SECONDS", 0.2)
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
        monkeypatch.setattr(pit_client, "ANSWER_SECONDS", 2)
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
    assert "rounds=54 agree=42 differ=12 rounds_per_s=" in last_line
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
