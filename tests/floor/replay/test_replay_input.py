"""Replay: what goes into the streams."""

import json
import uuid
from itertools import groupby
from pathlib import Path
from typing import Any

from schemas.streams import pit_key
from services.floor.replay.command import replay
from tests.floor.replay.records import NATURAL, PIT, SHIPPED, written
from tests.servers import Server


def new_entries(server: Server, stream: str, before: int) -> list[tuple[str, dict[str, Any], dict[str, str]]]:
    """Type, data and fields of a stream's entries behind the first so many."""
    with server.client() as client:
        entries: Any = client.xrange(pit_key(PIT, stream))
    decoded = [{name.decode(): value.decode() for name, value in fields.items()} for _, fields in entries[before:]]
    return [(fields["type"], json.loads(fields["data"]), fields) for fields in decoded]


def lengths(server: Server) -> dict[str, int]:
    with server.client() as client:
        return {stream: int(client.xlen(pit_key(PIT, stream))) for stream in ("console", "scans", "wagers", "cards")}


async def test_rounds_are_numbered_in_file_order_in_a_physical_shoe_for_each_label(
    embedded: Server, url: str, tmp_path: Path
) -> None:
    before = lengths(embedded)
    labels = ["a", "a", "b", None, None, "a", 1, "1"]
    void = {"shoe": "a", "player": ["8"], "banker": []}
    await replay(written(tmp_path, *({**NATURAL, "shoe": label} for label in labels), void, void), PIT, url)

    console = new_entries(embedded, "console", before["console"])
    opened = [(data["shoe_number"], data["round_number"]) for kind, data, _ in console if kind == "round.open"]
    assert opened == [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (8, 2)]
    assert {data["kind"] for kind, data, _ in console if kind == "shoe.load"} == {"physical"}

    scans = [data for _, data, _ in new_entries(embedded, "scans", before["scans"])]
    ordinals = {shoe: [data["ordinal"] for data in of_shoe] for shoe, of_shoe in groupby(scans, _shoe_number)}
    four = [1, 2, 3, 4]
    assert ordinals == {1: [*four, 5, 6, 7, 8], 2: four, 3: four, 4: four, 5: four, 6: four, 7: four, 8: [1, 2]}
    assert [data["card"] for data in scans[:8]] == ["8C", "2C", "KC", "3C", "8D", "2D", "KD", "3D"]


def _shoe_number(scan: dict[str, Any]) -> int:
    number: int = scan["shoe_number"]
    return number


async def test_every_run_has_a_table_of_its_own_under_macau_and_nobody_bets(
    embedded: Server, url: str, tmp_path: Path
) -> None:
    before = lengths(embedded)
    file = written(tmp_path, NATURAL)
    await replay(file, PIT, url)
    await replay(file, PIT, url)

    console = new_entries(embedded, "console", before["console"])
    kinds = ["table.open", "shoe.load", "round.open", "betting.close", "table.close"]
    assert [kind for kind, _, _ in console] == kinds * 2
    tables = [data["table"] for kind, data, _ in console if kind == "table.open"]
    assert len(set(tables)) == 2
    assert {data["house_rules"] for kind, data, _ in console if kind == "table.open"} == {"macau"}
    assert {data["wagers_through"] for kind, data, _ in console if kind == "betting.close"} == {"0-0"}
    assert all(data["operator"] for _, data, _ in console)
    identities = [uuid.UUID(fields["id"]) for _, _, fields in console]
    assert {identity.version for identity in identities} == {4}
    assert len(set(identities)) == len(identities)
    assert lengths(embedded)["wagers"] == before["wagers"]


async def test_every_card_scanned_is_dealt_and_no_misdeal_is_left_behind(embedded: Server, url: str) -> None:
    before = lengths(embedded)
    await replay(SHIPPED, PIT, url)
    cards = new_entries(embedded, "cards", before["cards"])
    kinds = {kind for kind, _, _ in cards}
    assert not kinds & {"misdeal.detected", "scan.missed", "request.refused", "request.repeated"}
    dealt = [
        (data["shoe_number"], data["card_number"], data["card"]) for kind, data, _ in cards if kind == "card.dealt"
    ]
    scanned = [
        (data["shoe_number"], data["ordinal"], data["card"])
        for _, data, _ in new_entries(embedded, "scans", before["scans"])
    ]
    assert dealt == scanned
