"""The demo floor as a process: `python -m services.floor.demo`.

Any error ends the process. When it is started again, it reads the facts and goes on.
"""

import os
from typing import Any

import msgspec
import uvloop

from services.floor.demo.dealer import FLAT_OUT, FOR_PEOPLE
from services.floor.demo.sender import Sender
from services.floor.demo.tables import PIT
from services.floor.pit_client import PitClient


class DemoSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The demo's settings: the environment variables of these names, in capitals.

    `demo_rounds`, as JSON: how many settled rounds each table stops at. With it the demo plays flat out, without it at
    a pace for people.
    """

    redis_url: str
    demo_seed: str = "demo"
    demo_rounds: dict[str, int] | None = None


def read_demo_settings() -> DemoSettings:
    """The settings of this environment."""
    names = {name: name.upper() for name in DemoSettings.__struct_fields__}
    given: dict[str, Any] = {name: os.environ[variable] for name, variable in names.items() if variable in os.environ}
    if "demo_rounds" in given:
        given["demo_rounds"] = msgspec.json.decode(given["demo_rounds"])
    return msgspec.convert(given, DemoSettings)


async def _run(settings: DemoSettings) -> None:
    pace = FOR_PEOPLE if settings.demo_rounds is None else FLAT_OUT
    async with PitClient(settings.redis_url, PIT, streams=("cards", "bets"), patient=True) as client:
        await Sender(client, pace=pace, seed=settings.demo_seed, rounds=settings.demo_rounds).work()


if __name__ == "__main__":
    uvloop.run(_run(read_demo_settings()))
