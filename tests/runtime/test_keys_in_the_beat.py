"""Replicas with secret keys: they tell one another which keys they have, and a pit goes to one that has its keys."""

from collections.abc import AsyncIterator, Sequence, Set
from dataclasses import replace
from typing import Any

import pytest
from structlog.typing import EventDict

from schemas.facts import BetAccepted
from services.decider.outcome import LateAnswer
from services.runtime.ownership import Ownership, keys_of, owner
from tests.runtime.beats import Beats, owned
from tests.runtime.pits import ToyPit, metric, said, soon
from tests.runtime.toy import DEFINITION, State, bet
from tests.servers import Server

pytestmark = pytest.mark.usefixtures("quick")


class ToyKeys:
    """The keys of a replica of the toy's. A table with stakes waits for the key `needed`; then its bet comes again."""

    def __init__(self, *fingerprints: str, needed: str = "one") -> None:
        self.fingerprints: Sequence[str] = fingerprints
        self.needed = needed
        self.live: Set[str] = frozenset()
        self.resumed: list[tuple[str, str]] = []

    def heard(self, pit: str, fingerprints: Set[str]) -> None:
        """Remember them."""
        self.live = fingerprints

    def lacks(self, state: State) -> str | None:
        """Every table with a stake needs the key."""
        return None if not state.items or self.needed in self.fingerprints else self.needed

    def resume(self, pit: str, state: State) -> Sequence[object]:
        """A fact for each load, as long as the table has one stake."""
        self.resumed.append((pit, state.table))
        if self.needed not in self.fingerprints or len(state.items) != 1:
            return []
        fact = BetAccepted(
            table=state.table,
            shoe_number=1,
            round_number=1,
            bet_id="late",
            bettor_id="b",
            bet="player",
            seat=None,
            amount_minor=7,
            requested_minor=7,
            revision=1,
        )
        return [LateAnswer(fact, "wagers/1-0")]


@pytest.fixture
async def pit(embedded: Server) -> AsyncIterator[ToyPit]:
    """A fresh pit."""
    pit = ToyPit(embedded)
    yield pit
    await pit.cancel()


def ownership_of(pit: ToyPit, keys: ToyKeys) -> Ownership:
    ownership = Ownership(replace(DEFINITION, keys=keys), pit.url, (pit.name,))
    ownership.replica = "we"
    return ownership


def test_a_name_in_the_beat_tells_the_keys_and_no_pit_goes_where_there_are_none() -> None:
    assert keys_of("we") == keys_of("we/") == ()
    assert keys_of("we/one,two") == ("one", "two")
    for pit in map(str, range(50)):
        assert owner(pit, ["a/", "b/one", "c/"]) == "b/one"
        assert owner(pit, ["a/", "c/"]) in ("a/", "c/")
        assert owner(pit, ["a", "c"]) in ("a", "c")
    assert owner("pit", []) is None


async def test_replicas_with_unequal_keys_are_an_alarm(pit: ToyPit, log: list[EventDict]) -> None:
    beats: Any = Beats()
    keys = ToyKeys("one", "two")
    ownership = ownership_of(pit, keys)
    others = [b"other/one,two"]
    beats.answer = lambda me, pit: [me.encode(), *others]
    ownership.start(beats)
    try:
        await soon(lambda: beats.count >= 2)
        assert metric("baccarat_keys_unequal", pit=pit.name) == 0
        for other in (b"other/two,one", b"other/one", b"other/"):
            others[:] = [other]
            await soon(lambda: metric("baccarat_keys_unequal", pit=pit.name) == 1)
            others[:] = []
            await soon(lambda: metric("baccarat_keys_unequal", pit=pit.name) == 0)
        assert len(said(log, "replicas have unequal keys")) == 3
        others[:] = [b"other/three"]
        await soon(lambda: keys.live == {"one", "two", "three"})
    finally:
        await ownership.stop(beats)


async def test_a_pit_whose_key_another_replica_has_is_left_to_it_until_that_one_is_gone(
    pit: ToyPit, log: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.pit.LOOK_SECONDS", 0.05)
    monkeypatch.setattr("services.runtime.ownership.owner", lambda pit, replicas: max(replicas, default=None))
    beats: Any = Beats()
    others = [b"other/one"]
    beats.answer = lambda me, pit: [me.encode(), *others]
    ownership = ownership_of(pit, ToyKeys("two"))
    ownership.start(beats)
    try:
        await soon(lambda: owned() == 1)
        pit.send("wagers", bet("first"), bet("second"))
        await soon(lambda: said(log, "left to a replica that has its key"))
        await soon(lambda: owned() == 0)
        beats.words.clear()
        await soon(lambda: len(beats.words) > 5)
        assert set(beats.words) == {(pit.name, "leave")}
        others[:] = []
        await soon(lambda: owned() == 1)
        await soon(lambda: metric("baccarat_tables_without_key", pit=pit.name) == 2)
        assert ownership.is_ready()
        assert metric("baccarat_pits_stopped", pit=pit.name, reason="entry") == 0
        assert len(said(log, "left to a replica that has its key")) == 1
    finally:
        await ownership.stop(beats)


async def test_what_waited_for_a_key_goes_on_behind_the_load_in_the_name_of_its_entry(pit: ToyPit) -> None:
    without = replace(DEFINITION, keys=ToyKeys())
    running = await pit.start_and_wait(without)
    pit.send("wagers", bet("t"), bet("t2"), bet("t2"))
    await soon(lambda: len(pit.facts()) == 3)
    await soon(lambda: running.lacking == ["one", "one"])
    running.stop.set()
    await pit.ended()
    keys = ToyKeys("one")
    again = pit.start(replace(DEFINITION, keys=keys))
    await soon(lambda: pit.facts()[3:] == ["bet.accepted t 7"])
    assert sorted(keys.resumed) == [(pit.name, "t"), (pit.name, "t2")]
    ((_, late),) = pit.client.xrevrange(pit.key("bets"), count=1)
    assert late[b"causation"] == b"wagers/1-0"
    assert again.lacking == []
    pit.send("wagers", bet("t2"))
    await soon(lambda: len(pit.facts()) == 5)


async def test_an_error_behind_the_load_stops_the_pit_at_its_table(pit: ToyPit) -> None:
    class Broken(ToyKeys):
        def resume(self, pit: str, state: State) -> Sequence[object]:
            raise KeyError(state.table)

    running = await pit.start_and_wait(DEFINITION)
    pit.send("wagers", bet("t"))
    await soon(lambda: len(pit.facts()) == 1)
    running.stop.set()
    await pit.ended()
    stopped = pit.start(replace(DEFINITION, keys=Broken("one")))
    await soon(lambda: stopped.stopped == "entry")
    assert stopped.impassable is not None
    assert stopped.impassable.table == "t"
    pit.set_aside("t")
    await soon(lambda: stopped.served)
