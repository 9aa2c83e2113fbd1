"""Every scenario file, played by the three services' cores in memory."""

from pathlib import Path

import pytest

from schemas.house_rules import SHIPPED_DIRECTORY
from services.floor.scenario.file_format import read_scenario
from services.floor.scenario.own_house_rules import refusal
from tests.scenarios.files import FILES
from tests.scenarios.memory import play

NAMES = [pytest.param(file, id=file.stem) for file in FILES]


@pytest.mark.parametrize("file", NAMES)
def test_the_services_do_what_the_scenario_says(file: Path, tmp_path: Path) -> None:
    scenario = read_scenario(file)
    if not scenario.refused:
        if difference := play(scenario, tmp_path):
            pytest.fail(difference, pytrace=False)
        return
    said = refusal(scenario, (SHIPPED_DIRECTORY,))
    assert said is not None, "the house rules are allowed"
    assert [word for word in scenario.refused if word not in said] == [], said


@pytest.mark.parametrize("file", NAMES)
def test_nothing_hangs_on_the_order_in_which_the_services_step(file: Path, tmp_path: Path) -> None:
    scenario = read_scenario(file)
    for seed in range(0 if scenario.refused else 2):
        if difference := play(scenario, tmp_path, seed=seed):
            pytest.fail(f"seed {seed}: {difference}", pytrace=False)
