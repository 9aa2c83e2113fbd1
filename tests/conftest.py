"""Tools that not every machine has: `@pytest.mark.needs("redis-server")` leaves a test out where it is missing.

The last lines of a run say how much was left out and the one command that adds it. With CI=true nothing may be missing.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

pytest_plugins = ["tests.servers"]

_ROOT: Final = Path(__file__).parents[1]
_WITH_PROCESSES: Final = {"system", "floor", "deploy", "examples"}
_SLOW: Final = "system"
_LEFT_OUT: Final = " not found: `make tools` adds it"


def _npm_packages_stand_as_pinned() -> bool:
    installed, pinned = _ROOT / ".node", _ROOT / "tests" / "node"
    lock = "package-lock.json"
    return (installed / "node_modules" / f".{lock}").exists() and (
        (installed / lock).read_bytes() == (pinned / lock).read_bytes()
    )


# What is more than a command on the path.
_PROBES: Final[dict[str, Callable[[], bool]]] = {"npm packages": _npm_packages_stand_as_pinned}


def _is_here(tool: str) -> bool:
    return _PROBES[tool]() if tool in _PROBES else shutil.which(tool) is not None


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*tools): leave the test out where one of these tools is missing")
    config.addinivalue_line("markers", "slow: whole pits under faults; `make check` runs it, `make test` does not")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start processes and wait for them run on one worker, one after the other: they need a core."""
    for item in items:
        folder = item.path.relative_to(_ROOT / "tests").parts[0]
        if folder in _WITH_PROCESSES:
            item.add_marker(pytest.mark.xdist_group("processes"))
        if folder == _SLOW:
            item.add_marker(pytest.mark.slow)


def pytest_runtest_setup(item: pytest.Item) -> None:
    wanted = [tool for mark in item.iter_markers("needs") for tool in mark.args]
    missing = sorted({tool for tool in wanted if not _is_here(tool)})
    if not missing:
        return
    reason = ", ".join(missing) + _LEFT_OUT
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around pytest's own summary, so that this stands below it
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    yield
    reasons = [str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", [])]
    left_out = [reason.removeprefix("Skipped: ").partition(_LEFT_OUT)[0] for reason in reasons if _LEFT_OUT in reason]
    if left_out:
        tools = ", ".join(sorted({tool for reason in left_out for tool in reason.split(", ")}))
        tests = "1 test needs" if len(left_out) == 1 else f"{len(left_out)} tests need"
        terminalreporter.write_line(f"left out: {tests} {tools}: run `make tools`", yellow=True)
