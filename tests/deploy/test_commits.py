"""users.acl against the function library: each service commits and beats as itself, and as nobody else."""

from typing import cast

import pytest
import redis

from tests.deploy.test_users import OUTSIDERS, PIT
from tests.servers import Server

SERVICES = [
    # service, its stream, what it reads
    ("shoe", "cards", "calls bets console scans"),
    ("rules", "calls", "cards"),
    ("settlement", "bets", "cards console wagers"),
]
# The server's words for a missing right of the caller to the call, to a command inside it, and the library's own.
REFUSAL = "[Nn]o permissions to|can't access|no right to"


def keys_of(service: str, output: str, inputs: str) -> list[str]:
    """KEYS of commit_v1: cursor, state, own stream, rejects, inputs."""
    return [PIT + name for name in (f"cursor:{service}", f"state:{service}", output, "rejects", *inputs.split())]


def commit(client: redis.Redis, keys: list[str], entry_ids: list[str]) -> list[bytes]:
    """A step that does all a step can: it lands on an entry of each input, and writes a fact, a reject and records."""
    landings = [part for number, entry_id in enumerate(entry_ids) for part in (str(5 + number), entry_id)]
    one_pair, one_entry = ["1", "name", "value"], ["1", "2", "name", "value"]
    arguments = ["", "v1", str(len(entry_ids)), *landings, *one_pair, *one_entry, *one_entry, *one_pair, "1", "gone"]
    reply: list[bytes] = client.fcall("commit_v1", len(keys), *keys, *arguments)
    return reply


@pytest.fixture
def empty(server: Server) -> Server:
    server.client().flushall()
    return server


@pytest.mark.parametrize(("service", "output", "inputs"), SERVICES)
def test_a_service_commits_as_itself(empty: Server, service: str, output: str, inputs: str) -> None:
    administrator = empty.client()
    ids = [cast(bytes, administrator.xadd(PIT + name, {"name": "value"})).decode() for name in inputs.split()]
    assert commit(empty.client(service), keys_of(service, output, inputs), ids) == [b"OK"]
    assert administrator.xlen(PIT + output) == administrator.xlen(PIT + "rejects") == 1
    assert administrator.hgetall(f"{PIT}cursor:{service}") == {b"version": b"v1", b"name": b"value"}
    assert administrator.hgetall(f"{PIT}state:{service}") == {b"version": b"v1", b"name": b"value"}


@pytest.mark.parametrize(
    ("service", "output", "inputs"),
    [
        ("rules", "cards", "calls"),
        ("rules", "cards", "cards"),
        ("shoe", "calls", "cards"),
        ("shoe", "bets", "scans"),
        ("settlement", "cards", "console"),
        ("settlement", "wagers", "wagers"),
    ],
)
def test_a_service_commits_nothing_to_another_stream(empty: Server, service: str, output: str, inputs: str) -> None:
    with pytest.raises(redis.exceptions.ResponseError, match=REFUSAL):
        commit(empty.client(service), keys_of(service, output, inputs), [])
    assert empty.client().keys() == []


@pytest.mark.parametrize(("service", "output", "inputs"), SERVICES)
def test_nobody_commits_as_a_service_but_itself(empty: Server, service: str, output: str, inputs: str) -> None:
    others = [*OUTSIDERS, *(name for name, _, _ in SERVICES if name != service)]
    for other in others:
        with pytest.raises(redis.exceptions.ResponseError, match=REFUSAL):
            commit(empty.client(other), keys_of(service, output, inputs), [])
    assert empty.client().keys() == []


@pytest.mark.parametrize(("service", "_output", "_inputs"), SERVICES)
def test_a_service_beats_as_itself(empty: Server, service: str, _output: str, _inputs: str) -> None:
    key = f"{PIT}replicas:{service}"
    assert empty.client(service).fcall("alive_v1", 1, key, "replica", "stay") == [b"replica"]
    assert empty.client(service).fcall("alive_v1", 1, key, "replica", "leave") == []
    for other in (*OUTSIDERS, *(name for name, _, _ in SERVICES if name != service)):
        with pytest.raises(redis.exceptions.ResponseError, match=REFUSAL):
            empty.client(other).fcall("alive_v1", 1, key, "replica", "stay")
