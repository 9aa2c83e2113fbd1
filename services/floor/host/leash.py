"""The leash of a child process: `python -m services.floor.host.leash COMMAND …`, with a pipe as its standard input.

It starts the command in its own process group and ends with it. When the pipe closes, because whoever held its other
end is gone (however it went, kill -9 included), the command is told to end. Works wherever there are pipes.
"""

import os
import signal
import subprocess
import sys
import threading
from types import FrameType
from typing import Final

# Services end within 3 s of SIGTERM by their own promise.
GRACE_SECONDS: Final = 5.0


def main(command: list[str]) -> int:
    """Run the command until it ends or the pipe closes; its exit code (128 + signal when a signal ended it)."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - our own command, from processes.py

    def end(_signal: int, _frame: FrameType | None) -> None:
        child.terminate()

    signal.signal(signal.SIGTERM, end)
    threading.Thread(target=_watch, args=(child,), daemon=True).start()
    code = child.wait()
    return 128 - code if code < 0 else code


def _watch(child: "subprocess.Popen[bytes]") -> None:
    while os.read(0, 64):
        pass
    child.terminate()
    try:
        child.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
