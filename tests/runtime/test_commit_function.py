"""`commit_v1` on real servers: whole or not at all."""

import itertools
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError, ResponseError

from services.runtime.step import Stepper
from tests.runtime.toy import DEFINITION, State, bet, new_stepper, numbered, packed
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

    def commit(self, stepper: Stepper[State], client: Any = None) -> list[bytes]:
        """Commit what is decided; the function's reply."""
        return self.call(*stepper.seal("2026-01-01T00:00:00.000000Z"), client=client)

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


def one_bet(count: int = 1) -> Stepper[State]:
    """Stepper that have taken so many bets."""
    stepper = new_stepper()
    stepper.take({"wagers": numbered(*(packed(bet()) for _ in range(count)))})
    return stepper


def test_a_commit_writes_facts_records_and_cursor(keys: PitKeys) -> None:
    keys.add_wager(1)
    stepper = one_bet()
    assert keys.commit(stepper) == [b"OK"]
    cursor = keys.client.hgetall(keys.keys[0])
    assert cursor[b"wagers"] == b"1-0"
    assert cursor[b"sequence"] == b"1"
    assert len(cursor[b"version"]) == 32
    ((_, fact),) = keys.client.xrange(keys.keys[2])
    assert (fact[b"type"], fact[b"causation"], fact[b"chain"]) == (b"bet.accepted", b"wagers/1-0", cursor[b"chain"])
    state = keys.client.hgetall(keys.keys[1])
    assert (len(state), state[b"version"]) == (2, cursor[b"version"])


def test_the_same_commit_a_second_time_is_a_conflict_and_writes_nothing(keys: PitKeys) -> None:
    keys.add_wager(1)
    stepper = one_bet()
    keys.commit(stepper)
    before = keys.everything()
    assert keys.commit(stepper) == [b"CONFLICT", b"another process has committed"]
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
    assert keys.client.hlen(keys.keys[1]) == count + 1
    assert keys.call("v1", "v2", *empty, 0, count - 1, *names[1:]) == [b"OK"]
    assert keys.client.hgetall(keys.keys[1]) == {b"record-0": b"value", b"version": b"v2"}


NO_IDS_LEFT = "18446744073709551615-18446744073709551615"
FEW_IDS_LEFT = "18446744073709551615-18446744073709551000"


@pytest.mark.parametrize("last_id", [NO_IDS_LEFT, FEW_IDS_LEFT])
@pytest.mark.parametrize("index", [2, 3], ids=["own stream", "rejects"])
def test_a_stream_that_cannot_take_all_that_is_added_takes_nothing(keys: PitKeys, index: int, last_id: str) -> None:
    keys.add_wager(3)
    keys.client.xadd(keys.keys[index], {"the": "last"}, id=last_id)
    stepper = new_stepper()
    stepper.take({"wagers": numbered(packed(bet()), packed(bet()), [b"no", b"event"])})
    before = keys.everything()
    for _ in range(3):
        with pytest.raises(ResponseError, match="has no ids left"):
            keys.commit(stepper)
    assert keys.everything() == before


@pytest.mark.parametrize("last_id", ["18446744073709551615-9", "18446744073709551614-18446744073709551615"])
@pytest.mark.parametrize("index", [2, 3], ids=["own stream", "rejects"])
def test_a_stream_with_a_far_id_that_has_room_takes_what_is_added(keys: PitKeys, index: int, last_id: str) -> None:
    keys.add_wager(3)
    keys.client.xadd(keys.keys[index], {"the": "last"}, id=last_id)
    stepper = new_stepper()
    stepper.take({"wagers": numbered(packed(bet()), packed(bet()), [b"no", b"event"])})
    assert keys.commit(stepper) == [b"OK"]


def test_an_earlier_entry_is_no_place_to_land_on(keys: PitKeys) -> None:
    keys.add_wager(1)
    keys.add_wager(3)
    stepper = new_stepper()
    stepper.take({"wagers": numbered(packed(bet()), packed(bet()))})
    before = keys.everything()
    assert keys.commit(stepper)[0] == b"CONFLICT"
    assert keys.everything() == before


