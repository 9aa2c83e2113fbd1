"""Child processes. Each is started by a leash of its own (`leash.py`), and started again when it dies.

The children stand in layers: the server at the bottom, the services above it, the demo floor at the top. The leashes of
a layer read one pipe, and end their children when it closes. The write end is held by this process and by the leashes
of the layer above. So the layers end from the top down, also when this process is killed.
"""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

RESTART_SECONDS: Final = 0.5
DEATHS_MAX: Final = 3
DEATHS_WITHIN_SECONDS: Final = 10.0
# Longer than a leash waits before it kills its child, so that the leash has the time to do it.
STOP_SECONDS: Final = 6.0
PROJECT: Final = Path(__file__).parents[3]

Answer = TypeVar("Answer")


class ChildDied(Exception):
    """A child died too often to be started again. The message is one line for the user."""


class Command(msgspec.Struct, frozen=True):
    """What a child runs. `environment` is added to this process's own."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str] = {}


class Children:
    """The children of one run.

    `held`: descriptors that stay open until the last child is gone, such as that of the run's lock.
    """

    def __init__(self, log_directory: Path, held: Sequence[int] = ()) -> None:
        self._log_directory = log_directory
        self._held = tuple(held)
        self._layers: list[_Layer] = []
        self._broken: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def start_layer(self, *commands: Command) -> None:
        """Start these children as a new layer at the top, which is stopped before all others."""
        below = (self._layers[-1].write_end,) if self._layers else ()
        layer = _Layer((*below, *self._held))
        self._layers.append(layer)
        for command in commands:
            log = self._log_directory / f"{command.name}.log"
            layer.children.append(_Child(command, layer, log, self._broken))

    @property
    def restarts(self) -> dict[str, int]:
        """How often each child was started again, for those that were."""
        children = [child for layer in self._layers for child in layer.children]
        return {child.name: child.restarts for child in children if child.restarts}

    async def unless_broken(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """The result of some work. When a child has died too often, the work is ended and ChildDied is raised."""
        task = asyncio.create_task(work)
        try:
            await asyncio.wait((task, self._broken), return_when=asyncio.FIRST_COMPLETED)
            if self._broken.done() and not task.done():
                raise ChildDied(self._broken.result())
            return await task
        finally:
            # Python 3.11's wait_for may swallow a cancellation: the work is told again each second.
            while not task.done():
                task.cancel()
                await asyncio.wait((task,), timeout=1.0)
            if not task.cancelled():
                task.exception()

    async def stop(self) -> None:
        """Stop all children, layer by layer from the top, and wait until they are gone."""
        while self._layers:
            layer = self._layers.pop()
            await asyncio.gather(*(child.stop() for child in layer.children))
            layer.close()


class _Layer:
    def __init__(self, passed: tuple[int, ...]) -> None:
        self.read_end, self.write_end = os.pipe()
        self.passed = passed
        self.children: list[_Child] = []

    def close(self) -> None:
        os.close(self.read_end)
        os.close(self.write_end)


class _Child:
    def __init__(self, command: Command, layer: _Layer, log: Path, broken: "asyncio.Future[str]") -> None:
        self.name = command.name
        self.restarts = 0
        self._command = command
        self._layer = layer
        self._log = log
        self._broken = broken
        self._process: asyncio.subprocess.Process | None = None
        self._stopping = asyncio.Event()
        log.write_bytes(b"")
        self._task = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        self._stopping.set()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGTERM)
        done, _ = await asyncio.wait((self._task,), timeout=STOP_SECONDS)
        if not done and self._process is not None:
            _kill_group(self._process.pid)
        await self._task

    async def _keep(self) -> None:
        deaths: deque[float] = deque(maxlen=DEATHS_MAX)
        while not self._stopping.is_set():
            self._process = process = await self._start()
            self.restarts += bool(deaths)
            if self._stopping.is_set():
                process.send_signal(signal.SIGTERM)
            await process.wait()
            # When only the leash was killed, its child is still there.
            _kill_group(process.pid)
            self._process = None
            deaths.append(time.monotonic())
            if len(deaths) == DEATHS_MAX and deaths[-1] - deaths[0] <= DEATHS_WITHIN_SECONDS:
                if not self._stopping.is_set() and not self._broken.done():
                    self._broken.set_result(self._last_words())
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), RESTART_SECONDS)

    async def _start(self) -> asyncio.subprocess.Process:
        with self._log.open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "services.floor.host.leash",
                *self._command.arguments,
                cwd=PROJECT,
                env={**os.environ, **self._command.environment},
                stdin=self._layer.read_end,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=self._layer.passed,
            )

    def _last_words(self) -> str:
        seconds = DEATHS_WITHIN_SECONDS
        lines = self._log.read_text(errors="replace").strip().splitlines()
        said = f", its last words: {lines[-1][:300]}" if lines else ""
        return f"{self.name} died {DEATHS_MAX} times within {seconds:.0f} s (log: {self._log}){said}"


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
