"""SIGTERM in a service's first second: as process 1 of a container Python ignores it until somebody handles it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.servers import eventually
from tests.system.processes import SERVICES


def survives_sigterm(pid: int) -> bool:
    """Whether the process ignores SIGTERM, or handles it."""
    status = Path(f"/proc/{pid}/status").read_text()
    masks = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith(("SigIgn:", "SigCgt:"))]
    return any(mask >> (signal.SIGTERM - 1) & 1 for mask in masks)


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_that_is_told_to_end_while_it_starts_ends(service: str) -> None:
    # What a shell ignores its successor ignores: as process 1 finds it.
    process = subprocess.Popen(
        ["/bin/sh", "-c", 'trap "" TERM; exec "$@"', "sh", sys.executable, "-m", "services", service],
        env={"PATH": os.environ["PATH"], "REDIS_URL": "redis://127.0.0.1:1/0"},
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        eventually(lambda: survives_sigterm(process.pid))
        deadline = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < deadline:
            process.send_signal(signal.SIGTERM)
            time.sleep(0.02)
        assert process.returncode == 0
        assert b"started" not in process.stderr.read()
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
