"""One replica's pits: taken and let go by its heartbeat, and what the metrics say of them."""

import asyncio
import signal
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from structlog.typing import EventDict

from schemas.streams import cursor_key, state_key
from services.runtime.connection import PitConnection
from services.runtime.cursor import START
from services.runtime.library import load_functions
from services.runtime.ownership import Ownership
from tests.runtime.beats import Beats, owned
from tests.runtime.pits import ToyPit, metric, said, soon
from tests.runtime.toy import BREAKS, DEFINITION, bet
from tests.servers import Server

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
async def toy_pits(embedded: Server) -> AsyncIterator[tuple[ToyPit, ToyPit]]:
    """Two fresh pits on one server."""
    pits = ToyPit(embedded), ToyPit(embedded)
    yield pits
    for pit in pits:
        await pit.cancel()


# What keeps a pit from being loaded, and the word for it.
UNLOADABLE = {
    "newer records": "newer_records",
    "a state of another type": "wrong_type",
    "no right to the state": "no_permission",
    "no server": "unreachable",
}


@pytest.mark.parametrize("fault", UNLOADABLE)
async def test_a_pit_that_cannot_be_loaded_is_not_owned_but_stopped_and_the_replica_not_ready(
    toy_pits: tuple[ToyPit, ToyPit], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.pit.UNSERVED_SECONDS", 0.5)
    pit, _ = toy_pits
    beats: Any = Beats()
    url = pit.url
    cursor, state = cursor_key(pit.name, DEFINITION.name), state_key(pit.name, DEFINITION.name)
    match fault:
        case "newer records":
            pit.client.hset(cursor, "format", DEFINITION.record_format + 1)
        case "a state of another type":
            pit.client.set(state, "a string")
        case "no right to the state":
            pit.client.acl_setuser(pit.name, enabled=True, reset=True, passwords=["+settlement"], commands=["+@all"])
        case _:
            url = "redis://127.0.0.1:1/0"
    ownership = Ownership(DEFINITION, url, (pit.name,))
    ownership.start(beats)
    try:
        await soon(lambda: beats.count >= 3)
        assert metric("baccarat_pits_stopped", pit=pit.name, reason=UNLOADABLE[fault]) == 0
        await soon(lambda: metric("baccarat_pits_stopped", pit=pit.name, reason=UNLOADABLE[fault]) == 1)
        assert owned() == 0
        assert not ownership.is_ready()
        if "records" in fault:
            pit.client.delete(cursor)
            await soon(lambda: owned() == 1)
            await soon(lambda: metric("baccarat_pits_stopped", pit=pit.name, reason=UNLOADABLE[fault]) == 0)
            await soon(ownership.is_ready)
    finally:
        await ownership.stop(beats)


async def test_a_replica_is_ready_while_one_of_its_pits_is_served_and_when_it_has_none(
    toy_pits: tuple[ToyPit, ToyPit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.pit.UNSERVED_SECONDS", 0.1)
    bad, good = toy_pits
    bad.client.set(state_key(bad.name, DEFINITION.name), "a string")
    beats: Any = Beats()
    ownership = Ownership(DEFINITION, good.url, (bad.name, good.name))
    assert not ownership.is_ready()
    beats.answer = lambda me, pit: []
    ownership.start(beats)
    try:
        await soon(ownership.is_ready)
        beats.answer = lambda me, pit: [me.encode()]
        await soon(lambda: metric("baccarat_pits_stopped", pit=bad.name, reason="wrong_type") == 1)
        await soon(lambda: owned() == 1)
        await soon(ownership.is_ready)
    finally:
        await ownership.stop(beats)


async def test_a_pit_that_cannot_be_served_is_left_to_other_replicas_while_there_are_any(
    toy_pits: tuple[ToyPit, ToyPit], log: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.pit.UNSERVED_SECONDS", 0.3)
    monkeypatch.setattr("services.runtime.ownership.LEAVE_SECONDS", 1.0)
    monkeypatch.setattr("services.runtime.ownership.owner", lambda pit, replicas: max(replicas, default=None))
    bad, good = toy_pits
    bad.client.set(state_key(bad.name, DEFINITION.name), "a string")
    beats: Any = Beats()
    ownership = Ownership(DEFINITION, good.url, (bad.name, good.name))
    ownership.replica = "we"
    ownership.start(beats)
    try:
        await soon(lambda: metric("baccarat_pits_stopped", pit=bad.name, reason="wrong_type") == 1)
        assert (bad.name, "leave") not in beats.words
        beats.answer = lambda me, pit: [b"others", me.encode()]
        await soon(lambda: said(log, "left to other replicas"))
        await soon(lambda: bad.name not in ownership.running)
        assert ownership.running[good.name].loaded
        beats.words.clear()
        await soon(lambda: (bad.name, "leave") in beats.words)
        await soon(lambda: (bad.name, "stay") in beats.words)
        # It has not been served in all that time, so it is not looked at for ten seconds more.
        await soon(lambda: metric("baccarat_pits_stopped", pit=bad.name, reason="loading") == 1)
    finally:
        await ownership.stop(beats)


async def test_only_the_pits_for_which_nobody_answers_are_let_go(
    toy_pits: tuple[ToyPit, ToyPit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.ownership.LET_GO_SECONDS", 0.3)
    silent, answered = toy_pits
    beats: Any = Beats()
    ownership = Ownership(DEFINITION, silent.url, (silent.name, answered.name))
    ownership.start(beats)
    try:
        await soon(lambda: owned() == 2)
        beats.answer = lambda me, pit: [me.encode()] if pit == answered.name else ConnectionError("gone")
        await soon(lambda: list(ownership.running) == [answered.name])
        assert ownership.is_ready()
        beats.answer = lambda me, pit: [me.encode()]
        await soon(lambda: owned() == 2)
    finally:
        await ownership.stop(beats)


def _silent(_: str, pit: str) -> list[bytes]:
    raise TimeoutError


async def test_a_pit_that_stops_leaves_the_others_playing_and_shows_in_the_metrics(
    toy_pits: tuple[ToyPit, ToyPit],
) -> None:
    bad, good = toy_pits
    client = Redis.from_url(good.url)
    ownership = Ownership(DEFINITION, good.url, (bad.name, good.name))
    ownership.start(client)
    try:
        await soon(lambda: owned() == 2)
        bad.send("wagers", bet(amount_minor=BREAKS))
        await soon(lambda: metric("baccarat_pits_stopped", pit=bad.name, reason="entry") == 1)
        good.send("wagers", bet())
        await soon(lambda: good.facts() == ["bet.accepted t 100"])
        await soon(lambda: metric("baccarat_stream_lag_seconds", pit=bad.name, stream="wagers") > 0.5)
        assert ownership.is_live()
        bad.set_aside("t")
        await soon(lambda: metric("baccarat_pits_stopped", pit=bad.name, reason="entry") == 0)
        await soon(lambda: metric("baccarat_stream_lag_seconds", pit=bad.name, stream="wagers") < 0.4)
    finally:
        await ownership.stop(client)
        await client.aclose()
    assert owned() == 0


async def test_a_pit_goes_to_another_replica_and_back_while_the_beat_goes_on(toy_pits: tuple[ToyPit, ToyPit]) -> None:
    pit, _ = toy_pits
    beats: Any = Beats()
    ownership = Ownership(DEFINITION, pit.url, (pit.name,))
    ownership.start(beats)
    try:
        await soon(lambda: owned() == 1)
        beats.answer = lambda me, pit: []
        await soon(lambda: owned() == 0)
        beats.answer = lambda me, pit: [me.encode()]
        await soon(lambda: owned() == 1)
        pit.send("wagers", bet())
        await soon(lambda: pit.facts() == ["bet.accepted t 100"])
    finally:
        await ownership.stop(beats)


async def test_a_pit_that_hangs_does_not_hold_the_beat_back(tmp_path: Path) -> None:
    server = Server("embedded", tmp_path)
    server.start()
    load_functions(server.url)
    beats: Any = Beats()
    ownership = Ownership(DEFINITION, server.url, ("hanging",))
    ownership.start(beats)
    try:
        await soon(lambda: owned() == 1)
        server.send_signal(signal.SIGSTOP)
        beats.answer = lambda me, pit: []
        count = beats.count
        started_at = asyncio.get_running_loop().time()
        await soon(lambda: beats.count >= count + 3)
        assert asyncio.get_running_loop().time() - started_at < 1.0
    finally:
        await ownership.stop(beats)
        server.kill()


async def test_a_silent_server_is_named_once_in_the_log(log: list[EventDict]) -> None:
    beats: Any = Beats()
    beats.answer = _silent
    ownership = Ownership(DEFINITION, "redis://nobody", ("one", "two"))
    ownership.start(beats)
    await soon(lambda: beats.count >= 2)
    await ownership.stop(beats)
    assert [line["error"] for line in said(log, "no heartbeat")] == ["TimeoutError: "]
    assert not ownership.is_ready()


async def test_a_beat_that_outlives_its_cancellation_takes_no_pit_behind_the_end(
    toy_pits: tuple[ToyPit, ToyPit],
) -> None:
    pit, _ = toy_pits
    beats: Any = Beats()
    ownership = Ownership(DEFINITION, pit.url, (pit.name,))
    ownership.start(beats)

    def end_meanwhile(me: str, pit: str) -> list[bytes]:
        beats.answer = lambda me, pit: []
        ends.append(asyncio.create_task(ownership.stop(beats)))
        return [me.encode()]

    ends: list[asyncio.Task[None]] = []
    beats.answer = end_meanwhile
    await soon(lambda: ends)
    await asyncio.gather(*ends)
    assert owned() == 0


async def _read_nothing(release: asyncio.Event, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.transport.pause_reading()  # type: ignore[attr-defined] # a socket's transport can
    await release.wait()
    writer.transport.abort()


async def test_a_large_commit_that_a_hanging_server_does_not_read_can_be_broken_off() -> None:
    release = asyncio.Event()
    server = await asyncio.start_server(partial(_read_nothing, release), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    connection = PitConnection(f"redis://127.0.0.1:{port}", "hanging", DEFINITION)
    await connection.open()
    commit = [b"x" * 30_000_000]
    sending = asyncio.create_task(connection.send(commit, dict.fromkeys(DEFINITION.inputs, START)))
    await soon(lambda: connection.waiting_since is not None)
    connection.abort()
    await asyncio.wait([sending], timeout=5.0)
    assert sending.done()
    await asyncio.gather(sending, return_exceptions=True)
    await connection.close()
    release.set()
    server.close()
    await server.wait_closed()
