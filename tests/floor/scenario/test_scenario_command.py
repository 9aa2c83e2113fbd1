"""The command `scenario`: the same files through real streams."""

import subprocess
import sys
from pathlib import Path

import pytest

from services.floor import pit_client
from services.floor.scenario.command import play_scenarios
from tests.floor.replay.records import PIT
from tests.scenarios.files import FILES
from tests.system.processes import Services

NOWHERE = "redis://127.0.0.1:1/0"
# What differs most in the way it is sent: held cards, repeats and rejects, carried stakes, a correction.
SOME = [
    file
    for file in FILES
    if file.stem in ("identities", "article-10-correct-after-the-end", "article-12-table-closes", "article-12-sjm")
]
WRONG = """title = "wrong"
[[step]]
console = { type = "round.open" }
expect = [{ stream = "cards", type = "round.opened", round_number = 2 }]
"""
OWN_RULES = """title = "own rules"
[house_rules]
decks = 7
[[step]]
console = { type = "table.open" }
"""


def written(directory: Path, content: str) -> Path:
    file = directory / "Mine 1.toml"
    file.write_text(content, encoding="utf-8")
    return file


async def test_files_agree_on_running_services_as_often_as_they_are_played(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert await play_scenarios(SOME, PIT, url) == 0
        output, errors = capsys.readouterr()
        assert errors == ""
        *told, last = output.splitlines()
        assert [line.split(": ")[0] for line in told] == [f"ok      {file}" for file in SOME]
        assert last == f"scenarios={len(SOME)} agree={len(SOME)} differ=0"


async def test_a_difference_is_shown_and_the_others_are_played(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = written(tmp_path, WRONG)
    assert await play_scenarios([wrong, SOME[0]], PIT, url) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"differs {wrong}:2: step 1 (console round.open)"
    assert told[1] == "  expected: cards round.opened round_number=2"
    assert told[2] == "  got:      cards round.opened round_number=1"
    assert told[-2].startswith("ok ")
    assert told[-1] == "scenarios=2 agree=1 differ=1"


async def test_house_rules_that_running_services_do_not_know_are_one_line(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, OWN_RULES)
    assert await play_scenarios([file], PIT, url) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"{file}: these services do not know the house rules 'mine-1-")
    assert "BACCARAT_HOUSE_DIR" in errors
    assert len(errors.splitlines()) == 1


async def test_what_cannot_be_read_or_reached_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = written(tmp_path, WRONG + "[[step]]\n")
    assert await play_scenarios([SOME[0], broken], PIT, NOWHERE) == 2
    output, errors = capsys.readouterr()
    assert (output, errors.startswith(f"{broken}:5: step 2: ")) == ("", True)
    assert await play_scenarios([SOME[0]], PIT, NOWHERE) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"pit {PIT}: ")
    assert len(errors.splitlines()) == 1


async def test_with_a_service_stopped_it_ends_with_one_line(
    url: str, services: Services, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pit_client, "ANSWER_SECONDS", 1)
    services.hold("settlement")
    try:
        assert await play_scenarios(SOME[:1], PIT, url) == 2
    finally:
        services.go_on("settlement")
    assert capsys.readouterr().err == f"pit {PIT}: the services gave no answer within 1 s after table.open\n"


def test_the_command_starts_services_that_know_the_scenarios_own_rules(tmp_path: Path) -> None:
    files = [str(written(tmp_path, OWN_RULES)), str(FILES[0])]
    command = [sys.executable, "-m", "services", "scenario", *files]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines()[-1] == "scenarios=2 agree=2 differ=0"
