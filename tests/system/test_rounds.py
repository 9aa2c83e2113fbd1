"""Whole rounds through the three services and a real server."""

import uuid

import pytest

from tests.system.floor import Floor
from tests.system.processes import Services


def test_a_round_from_end_to_end(floor: Floor) -> None:
    floor.begin()
    floor.play_round(bets=3)
    assert [fact["type"] for fact in floor.facts("cards")][:3] == ["table.opened", "shoe.started", "round.opened"]
    sides = [(fact["side"], fact["position"]) for fact in floor.of_this_round("cards", "card.dealt")][:4]
    assert sides == [("player", 1), ("banker", 1), ("player", 2), ("banker", 2)]
    (settled,) = floor.of_this_round("bets", "round.settled")
    assert (settled["placed_minor"], settled["stakes"]) == (30_000, 3)


def test_a_physical_round_is_dealt_from_its_scans(floor: Floor) -> None:
    floor.begin(kind="physical")
    floor.open_round()
    floor.wait("cards", "round.opened")
    floor.send("wagers", floor.bet("banker", 10_000))
    for ordinal, card in enumerate(("2C", "KD", "2D", "7H"), start=1):
        floor.scan(ordinal, card)
    floor.close_betting()
    (call,) = floor.wait("calls", "draw.called")
    assert (call["side"], call["through"]) == ("player", 4)
    floor.scan(5, "5S")
    (ended,) = floor.wait("cards", "round.ended")
    assert (ended["result"], ended["player_total"], ended["banker_total"], ended["player_pair"]) == (
        "player",
        9,
        7,
        True,
    )
    (settled,) = floor.wait("bets", "round.settled")
    assert (settled["house_minor"], settled["returned_minor"]) == (10_000, 0)


def test_a_thousand_bets_before_the_close_are_all_taken(floor: Floor) -> None:
    floor.begin()
    floor.open_round()
    floor.wait("cards", "round.opened")
    for _ in range(1_000):
        floor.send("wagers", floor.bet())
    floor.close_betting()
    (closed,) = floor.wait("bets", "betting.closed")
    assert (closed["stakes"], closed["totals"]["player"]) == (1_000, 10_000_000)
    floor.wait("bets", "round.settled")


def test_bets_behind_the_close_are_all_rejected_however_late_settlement_reads(floor: Floor, services: Services) -> None:
    floor.begin()
    floor.open_round()
    floor.wait("cards", "round.opened")
    services.hold("settlement")
    for _ in range(700):
        floor.send("wagers", floor.bet())
    through = floor.end_of("wagers")
    for _ in range(300):
        floor.send("wagers", floor.bet())
    floor.close_betting(through)
    services.go_on("settlement")
    (closed,) = floor.wait("bets", "betting.closed")
    assert closed["stakes"] == 700
    rejected = floor.wait("bets", "bet.rejected", 300)
    assert {fact["reason"] for fact in rejected} <= {"books_closed", "round_over"}
    assert len(rejected) == 300
    floor.wait("bets", "round.settled")


@pytest.mark.parametrize("copies", [2, 5])
def test_a_repeated_request_is_answered_as_repeated_and_changes_nothing(floor: Floor, copies: int) -> None:
    floor.begin()
    floor.open_round()
    floor.wait("cards", "round.opened")
    request_id, bet = str(uuid.uuid4()), floor.bet()
    places = [f"wagers/{floor.send('wagers', bet, request_id)}" for _ in range(copies)]
    answers = [floor.answer("bets", place) for place in places]
    assert [answer["type"] for answer in answers] == ["bet.accepted"] + ["request.repeated"] * (copies - 1)
    assert {answer["first"] for answer in answers[1:]} == {places[0]}
    floor.close_betting()
    (settled,) = floor.wait("bets", "round.settled")
    assert settled["placed_minor"] == 10_000


def test_undecodable_entries_are_rejected_once_and_tables_play_on(floor: Floor) -> None:
    floor.begin()
    for stream in ("console", "scans", "wagers"):
        floor.add(stream, [b"type", b"\xff\xfe", b"data", b"\x00\x01"])
    floor.play_round()
    rejects = floor.client.xrange(f"baccarat:{{{floor.pit}}}:rejects")
    answered = sorted((fields[b"stream"], fields[b"service"]) for _, fields in rejects)
    assert answered == [(b"console", b"shoe"), (b"scans", b"shoe"), (b"wagers", b"settlement")]
    kept = {fields[b"stream"]: {b"digest", b"data"} & fields.keys() for _, fields in rejects}
    assert kept == {b"console": {b"digest", b"data"}, b"wagers": {b"digest"}, b"scans": set()}
