"""The command `key-lost`: the way out for a table whose round waits for a key that nobody has any more."""

import time
import uuid
from datetime import UTC, datetime
from typing import Any, Final

from redis import Redis

from schemas.codec import decode, encode_request
from schemas.facts import RequestRefused, RoundOpened
from schemas.requests import KeyLost
from schemas.streams import pit_key

ANSWER_SECONDS: Final = 10.0
_PAGE: Final = 1_000


class NotGivenUp(Exception):
    """The round was not given up. The message says why."""


def give_up_key(url: str, pit: str, table: str, *, operator: str, approved_by: str, reason: str) -> str:
    """Say that the key of the table's round is lost, and wait for the answer. Returns what became of the round.

    Raises NotGivenUp, and what redis-py raises.
    """
    with Redis.from_url(url) as client:
        last = _last_round(client, pit, table)
        request = KeyLost(
            table=table,
            operator=operator,
            approved_by=approved_by,
            shoe_number=last.shoe_number,
            round_number=last.round_number,
            reason=reason,
        )
        written_behind = _end_of(client, pit_key(pit, "cards"))
        sent_at = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        pairs = encode_request(request, id=str(uuid.uuid4()), source="/baccarat/key-lost", time=sent_at)
        entry_id = client.execute_command("XADD", pit_key(pit, "console"), "*", *pairs)
        _await_answer(client, pit, f"console/{entry_id.decode()}", written_behind)
    return f"round {last.round_number} of shoe {last.shoe_number}"


def _last_round(client: Any, pit: str, table: str) -> RoundOpened:
    end = "+"
    while entries := client.xrevrange(pit_key(pit, "cards"), max=end, count=_PAGE):
        for entry_id, fields in entries:
            if fields[b"type"] == RoundOpened.type.encode() and fields[b"subject"] == table.encode():
                opened = decode("cards", entry_id.decode(), [part for pair in fields.items() for part in pair]).event
                assert isinstance(opened, RoundOpened)
                return opened
        end = f"({entries[-1][0].decode()}"
    raise NotGivenUp(f"pit {pit} has no round of a table {table}")


def _end_of(client: Any, key: str) -> bytes:
    entries = client.xrevrange(key, count=1)
    end: bytes = entries[0][0]
    return end


def _await_answer(client: Any, pit: str, place: str, position: bytes) -> None:
    until = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < until:
        for _, entries in client.xread({pit_key(pit, "cards"): position}, count=_PAGE, block=200):
            for entry_id, fields in entries:
                position = entry_id
                if fields[b"causation"] != place.encode():
                    continue
                answer = decode("cards", entry_id.decode(), [part for pair in fields.items() for part in pair]).event
                if isinstance(answer, RequestRefused):
                    raise NotGivenUp(f"{answer.reason}: {answer.detail}")
                return
    raise NotGivenUp(f"no answer to {place} within {ANSWER_SECONDS:.0f} s: look for it in cards")
