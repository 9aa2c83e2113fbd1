"""users.acl: each role can do what it is for and nothing else, tried on real servers."""

import json
from collections.abc import Callable

import pytest
import redis

from tests.servers import SHIPPED, Server

PIT = "baccarat:{main}:"
STREAMS = ("console", "scans", "wagers", "cards", "calls", "bets", "rejects")
SERVICES = ("shoe", "rules", "settlement")
RIGHTS = [
    # role, the streams it writes, the streams it reads
    ("shoe", "cards rejects", "calls bets console scans"),
    ("rules", "calls rejects", "cards"),
    ("settlement", "bets rejects", "cards console wagers"),
    ("console", "console", "console wagers cards calls bets rejects"),
    ("scanner", "scans", "cards rejects"),
    ("gateway", "wagers", "cards bets rejects"),
    ("display", "", "console wagers cards calls bets rejects"),
    ("auditor", "", "console scans wagers cards calls bets rejects"),
    ("floor", "console scans wagers", "console wagers cards calls bets rejects"),
]
ROLES = [role for role, _, _ in RIGHTS]
OUTSIDERS = [role for role in ROLES if role not in SERVICES]


def allows(client: redis.Redis, *command: str | int) -> bool:
    """Whether this user may: any other refusal of the server is an error of the test."""
    try:
        client.execute_command(*command)  # type: ignore[no-untyped-call]  # redis-py left it without types
    except redis.exceptions.NoPermissionError:
        return False
    return True


def allowed(names: tuple[str, ...], tried: Callable[[str], bool]) -> set[str]:
    return {name for name in names if tried(name)}


def fill(server: Server) -> redis.Redis:
    """An entry on each stream and a field in each hash, so that a right command also succeeds."""
    administrator: redis.Redis = server.client()
    for stream in STREAMS:
        administrator.xadd(PIT + stream, {"name": "value"})
    for name in ("quarantine", *(f"{kind}:{service}" for kind in ("cursor", "state") for service in SERVICES)):
        administrator.hset(PIT + name, "field", "value")
    return administrator


@pytest.mark.parametrize(("role", "writes", "_reads"), RIGHTS)
def test_a_role_writes_its_own_streams_alone(server: Server, role: str, writes: str, _reads: str) -> None:
    client = server.client(role)
    written = allowed(STREAMS, lambda stream: allows(client, "XADD", PIT + stream, "*", "name", "value"))
    assert written == set(writes.split())


@pytest.mark.parametrize("command", ["XREAD", "XRANGE"])
@pytest.mark.parametrize(("role", "_writes", "reads"), RIGHTS)
def test_a_role_reads_what_concerns_it_alone(server: Server, role: str, _writes: str, reads: str, command: str) -> None:
    fill(server)
    client = server.client(role)
    arguments = {"XREAD": ("XREAD", "STREAMS", "{}", "0"), "XRANGE": ("XRANGE", "{}", "-", "+")}[command]
    read = allowed(STREAMS, lambda stream: allows(client, *(part.format(PIT + stream) for part in arguments)))
    assert read == set(reads.split())


@pytest.mark.parametrize(("role", "_writes", "reads"), RIGHTS)
def test_a_role_reads_all_its_streams_in_one_command(server: Server, role: str, _writes: str, reads: str) -> None:
    fill(server)
    names = reads.split()
    assert len(server.client(role).xread({PIT + name: "0" for name in names}, count=1)) == len(names)


@pytest.mark.parametrize(("role", "_writes", "reads"), [row for row in RIGHTS if row[0] in OUTSIDERS])
@pytest.mark.parametrize("command", ["XREVRANGE {} + -", "XLEN {}", "XINFO STREAM {}"])
def test_an_outsider_sees_the_end_of_what_it_reads(
    server: Server, role: str, _writes: str, reads: str, command: str
) -> None:
    fill(server)
    client = server.client(role)
    seen = allowed(STREAMS, lambda stream: allows(client, *command.format(PIT + stream).split()))
    ends = {"wagers"} if role == "gateway" and command.startswith("XLEN") else set()
    assert seen == set(reads.split()) | ends


def test_settlement_sees_the_end_of_wagers(server: Server) -> None:
    fill(server)
    assert server.client("settlement").xrevrange(PIT + "wagers", count=1)


@pytest.mark.parametrize("role", ROLES)
def test_every_role_reads_every_cursor(server: Server, role: str) -> None:
    fill(server)
    client = server.client(role)
    assert allowed(SERVICES, lambda service: allows(client, "HGETALL", f"{PIT}cursor:{service}")) == set(SERVICES)


