"""What an administrator does to a stream that can take no entry any more."""

import secrets
from typing import Any

from redis import Redis

from schemas.streams import READS, cursor_key, pit_key, state_key


def mend_stream(url: str, pit: str, stream: str) -> tuple[int, int]:
    """Copy a stream whose last ids lie far ahead to ids of today, and put the cursors right that stand at them.

    Returns how many entries it has and how many have a new id. Raises what redis-py raises.
    """
    readers = [service for service, streams in READS.items() if stream in streams]
    keys = [pit_key(pit, stream), pit_key(pit, f"{stream}:copy")]
    for service in readers:
        keys += (cursor_key(pit, service), state_key(pit, service))
    with Redis.from_url(url) as client:
        found: Any = client.fcall("mend_v1", len(keys), *keys, stream, secrets.token_hex(16))
    entries, renamed = found
    return int(entries), int(renamed)
