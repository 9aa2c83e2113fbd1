"""Scenarios: what people wrote down that a table must do, played through the running services."""

import secrets
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import uvloop
from redis.exceptions import RedisError

from schemas.house_rules import HouseRules, HouseRulesError, read_house_rules
from services.floor.host.child_processes import ChildDied
from services.floor.host.embedded_server import CannotRun
from services.floor.host.running_system import PITS, running_system, unless_signalled
from services.floor.pit_client import PitClient, PitError
from services.floor.replay.command import forgo_durability
from services.floor.scenario.course import Course
from services.floor.scenario.file_format import Scenario, ScenarioError, read_scenario
from services.floor.scenario.own_house_rules import house_name, refusal, write_house_file
from services.floor.scenario.running_pit import RunningPit
from services.runtime.settings import SettingsError, read_settings

ALL_AGREE: Final = 0
SOME_DIFFER: Final = 1
NOT_PLAYED: Final = 2
SIGNALLED: Final = 130

House = dict[str, tuple[HouseRules, str]]


def run_scenarios(files: Sequence[Path], pit: str, redis_url: str | None) -> int:
    """The command `scenario`, until the end or a signal; the process's exit code."""
    code = uvloop.run(unless_signalled(play_scenarios(files, pit, redis_url)))
    return SIGNALLED if code is None else code


async def play_scenarios(files: Sequence[Path], pit: str, redis_url: str | None) -> int:
    """Play each file at tables of its own in `pit` and print what differs; the process's exit code.

    Without a URL it starts a server, and services that know the scenarios' own house rules.
    """
    try:
        bases = read_settings().house_directories
        scenarios = [read_scenario(file) for file in files]
        with tempfile.TemporaryDirectory(prefix="scenario-") as directory:
            house = _house(scenarios, Path(directory) / "house", bases)
            if redis_url is not None:
                return await _play_at(redis_url, pit, scenarios, house, bases)
            if pit not in PITS:
                return _not_played(f"pit {pit}: the embedded services own only {', '.join(PITS)}")
            data = Path(directory) / "data"
            async with running_system(data, house_directory=Path(directory) / "house") as system:
                await forgo_durability(system.urls["administrator"])
                played = _play_at(system.urls["floor"], pit, scenarios, house, bases)
                return await system.children.unless_broken(played)
    except (ScenarioError, SettingsError, HouseRulesError) as error:
        return _not_played(str(error))
    except (PitError, CannotRun, ChildDied, RedisError, OSError) as error:
        return _not_played(f"pit {pit}: {error}")


def _house(scenarios: Sequence[Scenario], directory: Path, bases: Sequence[Path]) -> House:
    """All rule sets that the scenarios may name; the folder then holds their own, and those of a user's folder."""
    directory.mkdir()
    for base in bases[:-1]:
        for path in base.glob("*.toml"):
            shutil.copy(path, directory)
    for scenario in scenarios:
        if scenario.house_rules is not None and not scenario.refused:
            write_house_file(scenario, directory, bases)
    house = read_house_rules(directory, *bases)
    for scenario in scenarios:
        if not scenario.refused and house_name(scenario) not in house:
            raise ScenarioError(f"{scenario.path}: house: no house rule set {scenario.house!r}")
    return house


async def _play_at(redis_url: str, pit: str, scenarios: Sequence[Scenario], house: House, bases: Sequence[Path]) -> int:
    differ = 0
    async with PitClient(redis_url, pit) as client:
        running = RunningPit(client)
        await running.skip_past()
        for scenario in scenarios:
            difference = (
                _differs_in_house(scenario, bases) if scenario.refused else await _play(running, scenario, house)
            )
            differ += difference is not None
            click.echo(f"ok      {scenario.path}: {scenario.title}" if difference is None else f"differs {difference}")
    click.echo(f"scenarios={len(scenarios)} agree={len(scenarios) - differ} differ={differ}")
    return SOME_DIFFER if differ else ALL_AGREE


async def _play(running: RunningPit, scenario: Scenario, house: House) -> str | None:
    name = house_name(scenario)
    return await running.play(Course(scenario, name, house[name][0], f"-{secrets.token_hex(4)}"))


def _differs_in_house(scenario: Scenario, bases: Sequence[Path]) -> str | None:
    """A rule set that may not be is refused where house files are read, before any table opens under it."""
    said = refusal(scenario, bases)
    if said is not None and all(word in said for word in scenario.refused):
        return None
    got = said or "the house rules are allowed"
    return f"{scenario.path}: house rules\n  expected: refused with {', '.join(scenario.refused)}\n  got:      {got}"


def _not_played(problem: str) -> int:
    click.echo(" ".join(problem.split()), err=True)
    return NOT_PLAYED
