"""The services as processes, as a kubelet would start them."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import psutil

from tests.keys import SHOE_KEY

SERVICES = ("shoe", "rules", "settlement")


class Addressed(Protocol):
    """Knows where a user finds the server."""

    def url_of(self, user: str) -> str:
        """The server's address for one of the shipped users."""


class Services:
    """Service processes on one server, for some pits; each logs to a file of its own."""

    def __init__(self, server: Addressed, directory: Path, *pits: str, module: str = "services") -> None:
        self._directory = directory
        self._module = module
        self._server = server
        self.pits = pits
        self._environment = {
            "PATH": os.environ["PATH"],
            "BACCARAT_PITS": ",".join(pits),
            "BACCARAT_LOG_LEVEL": "debug",
        }
        self.shoe_keys = SHOE_KEY
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def names(self) -> list[str]:
        """What was started."""
        return list(self._processes)

    def start(self, *names: str) -> None:
        """Start these, or all three. A name may have a suffix for a second replica: `rules.2`."""
        for name in names or SERVICES:
            with self.log(name).open("ab") as log:
                service = name.partition(".")[0]
                command = [sys.executable, "-m", self._module, service]
                environment = {**self._environment, "REDIS_URL": self._server.url_of(service)}
                if service == "shoe" and self.shoe_keys:
                    environment["BACCARAT_SHOE_KEY"] = self.shoe_keys
                self._processes[name] = subprocess.Popen(command, env=environment, stderr=log, stdout=log)

    def log(self, name: str) -> Path:
        """Where a process logs."""
        return self._directory / f"{name}.log"

    def has_logged(self, name: str, text: str) -> bool:
        """Whether a process has logged this."""
        return text in self.log(name).read_text()

    def kill(self, name: str) -> None:
        """SIGKILL."""
        self._processes[name].kill()
        self._processes[name].wait()

    def terminate(self, name: str, seconds: float) -> int:
        """SIGTERM; the exit code, which must come within so many seconds."""
        self._processes[name].send_signal(signal.SIGTERM)
        return self._processes[name].wait(timeout=seconds)

    def hold(self, name: str) -> None:
        """SIGSTOP."""
        psutil.Process(self._processes[name].pid).suspend()

    def go_on(self, name: str) -> None:
        """SIGCONT."""
        psutil.Process(self._processes[name].pid).resume()

    def peak_bytes(self, name: str) -> int:
        """The most memory that a process has had."""
        status = Path(f"/proc/{self._processes[name].pid}/status").read_text()
        (kibibytes,) = re.findall(r"VmHWM:\s+(\d+) kB", status)
        return int(kibibytes) * 1_024

    def stop(self) -> None:
        """Kill what still runs."""
        for process in self._processes.values():
            process.kill()
            process.wait()
