"""The format of scenario files, which `tests/scenarios/README.md` explains.

Only the shape of a file is checked here. A request may be wrong: many scenarios show what happens then.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from schemas.streams import EVENTS, REQUEST_STREAMS

FACTS: Final = ("cards", "calls", "bets", "rejects")
SENDS: Final = (*REQUEST_STREAMS, "shoe")
# TOML has no null.
NULL: Final = "null"
_TOP: Final = ("title", "articles", "options", "house", "house_rules", "refused", "limits", "step")
_STEP: Final = (*SENDS, "note", "expect", "absent", "exactly")


class ScenarioError(Exception):
    """A scenario file cannot be read or played. The message is one line, and names the file and the place."""


class Expected(msgspec.Struct, frozen=True):
    """A fact that must follow a step: its type, and the fields that it must have. `stream` None: on any stream."""

    type: str
    stream: str | None
    fields: dict[str, Any]

    def __str__(self) -> str:
        named = "".join(f" {name}={msgspec.json.encode(value).decode()}" for name, value in self.fields.items())
        return f"{self.stream or 'any'} {self.type}{named}"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step: what is sent, and what must follow.

    `sends`: the stream that it is sent to, or `shoe`, where it is cards. `given`: the requests or cards as written.
    `line`: the line of the file where the step begins.
    """

    number: int
    line: int
    sends: str
    given: tuple[Any, ...]
    expect: tuple[Expected, ...]
    absent: tuple[str, ...]
    exactly: bool

    def __str__(self) -> str:
        said = [str(one.get("type", "?")) if isinstance(one, dict) else str(one) for one in self.given]
        return f"step {self.number} ({self.sends} {' '.join(said)})"


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One scenario.

    `house_rules`: the fields that it changes in a shipped rule set. `refused`: words of the message with which the
    services refuse these house rules, where that is what the scenario is about.
    """

    path: Path
    title: str
    articles: tuple[str, ...]
    options: tuple[str, ...]
    house: str
    house_rules: dict[str, Any] | None
    refused: tuple[str, ...]
    limits: dict[str, Any]
    steps: tuple[Step, ...]


def read_scenario(path: Path) -> Scenario:
    """The scenario of a file. Raises ScenarioError."""
    try:
        text = path.read_text(encoding="utf-8")
        raw = tomllib.loads(text)
    except OSError as error:
        raise ScenarioError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ScenarioError(f"{path}: byte {error.start}: not UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ScenarioError(f"{path}: not TOML: {error}") from None
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith("[[step]]")]
    for line, problem in _problems(raw, lines):
        raise ScenarioError(f"{path}:{line}: {problem}" if line else f"{path}: {problem}")
    raw = _with_null(raw)
    house_rules = raw.get("house_rules")
    return Scenario(
        path=path,
        title=raw["title"],
        articles=tuple(str(article) for article in raw.get("articles", ())),
        options=tuple(raw.get("options", [name for name in house_rules or () if name not in ("base", "name")])),
        house=(house_rules or {}).get("base", raw.get("house", "macau")),
        house_rules=house_rules,
        refused=tuple(raw.get("refused", ())),
        limits=raw.get("limits", {}),
        steps=tuple(_step(step, number, _line(lines, number)) for number, step in enumerate(raw.get("step", ()), 1)),
    )


def _step(raw: Mapping[str, Any], number: int, line: int) -> Step:
    sends = next(name for name in SENDS if name in raw)
    given = raw[sends]
    return Step(
        number=number,
        line=line,
        sends=sends,
        given=tuple(given) if isinstance(given, list) else (given,),
        expect=tuple(
            Expected(
                fact["type"],
                fact.get("stream"),
                {name: value for name, value in fact.items() if name not in ("type", "stream")},
            )
            for fact in raw.get("expect", ())
        ),
        absent=tuple(raw.get("absent", ())),
        exactly=raw.get("exactly", False),
    )


def _with_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_null(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_null(inner) for inner in value]
    return None if value == NULL else value


def _line(lines: list[int], number: int) -> int:
    """The line where a step begins, or 0 when the file does not write its steps as `[[step]]`."""
    return lines[number - 1] if number <= len(lines) else 0


def _problems(raw: dict[str, Any], lines: list[int]) -> Iterator[tuple[int, str]]:
    """What is wrong with the file's content, each with the line where its step begins, or 0."""
    yield from ((0, problem) for problem in _unknown(raw, _TOP))
    shapes: dict[str, tuple[type, str]] = {
        "title": (str, "a text"),
        "articles": (list, "a list of article numbers"),
        "options": (list, "a list of house rule fields"),
        "house": (str, "the name of a house rule set"),
        "house_rules": (dict, "a table: base and the fields changed on it"),
        "refused": (list, "a list of texts"),
        "limits": (dict, "a table"),
        "step": (list, "a list of tables: [[step]]"),
    }
    for name, (kind, allowed) in shapes.items():
        if name in raw and not isinstance(raw[name], kind):
            yield 0, f"{name}: allowed: {allowed}"
            return
    if "title" not in raw:
        yield 0, "title: missing, allowed: a text"
    if not raw.get("step") and "refused" not in raw:
        yield 0, "step: missing, allowed: one or more [[step]]"
    for number, step in enumerate(raw.get("step", ()), 1):
        for problem in _problems_of_step(step):
            yield _line(lines, number), f"step {number}: {problem}"


def _problems_of_step(step: Any) -> Iterator[str]:
    if not isinstance(step, dict):
        yield "allowed: a table"
        return
    yield from _unknown(step, _STEP)
    sends = [name for name in SENDS if name in step]
    if len(sends) != 1:
        yield f"allowed: exactly one of {', '.join(SENDS)}"
        return
    given = step[sends[0]] if isinstance(step[sends[0]], list) else [step[sends[0]]]
    if sends[0] == "shoe":
        if not all(isinstance(card, str) for card in given):
            yield 'shoe: allowed: a list of cards such as "8H"'
    elif not all(isinstance(request, dict) and isinstance(request.get("type"), str) for request in given):
        yield f"{sends[0]}: allowed: a table with a type, or a list of such"
    expect = step.get("expect", [])
    if not isinstance(expect, list) or not all(isinstance(fact, dict) for fact in expect):
        yield "expect: allowed: a list of tables"
        return
    for fact in expect:
        known = {event.type for event in EVENTS.get(str(fact.get("stream")), ())}
        if not isinstance(fact.get("type"), str):
            yield "expect: each names its type"
        elif fact.get("stream", "cards") not in FACTS:
            yield f"expect: stream: is {fact['stream']!r}, allowed: {', '.join(FACTS)}"
        elif known and fact["type"] not in known:
            yield f"expect: type: {fact['type']!r} is none of the stream {fact['stream']}"
    absent = step.get("absent", [])
    if not isinstance(absent, list) or not all(isinstance(name, str) for name in absent):
        yield "absent: allowed: a list of types"
    if not isinstance(step.get("exactly", False), bool):
        yield "exactly: allowed: true, false"


def _unknown(raw: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[str]:
    yield from (f"{name!r}: unknown field, allowed: {', '.join(known)}" for name in raw if name not in known)
