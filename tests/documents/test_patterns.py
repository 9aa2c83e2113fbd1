"""Patterns of the schemas mean the same in Python and in ECMAScript, the dialect that JSON Schema asks for."""

import json
import re
from typing import Any, Final

import pytest

from schemas.documents import DIRECTORY
from tests import node

# Field, a text for it, whether it is one.
CASES: Final = [
    ("card", "8H", True),
    ("card", "TS", True),
    ("card", "10H", False),
    ("card", "8h", False),
    ("card", "8H\n", False),
    ("card", " 8H", False),
    ("table", "macau-1", True),
    ("table", "百家樂 1", True),
    ("table", "", False),
    ("table", "macau-1\n", False),
    ("table", "macau\x001", False),
    ("table", "macau\x7f1", False),
    ("wagers_through", "0-0", True),
    ("wagers_through", "1764445222310-12", True),
    ("wagers_through", "1764445222310", False),
    ("wagers_through", "$", False),
    ("wagers_through", "1764445222310-0\n", False),
    ("wagers_through", "١-٠", False),
    ("odds", "8:1", True),
    ("odds", "0:1", False),
    ("odds", "8:1\n", False),
    ("name", "macau-sjm", True),
    ("name", "-macau", False),
    ("name", "Macau", False),
]
STANDS_IN: Final = {
    "card": ("card.dealt", ("properties", "card", "anyOf", 0)),
    "table": ("card.dealt", ("properties", "table")),
    "wagers_through": ("betting.close", ("properties", "wagers_through")),
    "odds": ("table.opened", ("$defs", "Bet", "properties", "odds")),
    "name": ("table.opened", ("$defs", "HouseRules", "properties", "name")),
}


def pattern(field: str) -> str:
    event_type, path = STANDS_IN[field]
    schema: Any = json.loads((DIRECTORY / "json" / f"{event_type}.json").read_text("utf-8"))
    for key in path:
        schema = schema[key]
    return str(schema["pattern"])


@pytest.mark.parametrize(("field", "text", "matches"), CASES)
def test_a_pattern_in_python(field: str, text: str, matches: bool) -> None:
    assert bool(re.search(pattern(field), text)) == matches


def test_the_patterns_in_ecmascript() -> None:
    questions = [[pattern(field), text] for field, text, _ in CASES]
    script = "console.log(JSON.stringify(JSON.parse(process.argv[1]).map(([p, t]) => new RegExp(p, 'u').test(t))))"
    result = node.run("--eval", script, json.dumps(questions))
    assert result.returncode == 0, result.stderr
    answers = json.loads(result.stdout)
    assert [(*case[:2], answer) for case, answer in zip(CASES, answers, strict=True)] == CASES


def test_every_pattern_is_tried() -> None:
    tried = {pattern(field) for field in STANDS_IN}
    written = {
        json.loads(found)
        for path in (DIRECTORY / "json").glob("*.json")
        for found in re.findall(r'"pattern": (".*")', path.read_text("utf-8"))
    }
    assert written - tried == {pattern_of_a_bet_name()}


def pattern_of_a_bet_name() -> str:
    schema = json.loads((DIRECTORY / "json" / "table.opened.json").read_text("utf-8"))
    return str(schema["$defs"]["Bet"]["properties"]["name"]["pattern"])
