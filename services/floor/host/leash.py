"""A leash: a small process that starts one command and ends it when the parent is gone.

It is run as `python -m services.floor.host.leash COMMAND …`, with the read end of a pipe as its standard input. The
parent holds the write end. When the parent is gone, even by `kill -9`, the pipe closes, and the leash ends the command.
When the command ends by itself, so does the leash.
"""

import os
import signal
import subprocess
import sys
import threading
from types import FrameType
from typing import Final

# A service ends within 3 s of SIGTERM.
GRACE_SECONDS: Final = 5.0


def main(command: list[str]) -> int:
    """Run the command until it ends or the pipe closes. Returns its exit code: 128 + N when signal N ended it."""
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
