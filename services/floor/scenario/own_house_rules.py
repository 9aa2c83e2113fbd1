"""A scenario's own house rules: a shipped set with some fields changed, written as a house file for the services."""

import hashlib
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from schemas.house_rules import HouseRulesError, read_house_file
from services.floor.scenario.file_format import Scenario, ScenarioError


def house_name(scenario: Scenario) -> str:
    """The name of the rule set that the scenario's table opens under.

    A changed set is named after the scenario's file and a hash of the changes, so that no two sets share a name.
    """
    if scenario.house_rules is None:
        return scenario.house
    if "name" in scenario.house_rules:
        return str(scenario.house_rules["name"])
    stem = re.sub("[^a-z0-9]+", "-", scenario.path.stem.lower()).strip("-")[:50] or "scenario"
    content = msgspec.json.encode({"base": scenario.house, **scenario.house_rules}, order="sorted")
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:8]}"


def write_house_file(scenario: Scenario, directory: Path, bases: Sequence[Path]) -> Path:
    """Write a scenario's changed rule set into a folder. The shipped set is looked for in `bases`.

    Raises ScenarioError when it is in none of them.
    """
    assert scenario.house_rules is not None, "a shipped set has its file"
    found = next((path for folder in bases if (path := folder / f"{scenario.house}.toml").is_file()), None)
    if found is None:
        raise ScenarioError(f"{scenario.path}: house_rules: base: no house rule set {scenario.house!r}")
    changes = {name: value for name, value in scenario.house_rules.items() if name != "base"}
    rules = msgspec.toml.decode(found.read_bytes()) | changes | {"name": house_name(scenario)}
    path = directory / f"{rules['name']}.toml"
    path.write_text("".join(f"{name} = {_toml(value)}\n" for name, value in rules.items() if value is not None))
    return path


def refusal(scenario: Scenario, bases: Sequence[Path]) -> str | None:
    """The message with which the services refuse the scenario's rule set, or None when they accept it."""
    with tempfile.TemporaryDirectory(prefix="house-") as directory:
        try:
            read_house_file(write_house_file(scenario, Path(directory), bases))
        except HouseRulesError as error:
            return str(error).removeprefix(f"{directory}/")
    return None


def _toml(value: Any) -> str:
    """A TOML value on one line. Texts, numbers and truth values are written as in JSON."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_toml(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return msgspec.json.encode(value).decode()
