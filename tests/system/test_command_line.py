"""`python -m services …` and `faststream run …` as their users see them: one readable line, and a clean end."""

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from services.runtime.library import load_functions
from tests.keys import SHOE_KEY
from tests.servers import Server, eventually, free_port
from tests.system.processes import Services

NOBODY = "redis://127.0.0.1:1/0"
KEY_LOST = ("key-lost", "demo", "table-1", "--operator", "o", "--approved-by", "a", "--reason", "r")
QUARANTINE = ("quarantine", "demo", "table-1", "--operator", "o", "--reason", "r")

# The command, a setting and its wrong value, and what the line must name.
WRONG = [
    (("rules",), {"REDIS_URL": "http://redis"}, ["rules: ", "REDIS_URL"]),
    (("rules",), {"REDIS_URL": "redis://redis:port/0"}, ["rules: ", "REDIS_URL", "'port'"]),
    (("settlement",), {"BACCARAT_PITS": "north,,south"}, ["settlement: ", "BACCARAT_PITS"]),
    (("rules",), {"BACCARAT_HTTP_PORT": "taken"}, ["rules: ", "BACCARAT_HTTP_PORT", "address already in use"]),
    (("shoe",), {"BACCARAT_HOUSE_DIR": "house"}, ["shoe: ", "house/broken.toml", "decks", "at most 12"]),
    (("shoe",), {"BACCARAT_SHOE_KEY": SHOE_KEY[1:]}, ["shoe: ", "BACCARAT_SHOE_KEY", "key 1 of 1"]),
    (("shoe",), {"BACCARAT_SHOE_KEY": SHOE_KEY, "REDIS_URL": "redis://redis.floor"}, ["shoe: ", "ALLOW_PLAINTEXT"]),
    (KEY_LOST[:-2], {}, ["--reason"]),
    (KEY_LOST, {"REDIS_URL": NOBODY}, ["key-lost: ", "127.0.0.1:1"]),
    (("deal",), {}, ["deal"]),
    (("rules", "--loudly"), {}, ["--loudly"]),
    (QUARANTINE[:3], {}, ["--operator"]),
    (("load-functions",), {"REDIS_URL": NOBODY}, ["load-functions: ", "127.0.0.1:1"]),
    (("load-functions",), {"REDIS_URL": "redis://redis:port/0"}, ["load-functions: ", "REDIS_URL"]),
    (QUARANTINE, {"REDIS_URL": NOBODY}, ["quarantine: ", "127.0.0.1:1"]),
]


@pytest.mark.parametrize(
    ("command", "setting", "named"), WRONG, ids=[" ".join((*command, *setting)) for command, setting, _ in WRONG]
)
def test_a_mistake_is_one_readable_line_and_a_failure(
    tmp_path: Path, command: tuple[str, ...], setting: dict[str, str], named: list[str]
) -> None:
    house = tmp_path / "house"
    house.mkdir()
    (house / "broken.toml").write_text('name = "broken"\nversion = 1\ndecks = 99\n')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        values = {"taken": str(taken.getsockname()[1]), "house": str(house)}
        environment = {name: values.get(value, value) for name, value in setting.items()}
        done = subprocess.run(
            [sys.executable, "-m", "services", *command],
            env={"PATH": os.environ["PATH"], "REDIS_URL": NOBODY, **environment},
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert all(word in line for word in named), line
    assert done.stdout == ""


@pytest.fixture
def bare_server(tmp_path: Path) -> Iterator[Server]:
    """A server without the function library."""
    directory = tmp_path / "server"
    directory.mkdir()
    server = Server("embedded", directory)
    server.start()
    yield server
    server.kill()


def test_a_service_without_the_function_library_says_so_once_and_goes_on_when_it_is_loaded(
    bare_server: Server, tmp_path: Path
) -> None:
    services = Services(bare_server, tmp_path, "bare")
    services.start("rules")
    try:
        eventually(partial(services.has_logged, "rules", "no heartbeat"))
        (line,) = [line for line in services.log("rules").read_text().splitlines() if '"error"' in line]
        assert "`python -m services load-functions`" in line
        load_functions(bare_server.url)
        eventually(partial(services.has_logged, "rules", '"loaded"'))
        assert services.log("rules").read_text().count("no heartbeat") == 1
    finally:
        services.stop()


def _is_ready(port: int) -> bool:
    return _get(port, "/readyz") == (200, "ok\n")


def _get(port: int, path: str) -> tuple[int, str]:
    """Status and text; 0 while nobody listens."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=2) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, ""
    except OSError:
        return 0, ""


# The steps of the draw decision that each service measures.
STEPS = {
    "shoe": {"card_to_call"},
    "rules": {"read_to_call", "decide"},
    "settlement": {"ended_to_settled"},
}


def test_faststream_runs_each_service_until_sigterm(embedded: Server, tmp_path: Path) -> None:
    ports = {name: free_port() for name in STEPS}
    processes = {}
    for name, port in ports.items():
        environment = {"PATH": os.environ["PATH"], "REDIS_URL": embedded.url, "BACCARAT_PITS": "under-faststream"}
        environment["BACCARAT_SHOE_KEY"] = SHOE_KEY
        with (tmp_path / f"{name}.log").open("wb") as log:
            processes[name] = subprocess.Popen(
                [sys.executable, "-m", "faststream", "run", f"services.{name}.app:app"],
                env={**environment, "BACCARAT_HTTP_PORT": str(port)},
                stdout=log,
                stderr=log,
            )
    try:
        for name, port in ports.items():
            eventually(partial(_is_ready, port))
            _, text = _get(port, "/metrics")
            expected = {
                f'baccarat_draw_latency_seconds_count{{service="{name}",step="{step}"}}' for step in STEPS[name]
            }
            found = {line.rpartition(" ")[0] for line in text.splitlines() if "_latency_seconds_count" in line}
            assert found == expected
        for process in processes.values():
            process.send_signal(signal.SIGTERM)
        assert [process.wait(timeout=3.0) for process in processes.values()] == [0, 0, 0]
        assert all("Traceback" not in (tmp_path / f"{name}.log").read_text() for name in processes)
    finally:
        for process in processes.values():
            process.kill()
            process.wait()
