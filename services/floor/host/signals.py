"""Ending a command's work when a signal comes."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

SIGNALS: Final = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM", signal.SIGHUP: "SIGHUP"}

Answer = TypeVar("Answer")


class Signalled(Exception):
    """A signal ended the work. The message names it as a user knows it."""


async def unless_signalled(work: Coroutine[Any, Any, Answer]) -> Answer:
    """The result of some work. The first signal cancels it, and Signalled is raised when it has ended.

    Further signals are ignored, so that the work can tidy up.
    """
    task = asyncio.create_task(work)
    received: list[signal.Signals] = []

    def end(number: signal.Signals) -> None:
        received.append(number)
        if len(received) == 1:
            task.cancel()

    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, end, number)
    try:
        return await task
    except asyncio.CancelledError:
        if not received:
            raise
        raise Signalled(SIGNALS[received[0]]) from None
