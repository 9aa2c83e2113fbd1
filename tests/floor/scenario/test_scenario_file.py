"""Scenario files: what is read, and how an unreadable one is told."""

from pathlib import Path

import pytest

from services.floor.scenario.file_format import ScenarioError, read_scenario

GOOD = """title = "t"
articles = [9, "12(3)"]

[house_rules]
base = "macau-sjm"
burn = "none"

[[step]]
scans = { type = "card.scan", card = "null" }
expect = [{ type = "scan.missed", ordinal = 1 }]

[[step]]
shoe = ["8H", "cut"]
absent = ["card.dealt"]
exactly = true
"""


def written(directory: Path, content: str | bytes) -> Path:
    file = directory / "a.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def test_a_scenario_is_read_with_null_for_the_word_null(tmp_path: Path) -> None:
    scenario = read_scenario(written(tmp_path, GOOD))
    assert (scenario.title, scenario.articles, scenario.options) == ("t", ("9", "12(3)"), ("burn",))
    assert scenario.house == "macau-sjm"
    scan, shoe = scenario.steps
    assert scan.given == ({"type": "card.scan", "card": None},)
    assert (scan.expect[0].type, scan.expect[0].stream, scan.expect[0].fields) == ("scan.missed", None, {"ordinal": 1})
    assert (shoe.sends, shoe.given, shoe.absent, shoe.exactly) == ("shoe", ("8H", "cut"), ("card.dealt",), True)
    assert [scan.line, shoe.line] == [8, 12]


STEP = '[[step]]\nconsole = { type = "table.open" }\n'
UNREADABLE: list[tuple[str | bytes, str]] = [
    (b"\xff", ": byte 0: not UTF-8"),
    ("title = ", ": not TOML: Invalid value (at end of document)"),
    ('title = "t"\ntitel = "t"\n' + STEP, ": 'titel': unknown field, allowed: title, "),
    (STEP, ": title: missing"),
    ("title = 3\n" + STEP, ": title: allowed: a text"),
    ('title = "t"\n', ": step: missing"),
    ('title = "t"\n' + STEP + "[[step]]\n", ":4: step 2: allowed: exactly one of console, "),
    ('title = "t"\n' + STEP + 'shoe = ["8H"]\n', ":2: step 1: allowed: exactly one of console, "),
    ('title = "t"\n[[step]]\nshoe = [8]\n', ':2: step 1: shoe: allowed: a list of cards such as "8H"'),
    ('title = "t"\n[[step]]\nwagers = { bet = "tie" }\n', ":2: step 1: wagers: allowed: a table with a type"),
    ('title = "t"\n' + STEP + "expected = []\n", ":2: step 1: 'expected': unknown field"),
    ('title = "t"\n' + STEP + 'expect = [{ stream = "cards" }]\n', ":2: step 1: expect: each names its type"),
    (
        'title = "t"\n' + STEP + 'expect = [{ stream = "console", type = "table.open" }]\n',
        ":2: step 1: expect: stream: is 'console', allowed: cards, calls, bets, rejects",
    ),
    (
        'title = "t"\n' + STEP + 'expect = [{ stream = "bets", type = "card.dealt" }]\n',
        ":2: step 1: expect: type: 'card.dealt' is none of the stream bets",
    ),
    ('title = "t"\n' + STEP + 'absent = "card.dealt"\n', ":2: step 1: absent: allowed: a list of types"),
    ('title = "t"\n' + STEP + 'exactly = "yes"\n', ":2: step 1: exactly: allowed: true, false"),
]


@pytest.mark.parametrize(("content", "said"), UNREADABLE)
def test_an_unreadable_file_is_told_with_file_and_place(tmp_path: Path, content: str | bytes, said: str) -> None:
    file = written(tmp_path, content)
    with pytest.raises(ScenarioError) as error:
        read_scenario(file)
    assert str(error.value).startswith(f"{file}{said}")
    assert len(str(error.value).splitlines()) == 1


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"none\.toml: No such file or directory"):
        read_scenario(tmp_path / "none.toml")
