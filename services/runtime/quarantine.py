"""Tables that an administrator sets aside: their entries go to `rejects` until they are taken off again."""

import json
from datetime import UTC, datetime
from typing import Any

from redis import Redis

from schemas.streams import READS, pit_key, state_key


class UnknownTable(Exception):
    """No service knows a table of this name; the message names those that are known."""


def set_aside(url: str, pit: str, table: str, *, operator: str, reason: str) -> None:
    """Set a table aside. Every service sees it within a second. Raises UnknownTable, and what redis-py raises."""
    record = {"operator": operator, "reason": reason, "time": datetime.now(UTC).isoformat()}
    with Redis.from_url(url) as client:
        known = _tables(client, pit)
        if table not in known:
            raise UnknownTable(f"pit {pit} has no table {table}; it has: {', '.join(sorted(known)) or 'none'}")
        client.hset(pit_key(pit, "quarantine"), table, json.dumps(record))


def take_off(url: str, pit: str, table: str) -> None:
    """Let a table play again. Raises UnknownTable where it is not set aside, and what redis-py raises."""
    with Redis.from_url(url) as client:
        if not client.hdel(pit_key(pit, "quarantine"), table):
            aside: Any = client.hkeys(pit_key(pit, "quarantine"))
            names = ", ".join(sorted(name.decode(errors="replace") for name in aside))
            raise UnknownTable(f"table {table} of pit {pit} is not set aside; set aside are: {names or 'none'}")


def _tables(client: Any, pit: str) -> set[str]:
    """The tables that any service has records of."""
    names = [name for service in READS for name in client.hkeys(state_key(pit, service)) if name != b"version"]
    return {json.loads(name)[0] for name in names}
