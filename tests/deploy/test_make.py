"""The Makefile's own promises, on folders of its own: it sets up what it needs and says what it lacks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import ROOT

pytestmark = pytest.mark.needs("make")


def make(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", "--file", str(ROOT / "Makefile"), *arguments]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # of a `make test`
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=directory, env=outside, timeout=60)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project whose lock names no package, so that nothing is fetched."""
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "requirements-run.lock").write_text("# none\n")
    (tmp_path / "services").mkdir()
    (tmp_path / "services" / "__main__.py").write_text("import os, sys\nprint(sys.argv[1:], os.environ['ROUNDS'])\n")
    return tmp_path


def test_run_sets_up_once_and_hands_the_rounds_on(tree: Path) -> None:
    first, second = make(tree, "run", "ROUNDS=5"), make(tree, "run", "ROUNDS=6")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == "installing deploy/requirements-run.lock into .venv\n['run'] 5\n"
    assert (second.returncode, second.stdout) == (0, "['run'] 6\n")


def test_another_lock_is_installed_anew(tree: Path) -> None:
    lock = tree / "deploy" / "requirements-run.lock"
    assert make(tree, "run", "ROUNDS=5").returncode == 0
    stamp = (tree / ".venv" / "run.stamp").stat().st_mtime
    os.utime(lock, (stamp + 1, stamp + 1))
    assert "installing" in make(tree, "run", "ROUNDS=5").stdout


def test_an_old_python_is_one_readable_line(tree: Path) -> None:
    old = tree / "old-python"
    old.write_text(
        f"#!{sys.executable}\nimport sys\nsys.version_info = (3, 9, 2)\nexec(sys.argv[2])\n", encoding="utf-8"
    )
    old.chmod(0o755)
    result = make(tree, "run", f"PYTHON={old}")
    assert result.returncode != 0
    assert result.stderr.splitlines()[0] == f"Python 3.11 or newer is needed; PYTHON={old} is 3.9"
    assert not (tree / ".venv").exists()
