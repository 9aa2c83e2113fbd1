"""Child processes: started again when they die, gone when their parent is, in the right order."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from services.floor.host.child_processes import PROJECT, ChildDied, Children, Command
from tests.servers import eventually

FOREVER = ("sleep", "1000")
# Ends a moment after it is told to, and writes down that it did.
SLOW = 'trap "sleep 0.3; echo {name} >> {file}; exit" TERM; sleep 1000 & wait'


def children_of(pid: int, name: str = "") -> list[psutil.Process]:
    """The processes below this one whose program has this name."""
    return [child for child in psutil.Process(pid).children(recursive=True) if name in ("", child.name())]


async def until(probe: Callable[[], bool]) -> None:
    await asyncio.to_thread(eventually, probe)


async def test_a_child_lives_in_a_process_group_of_its_own_and_is_gone_after_stop(tmp_path: Path) -> None:
    others = set(children_of(os.getpid()))
    children = Children(tmp_path)
    children.start_layer(Command("one", FOREVER), Command("two", FOREVER))
    await until(lambda: len(children_of(os.getpid(), "sleep")) == 2)
    processes = set(children_of(os.getpid())) - others
    groups = {os.getpgid(process.pid) for process in children_of(os.getpid(), "sleep")}
    assert len(groups) == 2
    assert os.getpgid(0) not in groups
    await children.stop()
    assert not any(process.is_running() for process in processes)


@pytest.mark.parametrize("victim", ["sleep", "python"])
async def test_a_child_that_is_killed_is_started_again(tmp_path: Path, victim: str) -> None:
    children = Children(tmp_path)
    children.start_layer(Command("one", FOREVER))
    await until(lambda: bool(children_of(os.getpid(), "sleep")))
    (first,) = children_of(os.getpid(), "sleep")
    leash = first.parent()
    assert leash is not None
    (first if victim == "sleep" else leash).kill()
    await until(lambda: not first.is_running() and bool(children_of(os.getpid(), "sleep")))
    assert len(children_of(os.getpid(), "sleep")) == 1
    assert children.restarts == {"one": 1}
    await children.stop()


async def test_children_that_live_were_not_started_again(tmp_path: Path) -> None:
    children = Children(tmp_path)
    children.start_layer(Command("one", FOREVER))
    await until(lambda: bool(children_of(os.getpid(), "sleep")))
    assert children.restarts == {}
    await children.stop()


async def test_three_deaths_within_ten_seconds_end_the_work_in_one_line(tmp_path: Path) -> None:
    children = Children(tmp_path)
    children.start_layer(Command("shoe", ("sh", "-c", "echo no such card; exit 3")))
    with pytest.raises(ChildDied) as caught:
        await children.unless_broken(asyncio.Event().wait())
    assert str(caught.value) == (
        f"shoe died 3 times within 10 s (log: {tmp_path}/shoe.log), its last words: no such card"
    )
    assert (tmp_path / "shoe.log").read_text(encoding="utf-8") == "no such card\n" * 3
    await children.stop()


async def test_work_that_nothing_breaks_gives_its_result(tmp_path: Path) -> None:
    children = Children(tmp_path)
    assert await children.unless_broken(asyncio.sleep(0, "done")) == "done"


async def test_a_child_gets_its_environment(tmp_path: Path) -> None:
    children = Children(tmp_path)
    children.start_layer(Command("one", ("sh", "-c", "echo $BACCARAT_WORD; sleep 1000"), {"BACCARAT_WORD": "squeeze"}))
    await until(lambda: (tmp_path / "one.log").read_text(encoding="utf-8") == "squeeze\n")
    await children.stop()


PARENT = """
import asyncio, pathlib, sys
from services.floor.host.child_processes import Children, Command
SLOW = {slow!r}
async def main(folder):
    children = Children(folder)
    for name in ("server", "services", "floor"):
        children.start_layer(Command(name, ("sh", "-c", SLOW.format(name=name, file=folder / "ends"))))
    print("started", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await children.stop()
asyncio.run(main(pathlib.Path(sys.argv[1])))
"""


@pytest.mark.parametrize("how", ["stop", "SIGKILL", "SIGTERM"])
def test_children_end_from_the_top_down_however_their_parent_ends(tmp_path: Path, how: str) -> None:
    command = [sys.executable, "-c", PARENT.format(slow=SLOW), str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=PROJECT, stdin=pipe, stdout=pipe) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"started\n"
        eventually(lambda: len(children_of(parent.pid, "sleep")) == 3)
        orphans = children_of(parent.pid, "sleep")
        ours = [process for process in children_of(parent.pid) if process not in orphans]
        assert len(ours) == 6
        if how == "stop":
            parent.stdin.write(b"\n")
            parent.stdin.flush()
        else:
            parent.send_signal(signal.Signals[how])
        parent.wait()
    assert psutil.wait_procs(ours, timeout=20)[1] == []
    assert (tmp_path / "ends").read_text(encoding="utf-8").split() == ["floor", "services", "server"]
    for orphan in orphans:  # the shells' own, which no leash knows
        if orphan.is_running():
            orphan.kill()
