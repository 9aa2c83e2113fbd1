"""`python -m services run`, as a user meets it."""

import contextlib
import json
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import psutil
import pytest
from redis import Redis

from services.floor.host.child_processes import PROJECT
from services.floor.host.embedded_server import free_port
from services.floor.host.running_system import ROLES
from tests.keys import SHOE_KEY
from tests.servers import eventually

READY = re.compile(r"redis=(redis://floor:\S+) metrics=(http://\S+),(http://\S+),(http://\S+) pit=demo\n")
BOOKS = re.compile(
    r"rounds_this_run=(\d+) rounds=(\d+) bets=(\d+) placed_minor=(\d+) returned_minor=(\d+)"
    r" house_minor=(-?\d+) on_layout_minor=(\d+) balanced=yes draw_p50_us=(\d+) draw_p99_us=(\d+)\n"
)


class Running(NamedTuple):
    process: "subprocess.Popen[str]"
    data: Path
    url: str
    metrics: tuple[str, ...]
    lines: list[str]

    def told(self) -> Iterator[str]:
        """What it says line by line, from the first line after its addresses."""
        assert self.process.stdout is not None
        yield from self.lines.copy()
        while line := self.process.stdout.readline():
            self.lines.append(line)
            yield line

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def child(self, *arguments: str) -> psutil.Process | None:
        """The child whose command ends so: the process itself, not its leash."""
        for child in self.children():
            with contextlib.suppress(psutil.Error):
                line = child.cmdline()
                if tuple(line[-len(arguments) :]) == arguments and "services.floor.host.leash" not in line:
                    return child
        return None


def command(data: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "services", "run", "--data", str(data), *arguments]


def started(data: Path, *arguments: str) -> Running:
    pipe = subprocess.PIPE
    process = subprocess.Popen(command(data, *arguments), cwd=PROJECT, stdout=pipe, stderr=pipe, text=True)
    assert process.stdout is not None
    found = READY.fullmatch(process.stdout.readline())
    assert found is not None
    return Running(process, data, found[1], found.groups()[1:], [])


@pytest.fixture
def start() -> Iterator[Callable[..., Running]]:
    """Starts runs that are gone when the test is over, however it ends."""
    runs: list[Running] = []

    def start(data: Path, *arguments: str) -> Running:
        runs.append(started(data, *arguments))
        return runs[-1]

    yield start
    for run in runs:
        run.process.kill()
        if not run.process.stdout or not run.process.stdout.closed:
            run.process.communicate()


def finished(data: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(data, *arguments), cwd=PROJECT, capture_output=True, text=True, check=False, timeout=100
    )


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    run = started(tmp_path_factory.mktemp("run"))
    yield run
    children = run.children()
    run.process.send_signal(signal.SIGINT)
    output, errors = run.process.communicate(timeout=30)
    assert (run.process.returncode, errors) == (0, "")
    assert output.splitlines()[-1].startswith("ended by Ctrl-C: ")
    assert psutil.wait_procs(children, timeout=0)[1] == []
    assert not (run.data / "run.json").exists()


def test_rounds_are_played_and_a_second_run_covers_both(tmp_path: Path) -> None:
    found = []
    for rounds in (2, 3):
        ended = finished(tmp_path, "--rounds", str(rounds))
        assert (ended.returncode, ended.stderr) == (0, "")
        first, last = ended.stdout.splitlines(keepends=True)
        assert READY.fullmatch(first)
        books = BOOKS.fullmatch(last)
        assert books is not None
        found.append([int(number) for number in books.groups()])
    for _, rounds, bets, placed, returned, house, on_layout, p50, p99 in found:
        assert bets >= 2 * rounds
        assert placed == returned + house + on_layout
        assert 0 < p50 <= p99
    assert [books[0] for books in found] == [6, 9]
    assert [books[1] for books in found] == [6, 15]
    assert found[1][3] > found[0][3]
    assert not (tmp_path / "run.json").exists()
    assert (tmp_path / "shoe.key").exists()


def test_a_key_of_the_users_is_taken_and_none_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACCARAT_SHOE_KEY", SHOE_KEY)
    ended = finished(tmp_path, "--rounds", "1")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert not (tmp_path / "shoe.key").exists()


