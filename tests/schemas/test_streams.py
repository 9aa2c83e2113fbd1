"""Names: every type once per stream, keys of one slot, one decider per request."""

import pytest

from schemas.events import Fact, Request
from schemas.streams import (
    EVENTS,
    FACT_STREAMS,
    READS,
    REQUEST_STREAMS,
    cursor_key,
    decider,
    pit_key,
    replicas_key,
    state_key,
)

# The wire's list, by hand.
TYPES = {
    "console": "table.open table.close shoe.load shoe.end round.open betting.close round.void card.open holder.pass "
    "seat.take seat.leave limits.set house_rules.change card.correct damage.report settlement.adjust table.hold "
    "table.release key.lost",
    "scans": "card.scan cut_card.scan",
    "wagers": "bet.place bet.change bet.cancel",
    "cards": "table.opened table.closed shoe.started round.opened card.dealt cut_card.reached scan.missed "
    "card.found_face_up misdeal.detected round.voided round.ended shoe.ended limits.changed house_rules.changed "
    "card.opened card.corrected card.damaged holder.passed table.held table.released shoe.suspect request.refused "
    "request.repeated",
    "calls": "draw.called round.decided",
    "bets": "bet.accepted bet.changed bet.cancelled bet.rejected betting.closed stake.reduced stake.returned "
    "bets.settled round.settled seat.taken seat.left settlement.adjusted request.refused request.repeated",
}


@pytest.mark.parametrize("stream", TYPES)
def test_each_stream_has_the_types_of_the_wire(stream: str) -> None:
    assert [event.type for event in EVENTS[stream]] == TYPES[stream].split()


def test_there_are_no_other_streams_of_events() -> None:
    assert set(EVENTS) == set(TYPES)
    assert {*REQUEST_STREAMS, *FACT_STREAMS.values()} == set(TYPES)


@pytest.mark.parametrize("stream", TYPES)
def test_requests_stand_on_the_streams_of_outsiders_and_facts_on_the_services(stream: str) -> None:
    kind = Request if stream in REQUEST_STREAMS else Fact
    assert all(issubclass(event, kind) for event in EVENTS[stream])


def test_a_types_name_is_its_class_in_dotted_lower_case() -> None:
    for events in EVENTS.values():
        for event in events:
            assert event.type.replace(".", "").replace("_", "") == event.__name__.lower()


@pytest.mark.parametrize(
    ("stream", "event_type", "service"),
    [
        ("console", "table.open", "shoe"),
        ("console", "table.close", "shoe"),
        ("console", "shoe.load", "shoe"),
        ("console", "shoe.end", "shoe"),
        ("console", "round.open", "shoe"),
        ("console", "round.void", "shoe"),
        ("console", "betting.close", "settlement"),
        ("console", "seat.take", "settlement"),
        ("console", "seat.leave", "settlement"),
        ("console", "settlement.adjust", "settlement"),
        ("console", "card.open", "shoe"),
        ("console", "card.correct", "shoe"),
        ("console", "limits.set", "shoe"),
        ("console", "holder.pass", "shoe"),
        ("console", "house_rules.change", "shoe"),
        ("console", "damage.report", "shoe"),
        ("console", "table.hold", "shoe"),
        ("console", "table.release", "shoe"),
        ("console", "no.such", "shoe"),
        ("console", "bet.place", "shoe"),
        ("scans", "card.scan", "shoe"),
        ("scans", "betting.close", "shoe"),
        ("wagers", "bet.place", "settlement"),
        ("wagers", "table.open", "settlement"),
        ("wagers", "no.such", "settlement"),
    ],
)
def test_each_request_has_one_decider(stream: str, event_type: str, service: str) -> None:
    assert decider(stream, event_type) == service


def test_all_keys_of_a_pit_share_its_hash_tag() -> None:
    assert pit_key("demo", "cards") == "baccarat:{demo}:cards"
    assert cursor_key("demo", "rules") == "baccarat:{demo}:cursor:rules"
    assert state_key("demo", "rules") == "baccarat:{demo}:state:rules"
    assert replicas_key("demo", "rules") == "baccarat:{demo}:replicas:rules"


# Ranked: what a service must know first stands first.
RANKED = {
    "shoe": ("calls", "bets", "console", "scans"),
    "rules": ("cards",),
    "settlement": ("cards", "console", "wagers"),
}


def test_each_service_reads_its_streams_in_their_rank() -> None:
    assert RANKED == READS


def test_whoever_decides_a_request_reads_its_stream() -> None:
    for stream in REQUEST_STREAMS:
        assert {decider(stream, event.type) for event in EVENTS[stream]} == {
            service for service, streams in READS.items() if stream in streams
        }
