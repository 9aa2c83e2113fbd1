"""The demo floor's sending: when, what, and again when nobody answers."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from schemas import facts
from schemas.codec import Entry
from schemas.events import Fact
from schemas.requests import BetPlace
from services.floor.demo import sender as sender_module
from services.floor.demo.bettors import wagers_of_round
from services.floor.demo.dealer import FLAT_OUT
from services.floor.demo.sender import Sender
from services.floor.demo.tables import limits_of
from services.floor.pit_client import Outgoing, ReadFact
from tests.floor import made


class Pit:
    """Stands for a connection to the pit: what was written, and the facts that are there at the start."""

    def __init__(self, *, last_wager: str = "0-0", past: Sequence[tuple[str, Fact]] = ()) -> None:
        self.written: list[tuple[str, dict[str, Any]]] = []
        self._last_wager = last_wager
        self._past = past
        self.has_written = asyncio.Event()

    async def past(self) -> AsyncIterator[list[ReadFact]]:
        for stream, fact in self._past:
            await asyncio.sleep(0)
            assert self.written == [], "something was sent before all facts were read"
            yield read(stream, fact)

    async def read(self) -> list[ReadFact]:
        await asyncio.Event().wait()
        raise AssertionError("no fact comes any more")

    async def last_id(self, stream: str) -> str:
        assert stream == "wagers"
        return self._last_wager

    async def write(self, *entries: Outgoing) -> None:
        for stream, pairs in entries:
            fields = {name.decode(): value.decode() for name, value in zip(pairs[::2], pairs[1::2], strict=True)}
            self.written.append((stream, {**fields, "data": json.loads(fields["data"])}))
        self.has_written.set()

    def of_table(self, stream: str, table: str = made.TABLE) -> list[dict[str, Any]]:
        """What was written to this stream about one table."""
        return [entry for name, entry in self.written if name == stream and entry["subject"] == table]


def read(stream: str, *facts: Fact) -> list[ReadFact]:
    return [
        ReadFact(Entry(stream=stream, entry_id="1-0", source="", id="", type=fact.type, event=fact), {})
        for fact in facts
    ]


def sender_of(pit: Pit, *cards: Fact) -> Sender:
    client: Any = pit
    sender = Sender(client, pace=FLAT_OUT, seed="demo", rounds=dict.fromkeys(("macau-1", "sjm-1", "online-1"), 5))
    sender.take(read("cards", *cards))
    return sender


REFUSED = facts.RequestRefused(
    table=made.TABLE, request_id="x", request_type="round.open", reason="shoe_busy", detail=""
)
START = (made.table_opened(), made.shoe_started())


async def test_nothing_is_sent_before_the_streams_are_read_to_their_end() -> None:
    bets = [made.bet_accepted(1, "a", "player", 100), made.betting_closed(1, {"player": 100}), made.round_settled(1)]
    cards = [*START, made.round_opened(1), made.round_ended(1)]
    pit = Pit(past=[*(("cards", fact) for fact in cards), *(("bets", fact) for fact in bets)])
    working = asyncio.create_task(sender_of(pit).work())
    await asyncio.wait_for(pit.has_written.wait(), 10)
    working.cancel()
    assert [entry["type"] for entry in pit.of_table("console")] == ["round.open"]
    assert [entry["data"]["round_number"] for entry in pit.of_table("console")] == [2]
    assert [entry["type"] for entry in pit.of_table("console", "sjm-1")] == ["table.open"]


async def test_a_request_waits_for_its_answer_and_is_then_sent_again_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    pit = Pit()
    sender = sender_of(pit, *START)
    await sender.send_due()
    await sender.send_due()
    assert len(pit.of_table("console")) == 1
    monkeypatch.setattr(sender_module, "RESEND_SECONDS", 0.0)
    await sender.send_due()
    first, second = pit.of_table("console")
    assert first == second


async def test_what_was_refused_is_asked_for_again_under_another_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    pit = Pit()
    sender = sender_of(pit, *START)
    await sender.send_due()
    sender.take(read("cards", REFUSED))
    await sender.send_due()
    assert len(pit.of_table("console")) == 1
    monkeypatch.setattr(sender_module, "RESEND_SECONDS", 0.0)
    await sender.send_due()
    first, second = pit.of_table("console")
    assert first["id"] != second["id"]
    assert first["data"] == second["data"]


async def test_another_demo_floor_sends_the_same_identities() -> None:
    sent = []
    for _ in range(2):
        pit = Pit()
        sender = sender_of(pit, *START, made.round_opened(1))
        await sender.send_due()
        sent.append([(stream, entry["id"], entry["data"]) for stream, entry in pit.written])
    assert len(sent[0]) >= 4
    assert sent[0] == sent[1]


async def test_bettors_bet_once_in_an_open_round_and_betting_closes_behind_their_bets() -> None:
    pit = Pit(last_wager="7-3")
    sender = sender_of(pit, *START, made.round_opened(1))
    await sender.send_due()
    await sender.send_due()
    planned = wagers_of_round(
        seed="demo", table=made.TABLE, shoe_number=1, round_number=1, limits=limits_of(made.TABLE)
    )
    assert [entry["id"] for entry in pit.of_table("wagers")] == [wager.id for wager in planned]
    assert isinstance(planned[0].request, BetPlace)
    assert pit.of_table("console") == []
    sender.take(read("bets", made.bet_accepted(1, "a", "player", 100)))
    await sender.send_due()
    (closing,) = pit.of_table("console")
    assert (closing["type"], closing["data"]["wagers_through"]) == ("betting.close", "7-3")
