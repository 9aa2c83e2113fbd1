"""The image: small, pinned, without rights, and with nothing inside but the services."""

import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

import pytest

from tests.servers import ROOT

INSTRUCTIONS = [
    line.split(maxsplit=1)
    for line in (ROOT / "deploy" / "Dockerfile").read_text().replace("\\\n", "").splitlines()
    if line and not line.startswith("#")
]
LOCK: Final = ROOT / "deploy" / "requirements.lock"
NOBODY: Final = "redis://127.0.0.1:1/0"
SERVICES: Final = ["shoe", "rules", "settlement"]
BESIDE: Final = ["key-lost", "load-functions", "mend", "quarantine"]


def given(name: str) -> list[str]:
    return [rest for instruction, rest in INSTRUCTIONS if instruction == name]


def copied() -> dict[str, str]:
    """What is copied from the project, each with its place in the image."""
    found = {}
    for arguments in given("COPY"):
        *sources, target = arguments.split()
        for source in sources:
            if not source.startswith("--from"):
                found[source] = target + Path(source).name if target.endswith("/") else target
    return {source: target for source, target in found.items() if target.startswith("/app/")}


def test_the_base_is_the_builders_choice() -> None:
    assert INSTRUCTIONS[0][0] == "ARG"
    assert [line.split()[0] for line in given("FROM")] == ["${BASE_IMAGE}"] * 2


def test_only_the_locked_packages_the_schemas_and_the_services_are_inside() -> None:
    assert given("COPY")[:2] == ["deploy/requirements.lock /tmp/", "--from=packages /opt/venv /opt/venv"]
    folders = [f"services/{name}" for name in ("__init__.py", "__main__.py", "runtime", "decider", *SERVICES)]
    assert list(copied()) == ["schemas", *folders]
    assert [target for source, target in copied().items() if target != f"/app/{source}"] == []


def test_packages_are_installed_by_hash_as_wheels() -> None:
    (install,) = [line for line in given("RUN") if "pip" in line]
    assert "--require-hashes --only-binary :all:" in install


def test_it_runs_the_services_as_a_user_without_rights() -> None:
    user, _, group = given("USER")[-1].partition(":")
    assert int(user) > 10_000
    assert int(group) > 10_000
    assert given("ENTRYPOINT") == ['["python", "-m", "services"]']


def test_the_builder_sees_what_is_copied_and_nothing_else() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert rules == ["*", "!deploy/requirements.lock", *(f"!{source}" for source in copied()), "**/__pycache__"]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the image has it: what is copied in `app`, the locked packages and no others in `packages`."""
    folder = tmp_path_factory.mktemp("image")
    for source, target in copied().items():
        place = folder / target.removeprefix("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, place)
    packages = folder / "packages"
    packages.mkdir()
    for name in re.findall(r"^([a-z0-9-]+)==", LOCK.read_text(), re.MULTILINE):
        with suppress(PackageNotFoundError):  # the lock names packages, too, that only other Pythons need
            for top in {file.parts[0] for file in distribution(name).files or ()} - {"..", "__pycache__"}:
                (packages / top).symlink_to(str(distribution(name).locate_file(top)))
    return folder


def run_in(image: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """A Python of the image: -S leaves out the packages of this machine."""
    return subprocess.run(
        [sys.executable, "-S", *arguments],
        cwd=image / "app",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(image / "packages"), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_services_own_commands_are_offered_and_no_others(image: Path) -> None:
    shown = run_in(image, "-m", "services", "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    commands = shown.stdout.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in commands] == sorted(
        [*SERVICES, "key-lost", "load-functions", "mend", "quarantine"]
    )


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_has_all_that_it_needs(image: Path, service: str) -> None:
    shown = run_in(image, "-c", f"import services.{service}.app, sys; print('rich' in sys.modules)")
    assert (shown.returncode, shown.stderr, shown.stdout) == (0, "", "False\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        wrong = run_in(image, "-m", "services", service, REDIS_URL=NOBODY, BACCARAT_HTTP_PORT=port)
    assert wrong.returncode == 2
    assert re.fullmatch(rf"{service}: BACCARAT_HTTP_HOST, BACCARAT_HTTP_PORT: .*\n", wrong.stderr)


@pytest.mark.parametrize(
    "command", [("run",), ("replay", "rounds.jsonl"), ("scenario", "a.toml"), ("odds", "macau")], ids=lambda it: it[0]
)
def test_a_command_whose_code_is_not_inside_is_one_readable_line(image: Path, command: tuple[str, ...]) -> None:
    shown = run_in(image, "-m", "services", *command)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr == f"{command[0]}: its code is not in this image; run it from the source tree\n"


def test_in_the_source_tree_a_missing_package_is_one_readable_line(image: Path) -> None:
    start = f"import runpy, sys; sys.path[0] = {str(ROOT)!r}; sys.argv[1:] = ['odds', 'macau']"
    shown = run_in(image, "-c", f"{start}; runpy.run_module('services', run_name='__main__')")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr == "odds: the package rich is not installed; deploy/requirements-run.lock has it\n"