# Where each of the three inputs' cursors lands, and whether the entry is there.
LANDINGS = [
    ((5, 6, 7), True),
    ((6, 7), False),
    ((5, 7), False),
    ((5, 6), False),
    ((5,), False),
    ((), False),
]


@pytest.mark.parametrize(("written", "taken"), LANDINGS)
def test_every_landing_is_checked(keys: PitKeys, written: tuple[int, ...], *, taken: bool) -> None:
    for number in written:
        keys.client.xadd(keys.keys[number - 1], {"any": "thing"}, id="1-0")
    landings: list[str | int] = [3, 5, "1-0", 6, "1-0", 7, "1-0"]
    before = keys.everything()
    reply = keys.call("", "v1", *landings, 0, 0, 0, 0, 0)
    assert reply[0] == (b"OK" if taken else b"CONFLICT")
    assert (keys.everything() == before) is not taken


def test_a_lost_cursor_is_no_version_that_anybody_expects(keys: PitKeys) -> None:
    keys.add_wager(1)
    stepper = one_bet()
    keys.commit(stepper)
    stepper.acknowledged()
    keys.client.delete(keys.keys[0])
    keys.add_wager(2)
    stepper.take({"wagers": numbered(packed(bet()), first=2)})
    before = keys.everything()
    assert keys.commit(stepper) == [b"CONFLICT", b"another process has committed"]
    assert keys.everything() == before


@pytest.mark.parametrize("index", range(7))
def test_a_missing_right_to_one_key_is_an_error_and_nothing_is_written(keys: PitKeys, index: int) -> None:
    keys.add_wager(1)
    allowed = [key for key in keys.keys if key != keys.keys[index]]
    keys.client.acl_setuser("short", enabled=True, reset=True, passwords=["+secret"], keys=allowed, commands=["+@all"])
    before = keys.everything()
    caller = Redis.from_url(_as_user(keys.client, "short"))
    with pytest.raises((NoPermissionError, ResponseError), match=r"(?i)no right|permission|NOPERM|can't"):
        keys.commit(one_bet(), caller)
    caller.close()
    assert keys.everything() == before


# The key, by its number in KEYS, and the one command that the user may not give on it.
NARROW_RIGHTS = [
    (1, "hget"),
    (1, "hset"),
    (2, "hset"),
    (2, "hdel"),
    (3, "xadd"),
    (3, "xinfo"),
    (4, "xadd"),
    (4, "xinfo"),
    (5, "xrange"),
    (6, "xrange"),
    (7, "xrange"),
]


@pytest.mark.parametrize(("number", "command"), NARROW_RIGHTS)
def test_a_missing_right_on_one_key_is_an_error_and_nothing_is_written(
    keys: PitKeys, number: int, command: str
) -> None:
    keys.client.xadd(keys.keys[2], {"the": "first"})
    keys.client.xadd(keys.keys[3], {"the": "first"})
    for wanted in (5, 6, 7):
        keys.client.xadd(keys.keys[wanted - 1], {"any": "thing"}, id="1-0")
    key = keys.keys[number - 1]
    others = [f"~{other}" for other in keys.keys if other != key]
    call = "(+fcall " + " ".join(f"~{each}" for each in keys.keys) + ")"
    rights = ["+@all", *others, f"(+@all -fcall -{command} ~{key})", call]
    keys.client.execute_command("ACL", "SETUSER", "narrow", "reset", "on", ">secret", *rights)
    one_entry: list[str | int] = [1, 2, "name", "value"]
    one_pair: list[str | int] = [1, "name", "value"]
    step: list[str | int] = [
        "",
        "v1",
        3,
        5,
        "1-0",
        6,
        "1-0",
        7,
        "1-0",
        *one_pair,
        *one_entry,
        *one_entry,
        *one_pair,
        1,
        "gone",
    ]
    before = keys.everything()
    caller = Redis.from_url(_as_user(keys.client, "narrow"))
    with pytest.raises((NoPermissionError, ResponseError), match=r"(?i)no right|permission|NOPERM|can't"):
        keys.call(*step, client=caller)
    caller.close()
    assert keys.everything() == before
    assert keys.call(*step) == [b"OK"]