@pytest.mark.parametrize("command", ["HGETALL {}", "HGET {} field", "HSET {} field value", "HDEL {} field"])
@pytest.mark.parametrize("role", ROLES)
def test_records_belong_to_their_service_alone(server: Server, role: str, command: str) -> None:
    client = server.client(role)
    own = {role} & set(SERVICES)
    assert allowed(SERVICES, lambda service: allows(client, *command.format(f"{PIT}state:{service}").split())) == own


@pytest.mark.parametrize("role", ROLES)
def test_a_cursor_is_written_by_its_service_alone(server: Server, role: str) -> None:
    client = server.client(role)
    own = {role} & set(SERVICES)
    assert allowed(SERVICES, lambda service: allows(client, "HSET", f"{PIT}cursor:{service}", "f", "v")) == own


def test_quarantine_is_written_by_the_administrator_alone(server: Server) -> None:
    fill(server)
    writers = {role for role in ROLES if allows(server.client(role), "HSET", PIT + "quarantine", "t", "v")}
    readers = {role for role in ROLES if allows(server.client(role), "HGETALL", PIT + "quarantine")}
    assert (writers, readers) == (set(), {*SERVICES, "auditor"})


@pytest.mark.parametrize(
    "command",
    [
        "FUNCTION LOAD x",
        "FUNCTION LIST",
        "FUNCTION DELETE baccarat",
        "FUNCTION FLUSH",
        "EVAL return 0",
        "SCRIPT LOAD x",
        "FLUSHALL",
        "FLUSHDB",
        "CONFIG GET appendfsync",
        "CONFIG SET appendfsync no",
        "ACL LIST",
        "ACL SETUSER rules allkeys",
        "CLIENT LIST",
        "CLIENT KILL TYPE normal",
        "SHUTDOWN NOSAVE",
        "REPLICAOF NO ONE",
        "BGREWRITEAOF",
        "MONITOR",
        "KEYS *",
        "SCAN 0",
        "SUBSCRIBE channel",
        "PUBLISH channel message",
        f"DEL {PIT}wagers",
        f"RENAME {PIT}scans {PIT}wagers",
        f"COPY {PIT}scans {PIT}wagers",
        f"RESTORE {PIT}wagers 0 x",
        f"EXPIRE {PIT}wagers 1",
        f"XTRIM {PIT}wagers MAXLEN 0",
        f"XDEL {PIT}wagers 1-1",
        f"XSETID {PIT}wagers 9-9",
        f"XGROUP CREATE {PIT}cards group 0",
        f"SET {PIT}wagers value",
        "SET other value",
        "XADD other * name value",
    ],
)
def test_no_role_administers(server: Server, command: str) -> None:
    parts = command.split() + (["0"] if command.startswith("EVAL") else [])
    assert [role for role in ROLES if allows(server.client(role), *parts)] == []


@pytest.mark.parametrize("role", ROLES)
def test_a_service_alone_reads_several_keys_at_one_instant(server: Server, role: str) -> None:
    fill(server)
    with server.client(role) as client, client.pipeline(transaction=True) as together:
        together.hgetall(f"{PIT}cursor:{role}")
        if role in SERVICES:
            (found,) = together.execute()
            assert found[b"field"] == b"value"
        else:
            with pytest.raises(redis.exceptions.NoPermissionError):
                together.execute()


def test_the_administrator_administers(server: Server) -> None:
    administrator = fill(server)
    assert administrator.config_get("appendfsync") == {"appendfsync": "always"}
    assert [row[1] for row in administrator.function_list()] == [b"baccarat"]
    assert administrator.hset(PIT + "quarantine", "macau-1", json.dumps({"reason": "test"})) == 1
    assert administrator.flushall()
    assert administrator.keys() == []


def test_nobody_enters_without_a_secret(server: Server) -> None:
    with redis.Redis(port=server.port) as stranger, pytest.raises(redis.exceptions.AuthenticationError):
        stranger.ping()


def test_the_shipped_users_have_no_secret_and_cannot_log_in() -> None:
    words = (SHIPPED / "users.acl").read_text().split()
    assert [word for word in words if word == "nopass" or word[0] in "><#!"] == []


def test_the_shipped_users_are_the_tested_ones() -> None:
    users = [line.split()[1] for line in (SHIPPED / "users.acl").read_text().splitlines()]
    assert sorted(users) == sorted(["default", "administrator", *ROLES])


@pytest.mark.parametrize("role", ROLES)
def test_every_role_answers_a_ping(server: Server, role: str) -> None:
    assert server.client(role).ping()
