"""Virtual cards on real servers: nobody gets other cards by cutting commits; a missing key stops one table alone."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schemas.requests import TableHold, TableRelease
from schemas.streams import pit_key
from tests.card_proof import Proof
from tests.keys import OTHER_SHOE_KEY, SHOE_KEY
from tests.servers import Server, eventually
from tests.system.cutting_proxy import CuttingProxy
from tests.system.floor import Floor, assert_consistent
from tests.system.processes import SERVICES, Services

CUTS_MAX = 4


def proof(floor: Floor, *keys: str) -> Proof:
    """A proof of every virtual card of the floor's pit."""
    streams = {}
    for name in ("console", "cards", "bets"):
        entries = floor.client.xrange(pit_key(floor.pit, name))
        streams[name] = [(at.decode(), {k.decode(): v.decode() for k, v in fields.items()}) for at, fields in entries]
    return Proof(floor.pit, streams, [bytes.fromhex(key) for key in keys or (SHOE_KEY,)])


def test_whoever_cuts_commits_gets_the_same_cards_again(embedded: Server, tmp_path: Path) -> None:
    proxy = CuttingProxy(embedded, CUTS_MAX)
    services = Services(proxy, tmp_path, f"cut-{tmp_path.name}")
    services.start(*SERVICES, "shoe.2")
    try:
        with embedded.client() as client:
            floor = Floor(client, services.pits[0])
            floor.begin("six-deck-online")
            floor.play_round(seconds=60)
            services.kill("shoe")
            services.start("shoe")
            floor.play_round(seconds=60)
            floor.open_round()
            floor.wait("cards", "round.opened", seconds=60)
            floor.send("console", TableHold(table=floor.table, operator="d", reason="test"))
            floor.close_betting()
            floor.wait("bets", "betting.closed", seconds=60)
            floor.send("console", TableRelease(table=floor.table, operator="d"))
            floor.wait("bets", "round.settled", seconds=60)
            assert_consistent(floor)
            dealt = floor.facts("cards", "card.dealt")
            assert proof(floor).check().proven_cards == len(dealt)
    finally:
        services.stop()
        proxy.close()
    assert sum(proxy.cuts.values()) >= CUTS_MAX
    assert {(number, *faces) for number, faces in proxy.seen.items()} == {
        ((fact["shoe_number"], fact["round_number"], fact["card_number"]), fact["card"]) for fact in dealt
    }


@pytest.fixture
def given_up(embedded: Server, tmp_path: Path) -> Iterator[tuple[Services, Floor]]:
    """Betting is open on a virtual round of one table; another table has a physical shoe."""
    services = Services(embedded, tmp_path, f"keys-{tmp_path.name}")
    services.start()
    with embedded.client() as client:
        floor = Floor(client, services.pits[0])
        floor.begin("six-deck-online")
        floor.open_round()
        floor.wait("cards", "round.opened")
        yield services, floor
        assert_consistent(floor)
    services.stop()


def key_lost(floor: Floor, server: Server, table: str = "") -> "subprocess.CompletedProcess[str]":
    who = ("--operator", "admin", "--approved-by", "boss", "--reason", "the disk is gone")
    return subprocess.run(
        [sys.executable, "-m", "services", "key-lost", floor.pit, table or floor.table, *who],
        env={"PATH": os.environ["PATH"], "REDIS_URL": server.url},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def restart_shoe(services: Services, keys: str) -> None:
    services.terminate("shoe", 5)
    services.shoe_keys = keys
    services.start("shoe")


def refused(floor: Floor, place: str) -> Any:
    return floor.answer("cards", place)["reason"]


def test_cards_wait_for_their_key_while_other_tables_play(given_up: tuple[Services, Floor], embedded: Server) -> None:
    services, floor = given_up
    restart_shoe(services, OTHER_SHOE_KEY)
    floor.close_betting()
    floor.wait("bets", "betting.closed")
    assert refused(floor, f"console/{floor.void()}") == "no_key"
    other = Floor(floor.client, floor.pit)
    other.begin("six-deck-online")
    other.play_round()
    assert floor.of_this_round("cards", "card.dealt") == []
    restart_shoe(services, f"{OTHER_SHOE_KEY},{SHOE_KEY}")
    floor.wait("bets", "round.settled")
    (close,) = floor.of_this_round("bets", "betting.closed")
    assert {fact["causation"] for fact in floor.of_this_round("cards", "card.dealt")[:4]} == {f"bets/{close['entry']}"}
    proven = proof(floor, OTHER_SHOE_KEY, SHOE_KEY).check()
    assert (proven.proven_rounds, proven.not_proven) == (2, [])


def test_a_key_is_given_up_only_when_no_replica_has_it(given_up: tuple[Services, Floor], embedded: Server) -> None:
    services, floor = given_up
    done = key_lost(floor, embedded)
    assert (done.returncode, done.stderr.startswith("key-lost: key_not_lost: ")) == (2, True), done.stderr
    assert key_lost(floor, embedded, "nobody").stderr == f"key-lost: pit {floor.pit} has no round of a table nobody\n"
    restart_shoe(services, OTHER_SHOE_KEY)
    eventually(lambda: services.log("shoe").read_text().count('"loaded"') == 2)
    done = key_lost(floor, embedded)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"table {floor.table} of pit {floor.pit}: round 1 of shoe 1 is void (key_lost)\n"
    (voided,) = floor.wait("cards", "round.voided")
    assert (voided["reason"], voided["key"]) == ("key_lost", None)
    floor.wait("bets", "round.settled")
    (ended,) = eventually(lambda: floor.facts("cards", "shoe.ended"))
    assert ended["reason"] == "key_lost"
    assert floor.answer("cards", f"console/{floor.load_shoe()}")["type"] == "shoe.started"
    floor.play_round()
    proven = proof(floor, OTHER_SHOE_KEY, SHOE_KEY).check()
    assert proven.not_proven == [(floor.table, 1, 1)]


def test_a_pit_goes_to_the_replica_that_has_its_keys(given_up: tuple[Services, Floor], embedded: Server) -> None:
    services, floor = given_up
    restart_shoe(services, OTHER_SHOE_KEY)
    floor.close_betting()
    floor.wait("bets", "betting.closed")
    services.shoe_keys = SHOE_KEY
    services.start("shoe.2")
    floor.wait("bets", "round.settled")
    eventually(lambda: any(services.has_logged(name, "replicas have unequal keys") for name in ("shoe", "shoe.2")))
    for name in services.names:
        for key in (SHOE_KEY, OTHER_SHOE_KEY):
            assert key[:12] not in services.log(name).read_text()
