"""The end of a command by a signal."""

import asyncio
import os
import signal

import pytest

from services.floor.host.signals import Signalled, unless_signalled


async def test_work_that_no_signal_ends_gives_its_result() -> None:
    assert await unless_signalled(asyncio.sleep(0, "done")) == "done"


@pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM"), (signal.SIGHUP, "SIGHUP")]
)
async def test_the_first_signal_ends_the_work_and_is_named(number: signal.Signals, name: str) -> None:
    tidied = []

    async def work() -> None:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(0.05)
            tidied.append("up")

    with pytest.raises(Signalled, match=f"^{name}$"):
        await unless_signalled(work())
    assert tidied == ["up"]


async def test_work_that_is_cancelled_without_a_signal_stays_cancelled() -> None:
    running = asyncio.create_task(unless_signalled(asyncio.Event().wait()))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
