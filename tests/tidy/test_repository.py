"""The house rules of the repository that no linter knows."""

import ast
import fnmatch
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from services.runtime import VERSION

ROOT: Final = Path(__file__).parents[2]
FUNCTION_LINES_MAX: Final = 70
FILE_LINES_MAX: Final = 300
TOP_LEVEL: Final = {
    ".ci",
    ".dockerignore",
    ".gitignore",
    "LICENSE",
    "Makefile",
    "README.md",
    "deploy",
    "pyproject.toml",
    "schemas",
    "services",
    "tests",
}
# What a decision may lean on: no input or output, no clock, no randomness.
PURE: Final = {
    "bisect",
    "codecs",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "immutables",
    "itertools",
    "json",
    "math",
    "msgspec",
    "operator",
    "re",
    "schemas",
    "types",
    "typing",
}
# Schemas also read the shipped house files, parse times and write their own documents.
READERS: Final = {
    "schemas/house_rules.py": {"pathlib"},
    "schemas/codec.py": {"datetime"},
    "schemas/documents.py": {"pathlib", "sys", "yaml"},
}
# Programs for outsiders, each run by itself.
SCRIPTS: Final = "schemas/examples"
# Written so that this file holds none of them.
_REGISTRY: Final = re.compile(
    r"\b(?:pypi|pythonhosted|npmjs|yarnpkg|docker|ghcr|quay|gcr|debian|crates|registry\.k8s)\.(?:org|io|com)\b"
)
_PATH_OF_A_MACHINE: Final = re.compile(r"(?<![\w.])/(?:home|root|work|Users)/\w")
_SUPPRESSION: Final = re.compile(r"#\s*(?:ruff:\s*)?(?:noqa|type:\s*ignore)\b")
_REASONED: Final = re.compile(r"# (?:noqa: [A-Z]+\d+(?:, [A-Z]+\d+)*|type: ignore\[[\w, -]+\])\s+[-#] \w+\W+\w+")


def walk(folder: Path) -> Iterator[Path]:
    """Every file of the project: what .gitignore names is none of it."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split()]
    for directory, folders, files in os.walk(folder):
        for names in (folders, files):
            names[:] = [n for n in names if n != ".git" and not any(fnmatch.fnmatch(n, rule) for rule in ignored)]
        yield from (Path(directory, name) for name in sorted(files))


FILES: Final = {path.relative_to(ROOT).as_posix(): path for path in walk(ROOT)}
PYTHON: Final = [name for name in FILES if name.endswith(".py")]
SCHEMAS: Final = [name for name in PYTHON if Path(name).parent.as_posix() == "schemas"]
SERVICES: Final = ("shoe", "rules", "settlement")


def imports_of(name: str) -> set[str]:
    """The modules that a file imports, wherever in it; `from a import b` counts as both, a and a.b."""
    found = set()
    for node in ast.walk(ast.parse(FILES[name].read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def modules_of_core(service: str) -> set[str]:
    """The files of a core: core.py, and what it imports of its own folder and of the deciders' building blocks."""
    found: set[str] = set()
    waiting = {f"services/{service}/core.py"}
    while waiting:
        name = waiting.pop()
        found.add(name)
        own = {f"{module.replace('.', '/')}.py" for module in imports_of(name)}
        rooms = (f"services/{service}/", "services/decider/")
        waiting |= {own_name for own_name in own & set(FILES) if own_name.startswith(rooms)} - found
    return found


def suppressions_without_reason(text: str) -> list[str]:
    """The lines that silence a checker and don't say exactly what and why."""
    return [line for line in text.splitlines() if _SUPPRESSION.search(line) and not _REASONED.search(line)]


def test_the_walk_sees_the_project() -> None:
    assert {"Makefile", "schemas/streams.py", "tests/tidy/test_repository.py", ".ci/run"} <= set(FILES)
    of_rules = {name for name in modules_of_core("rules") if not name.startswith("services/decider/")}
    assert of_rules == {"services/rules/core.py", "services/rules/hands.py", "services/rules/tableau.py"}
    assert "services/shoe/table/phases.py" in modules_of_core("shoe")


@pytest.mark.parametrize("name", PYTHON)
def test_files_and_functions_stay_short(name: str) -> None:
    source = FILES[name].read_text(encoding="utf-8")
    functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = {n.name for n in functions if (n.end_lineno or 0) - n.lineno >= FUNCTION_LINES_MAX}
    assert long == set()
    assert len(source.splitlines()) <= FILE_LINES_MAX


@pytest.mark.parametrize("name", PYTHON)
def test_every_suppression_says_what_and_why(name: str) -> None:
    assert suppressions_without_reason(FILES[name].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("line", "good"),
    [
        ("x = 1  # no" + "qa: S101 - the caller checked it", True),
        ("x = 1  # no" + "qa: S101, B008 - the caller checked it", True),
        ("x = 1  # type" + ": ignore[no-untyped-call]  # the library has no types", True),
        ("x = 1  # no" + "qa: S101", False),
        ("x = 1  # no" + "qa", False),
        ("x = 1  # no" + "qa - the caller checked it", False),
        ("x = 1  # type" + ": ignore[misc]", False),
        ("x = 1  # type" + ": ignore  # the library has no types", False),
        ("x = 1  # a plain comment", True),
    ],
)
def test_a_suppression_needs_its_code_and_a_reason(line: str, good: bool) -> None:
    assert (suppressions_without_reason(line) == []) is good


@pytest.mark.parametrize("service", SERVICES)
def test_a_core_imports_nothing_that_could_reach_the_world(service: str) -> None:
    imported = set().union(*(imports_of(name) for name in modules_of_core(service)))
    rooms = (f"services.{service}", "services.decider")
    own = {name for name in imported if name == "services" or name.startswith(rooms)}
    assert {name for name in imported - own if name.split(".")[0] not in PURE} == set()


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_import_msgspec_and_little_else(name: str) -> None:
    assert {module.split(".")[0] for module in imports_of(name)} - PURE - READERS.get(name, set()) == set()


def test_the_version_that_a_service_tells_is_the_projects() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


def test_the_top_level_holds_only_what_it_is_for() -> None:
    assert {name.split("/")[0] for name in FILES} - TOP_LEVEL == set()


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {Path(name).parent.as_posix() for name in PYTHON}
    assert {folder for folder in folders if f"{folder}/__init__.py" not in FILES} == {SCRIPTS}


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    guilty = {}
    for name, path in FILES.items():
        text = path.read_text(encoding="utf-8", errors="replace")
        if found := [*_REGISTRY.findall(text), *_PATH_OF_A_MACHINE.findall(text)]:
            guilty[name] = found
    assert guilty == {}


def test_every_dependency_is_pinned_and_says_what_it_is_for() -> None:
    lines = (ROOT / "pyproject.toml").read_text().split("\n[build-system]")[0].splitlines()
    dependencies = [line for line in lines if line.startswith('  "')]
    assert len(dependencies) > 20
    assert [line for line in dependencies if not re.fullmatch(r'  "[\w\[\],-]+==[\w.]+", +# \S.+', line)] == []
