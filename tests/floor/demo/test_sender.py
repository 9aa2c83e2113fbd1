"""The demo floor's sending: when, what, and again when nobody answers."""

import json
from collections.abc import Mapping
from typing import Any, Self

import pytest

from schemas import facts
from schemas.events import Fact
from schemas.requests import BetPlace
from services.floor.demo import sender
from services.floor.demo.bettors import wagers_of_round
from services.floor.demo.dealer import FLAT_OUT, limits_of
from services.floor.demo.sender import Demo
from services.floor.pit_client import Raw
from tests.floor import made


class Streams:
    """Stands for the server: what was added to which stream, and what each stream's last entry is."""

    def __init__(self, **last: Raw) -> None:
        self.added: list[tuple[str, dict[str, Any]]] = []
        self._last = last

    async def xrevrange(self, key: str, count: int) -> list[Raw]:
        assert count == 1
        name = key.rpartition(":")[2]
        return [self._last[name]] if name in self._last else []

    async def xadd(self, key: str, entry: Mapping[bytes, bytes]) -> None:
        self._add(key, entry)

    def pipeline(self, *, transaction: bool) -> "Pipeline":
        assert not transaction
        return Pipeline(self)

    def _add(self, key: str, entry: Mapping[bytes, bytes]) -> None:
        fields = {name.decode(): value.decode() for name, value in entry.items()}
        self.added.append((key.rpartition(":")[2], {**fields, "data": json.loads(fields["data"])}))

    def of_table(self, stream: str, table: str = made.TABLE) -> list[dict[str, Any]]:
        """What was added to this stream about one table."""
        return [entry for name, entry in self.added if name == stream and entry["subject"] == table]


class Pipeline:
    """Adds to the streams."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def xadd(self, key: str, entry: Mapping[bytes, bytes]) -> None:
        self._streams._add(key, entry)

    async def execute(self) -> None:
        pass


async def demo_of(streams: Streams, *cards: Fact) -> Demo:
    demo = Demo(pace=FLAT_OUT, seed="demo", rounds=dict.fromkeys(("macau-1", "sjm-1", "online-1"), 5))
    client: Any = streams
    await demo.connect(client)
    demo.take("cards", made.sealed(*cards))
    return demo


REFUSED = facts.RequestRefused(
    table=made.TABLE, request_id="x", request_type="round.open", reason="shoe_busy", detail=""
)
START = (made.table_opened(), made.shoe_started())


async def test_nothing_is_sent_before_the_streams_are_read_to_their_end() -> None:
    streams = Streams(cards=made.sealed(*START)[-1])
    demo = await demo_of(streams)
    await demo.send_due()
    assert streams.added == []
    demo.take("cards", made.sealed(*START))
    await demo.send_due()
    assert [entry["type"] for entry in streams.of_table("console")] == ["round.open"]
    assert [entry["type"] for entry in streams.of_table("console", "sjm-1")] == ["table.open"]


async def test_a_request_waits_for_its_answer_and_is_then_sent_again_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = Streams()
    demo = await demo_of(streams, *START)
    await demo.send_due()
    await demo.send_due()
    assert len(streams.of_table("console")) == 1
    monkeypatch.setattr(sender, "RESEND_SECONDS", 0.0)
    await demo.send_due()
    first, second = streams.of_table("console")
    assert first == second


async def test_what_was_refused_is_asked_for_again_under_another_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = Streams()
    demo = await demo_of(streams, *START)
    await demo.send_due()
    demo.take("cards", made.sealed(*START, REFUSED)[2:])
    await demo.send_due()
    assert len(streams.of_table("console")) == 1
    monkeypatch.setattr(sender, "RESEND_SECONDS", 0.0)
    await demo.send_due()
    first, second = streams.of_table("console")
    assert first["id"] != second["id"]
    assert first["data"] == second["data"]


async def test_another_demo_floor_sends_the_same_identities() -> None:
    sent = []
    for _ in range(2):
        streams = Streams()
        demo = await demo_of(streams, *START, made.round_opened(1))
        await demo.send_due()
        sent.append([(stream, entry["id"], entry["data"]) for stream, entry in streams.added])
    assert len(sent[0]) >= 4
    assert sent[0] == sent[1]


async def test_bettors_bet_once_in_an_open_round_and_betting_closes_behind_their_bets() -> None:
    streams = Streams(wagers=(b"7-3", {}))
    demo = await demo_of(streams, *START, made.round_opened(1))
    await demo.send_due()
    await demo.send_due()
    planned = wagers_of_round(
        seed="demo", table=made.TABLE, shoe_number=1, round_number=1, limits=limits_of(made.TABLE)
    )
    assert [entry["id"] for entry in streams.of_table("wagers")] == [wager.id for wager in planned]
    assert isinstance(planned[0].request, BetPlace)
    assert streams.of_table("console") == []
    demo.take("bets", made.sealed(made.bet_accepted(1, "a", "player", 100)))
    await demo.send_due()
    (closing,) = streams.of_table("console")
    assert (closing["type"], closing["data"]["wagers_through"]) == ("betting.close", "7-3")
