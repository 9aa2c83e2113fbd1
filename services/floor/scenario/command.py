"""The command `scenario`: scenario files are played by the services, and what differs is shown."""

import secrets
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from schemas.house_rules import HouseRules, HouseRulesError, read_house_rules
from services.floor.file_commands import ALL_AGREE, SOME_DIFFER, not_played, play_in_pit, run_file_command
from services.floor.pit_client import PitClient
from services.floor.scenario.course import Course
from services.floor.scenario.file_format import Scenario, ScenarioError, read_scenario
from services.floor.scenario.own_house_rules import house_name, refusal, write_house_file
from services.floor.scenario.running_pit import RunningPit
from services.runtime.settings import SettingsError, read_settings

House = dict[str, tuple[HouseRules, str]]


def run_scenarios(files: Sequence[Path], pit: str, redis_url: str | None) -> int:
    """Run the command. Returns the exit code."""
    return run_file_command(play_scenarios(files, pit, redis_url))


async def play_scenarios(files: Sequence[Path], pit: str, redis_url: str | None) -> int:
    """Play each file at new tables of `pit`, and print which differ. Returns the exit code.

    Without a URL a server is started, and services that know the scenarios' own house rules.
    """
    try:
        bases = read_settings().house_directories
        scenarios = [read_scenario(file) for file in files]
        with tempfile.TemporaryDirectory(prefix="house-") as name:
            house_directory = Path(name)
            house = _house(scenarios, house_directory, bases)

            async def play_at(url: str) -> int:
                async with PitClient(url, pit) as client:
                    return await _play_all(client, scenarios, house, bases)

            return await play_in_pit(pit, redis_url, play_at, house_directory=house_directory)
    except (ScenarioError, SettingsError, HouseRulesError) as error:
        return not_played(str(error))


def _house(scenarios: Sequence[Scenario], directory: Path, bases: Sequence[Path]) -> House:
    """All rule sets that the scenarios may name. The scenarios' own are written to the folder, and a user's copied."""
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


async def _play_all(client: PitClient, scenarios: Sequence[Scenario], house: House, bases: Sequence[Path]) -> int:
    running = RunningPit(client)
    await running.skip_past()
    differ = 0
    for scenario in scenarios:
        difference = _differs_in_house(scenario, bases) if scenario.refused else await _play(running, scenario, house)
        differ += difference is not None
        click.echo(f"ok      {scenario.path}: {scenario.title}" if difference is None else f"differs {difference}")
    click.echo(f"scenarios={len(scenarios)} agree={len(scenarios) - differ} differ={differ}")
    return SOME_DIFFER if differ else ALL_AGREE


async def _play(running: RunningPit, scenario: Scenario, house: House) -> str | None:
    name = house_name(scenario)
    return await running.play(Course(scenario, name, house[name][0], f"-{secrets.token_hex(4)}"))


def _differs_in_house(scenario: Scenario, bases: Sequence[Path]) -> str | None:
    """How a scenario about wrong house rules differs, or None. They are refused when their file is read."""
    said = refusal(scenario, bases)
    if said is not None and all(word in said for word in scenario.refused):
        return None
    got = said or "the house rules are allowed"
    return f"{scenario.path}: house rules\n  expected: refused with {', '.join(scenario.refused)}\n  got:      {got}"
