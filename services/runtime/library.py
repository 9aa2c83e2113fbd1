"""The function library on the server: loaded by an administrator, or by the embedded set-up."""

from pathlib import Path
from typing import Final

from redis import Redis

SOURCE: Final = Path(__file__).with_name("functions.lua")


def load_functions(url: str) -> None:
    """Load or replace the library `baccarat` on this server; raises what redis-py raises."""
    with Redis.from_url(url) as client:
        client.function_load(SOURCE.read_text(encoding="utf-8"), replace=True)
