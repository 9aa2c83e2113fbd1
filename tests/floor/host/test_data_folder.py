"""A data folder belongs to one run at a time, and keeps its secrets."""

import multiprocessing
import os
import re
import stat
from pathlib import Path

import pytest

from services.floor.host import data_folder
from services.floor.host.data_folder import CannotRun, key_file, locked, write_private


def test_a_folder_is_made_and_is_free_again_afterwards(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    for _ in range(2):
        with locked(folder):
            assert (folder / "lock").read_text(encoding="utf-8") == str(os.getpid())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_second_run_on_a_folder_is_told_who_has_it(tmp_path: Path) -> None:
    with (
        locked(tmp_path),
        pytest.raises(CannotRun, match=rf"^already running on {tmp_path}, pid {os.getpid()}$"),
        locked(tmp_path),
    ):
        pass


def test_children_that_a_killed_run_left_get_time_to_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed = multiprocessing.get_context("spawn").Process()
    killed.start()
    killed.join()
    monkeypatch.setattr(data_folder, "LOCK_SECONDS", 0.2)
    with locked(tmp_path):
        (tmp_path / "lock").write_text(str(killed.pid), encoding="utf-8")
        with pytest.raises(CannotRun, match=f"pid {killed.pid}$"), locked(tmp_path):
            pass


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotRun, match=r"^the data folder \S+ cannot be used: "), locked(tmp_path / "file" / "data"):
        pass


def test_a_private_file_is_private_even_over_an_open_one(tmp_path: Path) -> None:
    path = tmp_path / "users.acl"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o644)
    write_private(path, "new")
    assert path.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_shoes_key_is_made_once_and_is_private(tmp_path: Path) -> None:
    path = key_file(tmp_path)
    key = path.read_text(encoding="utf-8")
    assert re.fullmatch(r"[0-9a-f]{64}\n", key)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert key_file(tmp_path) == path
    assert path.read_text(encoding="utf-8") == key
    (tmp_path / "other").mkdir()
    assert key_file(tmp_path / "other").read_text(encoding="utf-8") != key
