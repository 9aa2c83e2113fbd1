"""`commit_v1` on real servers: whole or not at all."""

import itertools
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError, ResponseError

from services.runtime.step import Steps
from tests.runtime.toy import DEFINITION, State, bet, new_steps, numbered, packed
from tests.servers import Server

_pits = itertools.count()


class PitKeys:
    """The keys of a pit of its own, as `commit_v1` wants them."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.pit = f"commit-{next(_pits)}"
        names = ["cursor:settlement", "state:settlement", "bets", "rejects", *DEFINITION.inputs]
        self.keys = [f"baccarat:{{{self.pit}}}:{name}" for name in names]

    def add_wager(self, number: int) -> None:
        """An entry for the cursor to land on."""
        self.client.xadd(self.keys[6], {"any": "thing"}, id=f"{number}-0")

    def commit(self, steps: Steps[State], client: Any = None) -> list[bytes]:
        """Commit what is decided; the function's reply."""
        return self.call(*steps.seal("2026-01-01T00:00:00.000000Z"), client=client)

    def call(self, *arguments: bytes | str | int, client: Any = None) -> list[bytes]:
        """Call the function with these arguments; its reply."""
        caller = client or self.client
        reply: list[bytes] = caller.execute_command("FCALL", "commit_v1", len(self.keys), *self.keys, *arguments)
        return reply

    def everything(self) -> dict[str, Any]:
        """All that stands under the pit's keys."""
        return {key.decode(): self.client.dump(key) for key in self.client.keys(f"baccarat:{{{self.pit}}}:*")}


@pytest.fixture
def keys(server: Server) -> PitKeys:
    """A fresh pit."""
    return PitKeys(server.client())


def one_bet(count: int = 1) -> Steps[State]:
    """Steps that have taken so many bets."""
    steps = new_steps()
    steps.take({"wagers": numbered(*(packed(bet()) for _ in range(count)))})
    return steps


def test_a_commit_writes_facts_records_and_cursor(keys: PitKeys) -> None:
    keys.add_wager(1)
    steps = one_bet()
    assert keys.commit(steps) == [b"OK"]
    cursor = keys.client.hgetall(keys.keys[0])
    assert cursor[b"wagers"] == b"1-0"
    assert cursor[b"sequence"] == b"1"
    assert len(cursor[b"version"]) == 32
    ((_, fact),) = keys.client.xrange(keys.keys[2])
    assert (fact[b"type"], fact[b"causation"], fact[b"chain"]) == (b"bet.accepted", b"wagers/1-0", cursor[b"chain"])
    assert keys.client.hlen(keys.keys[1]) == 1


def test_the_same_commit_a_second_time_is_a_conflict_and_writes_nothing(keys: PitKeys) -> None:
    keys.add_wager(1)
    steps = one_bet()
    keys.commit(steps)
    before = keys.everything()
    assert keys.commit(steps) == [b"CONFLICT", b"another process has committed"]
    assert keys.everything() == before


def test_a_cursor_lands_on_an_entry_that_exists_or_nothing_is_written(keys: PitKeys) -> None:
    keys.add_wager(2)
    before = keys.everything()
    reply = keys.commit(one_bet())
    assert reply[0] == b"CONFLICT"
    assert b"has no entry 1-0" in reply[1]
    assert keys.everything() == before


@pytest.mark.parametrize("index", [0, 1, 2, 3])
def test_a_key_of_another_type_is_an_error_and_nothing_is_written(keys: PitKeys, index: int) -> None:
    keys.add_wager(1)
    keys.client.set(keys.keys[index], "a string")
    before = keys.everything()
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        keys.commit(one_bet())
    assert keys.everything() == before


@pytest.mark.parametrize("missing", ["hget", "hset", "hdel", "xadd", "xrange"])
def test_a_missing_right_is_an_error_and_nothing_is_written(keys: PitKeys, missing: str) -> None:
    keys.add_wager(1)
    keys.client.acl_setuser(
        "short", enabled=True, reset=True, passwords=["+secret"], keys=["*"], commands=["+@all", f"-{missing}"]
    )
    before = keys.everything()
    caller = Redis.from_url(_as_user(keys.client, "short"))
    with pytest.raises((NoPermissionError, ResponseError), match=r"(?i)no right|permission|NOPERM|can't run"):
        keys.commit(one_bet(), caller)
    caller.close()
    assert keys.everything() == before


def _as_user(client: Any, user: str) -> str:
    options = client.get_connection_kwargs()
    return f"redis://{user}:secret@{options['host']}:{options['port']}/0"


def test_a_step_of_many_thousand_records_is_written_whole(keys: PitKeys) -> None:
    count = 9_001
    names = [f"record-{number}" for number in range(count)]
    records = [part for name in names for part in (name, "value")]
    empty = [0, 0, 0, 0]
    assert keys.call("", "v1", *empty, count, *records, 0) == [b"OK"]
    assert keys.client.hlen(keys.keys[1]) == count
    assert keys.call("v1", "v2", *empty, 0, count - 1, *names[1:]) == [b"OK"]
    assert keys.client.hgetall(keys.keys[1]) == {b"record-0": b"value"}