def test_run_json_has_a_url_for_each_role_and_service_and_only_its_owner_reads_it(running: Running) -> None:
    path = running.data / "run.json"
    urls = json.loads(path.read_text(encoding="utf-8"))
    assert urls.pop("metrics") == dict(zip(("shoe", "rules", "settlement"), running.metrics, strict=True))
    assert set(ROLES) <= set(urls)
    assert urls["floor"] == running.url
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for role in ROLES:
        with Redis.from_url(urls[role]) as client:
            assert client.ping()
    with Redis.from_url(urls["administrator"]) as client:
        assert client.config_get("append*")["appendfsync"] == "always"
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_metrics_are_named_in_the_order_shoe_rules_settlement(running: Running) -> None:
    for service, url in zip(("shoe", "rules", "settlement"), running.metrics, strict=True):
        with urlopen(url) as response:
            text = response.read().decode()
        assert f'baccarat_pits_owned{{pit="demo",service="{service}"}} 1.0' in text


def test_without_a_terminal_each_settled_round_is_a_line(running: Running) -> None:
    line = next(line for line in running.told() if not line.startswith("started again: "))
    assert re.match(r"\S+ shoe 1 round 1: player .* -> \w+.*; placed .*HKD\n", line)


def test_a_second_run_on_the_same_data_says_so_in_one_line(running: Running) -> None:
    ended = finished(running.data)
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert ended.stderr == f"run: already running on {running.data}, pid {running.process.pid}\n"


def test_a_taken_port_is_one_line(running: Running, tmp_path: Path) -> None:
    port = running.url.partition("@127.0.0.1:")[2].removesuffix("/0")
    ended = finished(tmp_path, "--port", port)
    assert ended.returncode != 0
    assert re.fullmatch(rf"run: port {port} cannot be used: .*\n", ended.stderr)


def test_an_unreachable_server_is_one_line(tmp_path: Path) -> None:
    ended = finished(tmp_path, "--redis", f"redis://127.0.0.1:{free_port()}/0")
    assert ended.returncode != 0
    assert re.fullmatch(r"run: the server of REDIS_URL cannot be used: .*\n", ended.stderr)


def test_a_service_that_is_killed_comes_back_and_the_view_says_so(running: Running) -> None:
    first = running.child("services", "rules")
    assert first is not None
    first.kill()
    first.wait()
    eventually(lambda: _listens(running.metrics[1]), seconds=30)
    second = running.child("services", "rules")
    assert second is not None
    assert second.pid != first.pid
    assert next(line for line in running.told() if line.startswith("started again: ")) == "started again: rules once\n"


@pytest.mark.parametrize(("number", "name"), [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")])
def test_a_run_of_rounds_that_a_signal_ends_says_so_in_one_line(
    start: Callable[..., Running], tmp_path: Path, number: signal.Signals, name: str
) -> None:
    run = start(tmp_path, "--rounds", "1000")
    run.process.send_signal(number)
    output, errors = run.process.communicate(timeout=30)
    assert (run.process.returncode, errors) == (130, "")
    assert re.fullmatch(rf"ended by {name}: .*\n", output)


def _listens(url: str) -> bool:
    try:
        urlopen(url).close()
    except OSError:
        return False
    return True


def test_a_run_that_is_killed_leaves_nothing_and_its_data_go_on(start: Callable[..., Running], tmp_path: Path) -> None:
    run = start(tmp_path)
    children = run.children()
    run.process.kill()
    run.process.communicate()
    ended = finished(tmp_path, "--rounds", "1")
    assert psutil.wait_procs(children, timeout=0)[1] == []
    assert (ended.returncode, ended.stderr) == (0, "")
    assert re.search(r"^rounds_this_run=3 rounds=[3-6] .* balanced=yes ", ended.stdout, re.MULTILINE)


def test_rounds_go_on_when_floor_shoe_and_server_are_killed(start: Callable[..., Running], tmp_path: Path) -> None:
    run = start(tmp_path, "--rounds", "12")
    for words in (("-m", "services.floor.demo"), ("-m", "services", "shoe")):
        found = eventually(partial(run.child, *words), seconds=30)
        assert found is not None
        found.kill()
    (server,) = [child for child in run.children() if child.name() == "valkey-server"]
    server.kill()
    output, errors = run.process.communicate(timeout=100)
    assert (run.process.returncode, errors) == (0, "")
    assert re.match(r"rounds_this_run=36 rounds=36 .* balanced=yes ", output)
