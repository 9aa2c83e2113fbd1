"""The recorded evening has in it what it is meant to hold: every event, refusal, rule and kind of money."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any, Final

import msgspec
import pytest

from schemas.house_rules import SHIPPED_DIRECTORY
from schemas.streams import EVENTS, FACT_STREAMS, REQUEST_STREAMS
from tests.recording.store import RECORDING, Part, read_recording

# Of each part its facts: stream, type, table, data. Of one stream they are in order, of several turn by turn.
Facts = dict[str, list[tuple[str, str, str, dict[str, Any]]]]

_OF_A_SHOE: Final = (
    "card.correct card.open card.scan cut_card.scan damage.report holder.pass round.open round.void shoe.end"
)
_AT_A_TABLE: Final = f"{_OF_A_SHOE} house_rules.change limits.set shoe.load table.close table.hold"
_OF_A_ROUND: Final = "card.correct card.open holder.pass round.open round.void"
_WAGERS: Final = "bet.cancel bet.change bet.place"
# By whom and for what: the types of request that were turned down so.
REFUSED: Final[dict[str, dict[str, str]]] = {
    "cards": {
        "approval_missing": "card.correct house_rules.change key.lost limits.set round.void shoe.end",
        "card_impossible": "card.correct",
        "card_not_expected": "card.correct card.open card.scan cut_card.scan holder.pass",
        "carried": "card.correct",
        "expired": f"{_OF_A_SHOE} shoe.load",
        "id_reused": "limits.set round.open round.void",
        "key_not_lost": "key.lost",
        "limits_impossible": "house_rules.change limits.set table.open",
        "no_key": "card.open round.open round.void shoe.load",
        "no_shoe": _OF_A_SHOE,
        "no_stake": "holder.pass",
        "not_offered": "card.open holder.pass round.open",
        "not_your_seat": "card.open",
        "out_of_range": "card.correct card.scan cut_card.scan damage.report holder.pass house_rules.change round.open "
        "round.void shoe.load table.open",
        "round_over": _OF_A_ROUND,
        "round_running": "card.correct house_rules.change round.open shoe.end table.close",
        "shoe_busy": "shoe.load",
        "shoe_finished": _OF_A_SHOE,
        "table_already_open": "table.open",
        "table_held": "card.correct card.open damage.report holder.pass house_rules.change limits.set round.open "
        "shoe.end shoe.load table.close table.hold table.open",
        "table_not_held": "table.release",
        "table_not_open": f"{_AT_A_TABLE} table.release",
        "unknown_house_rules": "house_rules.change table.open",
        "unknown_table": f"{_AT_A_TABLE} table.release",
        "wrong_round": _OF_A_ROUND,
        "wrong_shoe": f"{_OF_A_SHOE} shoe.load",
    },
    "bets": {
        "amount_too_large": "settlement.adjust",
        "approval_missing": "settlement.adjust",
        "books_closed": "betting.close",
        "books_not_open": "betting.close settlement.adjust",
        "carried": "seat.leave",
        "expired": "betting.close settlement.adjust",
        "id_reused": "betting.close seat.leave settlement.adjust",
        "no_stake": "betting.close",
        "no_such_bet": "settlement.adjust",
        "not_whole_units": "settlement.adjust",
        "not_your_seat": "seat.leave",
        "out_of_range": "seat.take settlement.adjust",
        "round_over": "betting.close",
        "round_running": "seat.leave settlement.adjust",
        "seat_taken": "seat.take",
        "table_held": "betting.close seat.leave seat.take settlement.adjust",
        "table_not_open": "betting.close seat.leave seat.take",
        "unknown_table": "betting.close seat.leave seat.take settlement.adjust",
        "wrong_round": "betting.close settlement.adjust",
        "wrong_shoe": "betting.close settlement.adjust",
    },
    "wagers": {
        "above_maximum": "bet.change bet.place",
        "above_total": "bet.change bet.place",
        "amount_not_positive": "bet.change bet.place",
        "amount_too_large": "bet.change bet.place",
        "below_minimum": "bet.change bet.place",
        "bet_not_offered": "bet.change bet.place",
        "books_closed": _WAGERS,
        "books_not_open": _WAGERS,
        "commission_not_whole": "bet.change bet.place",
        "differential_full": "bet.change bet.place",
        "expired": _WAGERS,
        "id_reused": "bet.change bet.place",
        "no_such_bet": "bet.cancel bet.change",
        "not_a_multiple": "bet.change bet.place",
        "not_offered": "bet.cancel bet.change",
        "not_whole_units": "bet.change bet.place",
        "not_your_seat": "bet.place",
        "other_side_staked": "bet.change bet.place",
        "out_of_range": "bet.place",
        "pair_without_main": "bet.change bet.place",
        "round_full": _WAGERS,
        "round_over": _WAGERS,
        "table_held": _WAGERS,
        "table_not_open": _WAGERS,
        "unknown_table": _WAGERS,
        "wrong_currency": "bet.place",
        "wrong_revision": "bet.cancel bet.change",
        "wrong_round": _WAGERS,
        "wrong_shoe": _WAGERS,
    },
}
# `quarantined` needs a server that sets a table aside: a pit in memory has none.
REJECTED: Final = ("not_json", "repeated_field", "subject_mismatch", "too_large", "unknown_type", "wrong_shape")
# What else is said by a word, in this field of these facts. Reasons that people give are free.
WORDS: Final = {
    ("misdeal.detected", "reason"): "awaiting_console next_round ordinal_gap other_card surplus_card too_many_waiting",
    ("round.voided", "reason"): "card_missing key_lost",
    ("shoe.ended", "reason"): "cut_card damaged_card key_lost table_closed too_few_cards",
    ("shoe.suspect", "pattern"): "new_deck_order repeated_sequence",
    ("stake.reduced", "reason"): "above_maximum differential",
    ("stake.returned", "reason"): "above_total differential house_rules_changed pair_without_main table_closed",
    ("round.ended", "result"): "player banker tie",
}
# Of these fields of the house rules each of these values was in force when a round was settled.
CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "dealing": ("shoe", "continuous_shuffler", "shuffle_every_round"),
    "rounds_after_cut_card": (0, 1),
    "cut_card_first_counts": ("round", "last"),
    "burn": ("deck_count", "first_card", "fixed", "none"),
    "burn_includes_indicator": (False, True),
    "burn_each_round": (0, 1, 2),
    "free_rounds": (None, 0, 1),
    "pair_requires_main": (False, True),
    "both_sides": (False, True),
    "banker_multiple_of_minimum": (False, True),
    "commission": (0, 5),
    "commission_rounding": ("exact_or_reject", "up_to_unit", "down_to_unit"),
    "differential_policy": ("at_close", "at_bet", "reject"),
    "tie_stakes": ("carry", "return"),
    "holding": (False, True),
    "holder_tie_break": ("first_bet", "lowest_seat"),
    "surplus_card": ("burn", "next_round"),
    "void_keeps_pairs": (False, True),
    "correctable_rounds": (0, 3, 10),
}
# Of each round its books' last revision: placed, carried in, returned, carried out, house, commission.
MONEY: Final = {
    "scenarios": (2_814_870, 750_000, 4_277_125, 900_000, -1_612_255, 7_515),
    "phases": (10_330_000, 360_000, 7_623_000, 2_640_000, 427_000, 27_000),
    "by hand": (89_000_037_366_002, 4_289_700, 2_759_000_036_164_776, 7_341_300, -2_670_000_001_850_374, 83_732),
    "tables": (141_690, 23_425, 129_520, 25_630, 9_965, 825),
    "any order": (48_850, 5_500, 45_235, 6_600, 2_515, 310),
}


@pytest.fixture(scope="module")
def recording() -> dict[str, Part]:
    return read_recording(RECORDING)


@pytest.fixture(scope="module")
def facts(recording: dict[str, Part]) -> Facts:
    return {
        name: [
            (stream, kind, table, msgspec.json.decode(data))
            for turn in part.turns
            for stream in FACT_STREAMS.values()
            for kind, table, _, data in turn.found.get(stream, ())
        ]
        for name, part in recording.items()
    }


def test_every_type_of_event_occurs(recording: dict[str, Part], facts: Facts) -> None:
    found = {(stream, kind) for part in facts.values() for stream, kind, _, _ in part}
    for part in recording.values():
        for turn in part.turns:
            for stream, fields in turn.written:
                found.add((stream, dict(pairs_of(fields)).get("type", "")))
    assert {(stream, event.type) for stream, events in EVENTS.items() for event in events} - found == set()


def test_every_refusal_occurs_for_each_request_that_can_get_it(facts: Facts) -> None:
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for part in facts.values():
        for stream, kind, _, data in part:
            if kind == "request.refused":
                found[stream, data["reason"]].add(data["request_type"])
            elif kind == "bet.rejected":
                wager = "bet.place" if data["bettor_id"] else "bet.change" if data["bet"] else "bet.cancel"
                found["wagers", data["reason"]].add(wager)
    listed = {(stream, reason): types.split() for stream, of in REFUSED.items() for reason, types in of.items()}
    assert {key: sorted(types) for key, types in found.items()} == {key: sorted(types) for key, types in listed.items()}


def test_every_reject_occurs_on_every_stream_of_requests(recording: dict[str, Part]) -> None:
    rejects = [dict(pairs_of(fields)) for part in recording.values() for fields in part.found("rejects")]
    found = {(given["reason"], given["stream"]) for given in rejects}
    assert found == {(reason, stream) for reason in REJECTED for stream in REQUEST_STREAMS}


def pairs_of(fields: list[str]) -> Iterator[tuple[str, str]]:
    return zip(fields[::2], fields[1::2], strict=True)


@pytest.mark.parametrize(("kind", "field"), WORDS)
def test_every_word_of_a_fact_occurs(facts: Facts, kind: str, field: str) -> None:
    found = {data[field] for part in facts.values() for _, its, _, data in part if its == kind}
    assert set(WORDS[kind, field].split()) - found == set()


def rounds_of(facts: Facts, *names: str) -> Iterator[tuple[dict[str, Any], str, dict[str, Any]]]:
    """Each settlement of a round, with the house rules and the kind of shoe that its table has."""
    for name in names or facts:
        rules: dict[str, dict[str, Any]] = {}
        kinds: dict[str, str] = {}
        for _, kind, table, data in facts[name]:
            if kind in ("table.opened", "house_rules.changed"):
                rules[table] = data["house_rules"]
            elif kind == "shoe.started":
                kinds[table] = data["kind"]
            elif kind == "round.settled":
                yield rules[table], kinds[table], data


def test_every_shipped_house_set_is_played_with_each_kind_of_shoe(facts: Facts) -> None:
    found = {(rules["name"], kind) for rules, kind, _ in rounds_of(facts)}
    shipped = [path.stem for path in SHIPPED_DIRECTORY.glob("*.toml")]
    assert {(name, kind) for name in shipped for kind in ("physical", "virtual")} - found == set()


@pytest.mark.parametrize("field", CHOICES)
def test_rounds_are_played_under_every_choice_of_the_house_rules(facts: Facts, field: str) -> None:
    found = {rules[field] for rules, _, _ in rounds_of(facts)}
    assert set(CHOICES[field]) - found == set()


def test_approvals_and_tie_options_are_asked_for_one_by_one_and_all_together(facts: Facts) -> None:
    found = [rules for rules, _, _ in rounds_of(facts)]
    assert {len(rules["approval"]) for rules in found} >= {0, 6}
    assert {option for rules in found for option in rules["tie_options"]} == {
        "withdraw",
        "keep",
        "increase",
        "reduce",
        "switch",
    }
    assert {len(rules["tie_options"]) for rules in found} >= {1, 2, 3, 5}


def test_corrections_lead_from_every_result_to_every_other(facts: Facts) -> None:
    results: dict[tuple[str, str, int, int], list[str]] = defaultdict(list)
    for name in facts:
        for _, _, data in rounds_of(facts, name):
            place = (name, data["table"], data["shoe_number"], data["round_number"])
            results[place].append(data["result"] or "void")
    found = {pair for told in results.values() for pair in pairwise(told)}
    assert found == set(product(("player", "banker", "tie", "void"), repeat=2))
    assert max(len(told) for told in results.values()) > 6


@pytest.mark.parametrize("name", MONEY)
def test_the_money_is_what_was_counted_when_it_was_recorded(facts: Facts, name: str) -> None:
    last = {}
    for _, _, data in rounds_of(facts, name):
        last[data["table"], data["shoe_number"], data["round_number"]] = data
    fields = ("placed", "carried_in", "returned", "carried_out", "house", "commission")
    placed, carried_in, returned, carried_out, house, commission = (
        sum(data[f"{field}_minor"] for data in last.values()) for field in fields
    )
    assert (placed, carried_in, returned, carried_out, house, commission) == MONEY[name]
    assert placed + carried_in == returned + carried_out + house
