"""Each stored sample against its event class and its generated JSON Schema: what was once written stays readable."""

import json
from typing import Any, Final

import msgspec
import pytest
from jsonschema import Draft202012Validator

from schemas.documents import DIRECTORY
from tests.documents.samples import CLASSES, SAMPLES, FieldPath, fields, with_other_types, without

# What a writer may leave out, as the tables of the wire say; every other field is required.
OPTIONAL: Final = {
    "table.open": {"approved_by", "layouts", "seats", "gaming_day"},
    "table.close": {"approved_by"},
    "shoe.load": {"approved_by", "deck_set", "burned"},
    "shoe.end": {"approved_by"},
    "round.open": {"approved_by", "burn", "demonstration"},
    "betting.close": {"approved_by"},
    "round.void": {"approved_by", "next_ordinal"},
    "card.open": {"approved_by", "opened_by"},
    "holder.pass": {"approved_by"},
    "seat.take": {"approved_by"},
    "seat.leave": {"approved_by"},
    "limits.set": {"approved_by"},
    "house_rules.change": {"approved_by"},
    "card.correct": {"approved_by", "cards"},
    "damage.report": {"approved_by", "card_number"},
    "settlement.adjust": {"approved_by"},
    "table.hold": {"approved_by"},
    "table.release": {"approved_by"},
    "key.lost": {"approved_by"},
    "card.scan": {"face_up"},
    "bet.place": {"seat"},
    "shoe.started": {"key"},
    "round.opened": {"commitment"},
    "round.ended": {"key"},
    "round.voided": {"player_pair", "banker_pair", "key"},
    "betting.closed": {"player_seats", "banker_seats"},
    "shoe.ended": {"missing"},
}
REQUIRED_IN_HOUSE_RULES: Final = {"name", "version", "authorisation", "regulation", "bets"}
OPTIONAL_IN_LIMITS: Final = {"differential_limit_minor", "max_stakes", "total_minor"}

TYPES: Final = sorted(SAMPLES)


def validator(event_type: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((DIRECTORY / "json" / f"{event_type}.json").read_text("utf-8")))


def decodes(event_type: str, data: Any) -> bool:
    try:
        msgspec.json.decode(json.dumps(data), type=CLASSES[event_type])
    except msgspec.ValidationError:
        return False
    return True


def is_optional(event_type: str, path: FieldPath) -> bool:
    match path:
        case (name,):
            return name in OPTIONAL.get(event_type, ())
        case ("house_rules", "bets", _, "condition", _):
            return True  # a condition names what has to hold
        case ("missing", _):
            return True  # the cards of which some are
        case ("house_rules", name):
            return name not in REQUIRED_IN_HOUSE_RULES
        case ("limits", "bets", _):
            return True  # a bet that is not named is not offered
        case ("totals", _):
            return True  # the bets that somebody staked on
        case ("limits", *_, name):
            return name in OPTIONAL_IN_LIMITS
        case _:
            return False


def removable(event_type: str, *, optional: bool) -> list[FieldPath]:
    return [
        path
        for path in fields(SAMPLES[event_type])
        if isinstance(path[-1], str) and is_optional(event_type, path) == optional
    ]


def test_every_type_of_event_has_a_sample_and_every_sample_is_of_a_type() -> None:
    assert SAMPLES.keys() == CLASSES.keys()


@pytest.mark.parametrize("event_type", TYPES)
def test_a_sample_has_every_field_of_its_event(event_type: str) -> None:
    assert tuple(SAMPLES[event_type]) == CLASSES[event_type].__struct_fields__


@pytest.mark.parametrize("event_type", TYPES)
def test_a_sample_decodes_and_encodes_to_itself(event_type: str) -> None:
    event = msgspec.json.decode(json.dumps(SAMPLES[event_type]), type=CLASSES[event_type])
    assert json.loads(msgspec.json.encode(event)) == SAMPLES[event_type]


@pytest.mark.parametrize("event_type", TYPES)
def test_a_sample_satisfies_its_schema(event_type: str) -> None:
    schema = validator(event_type)
    schema.check_schema(schema.schema)
    schema.validate(SAMPLES[event_type])


@pytest.mark.parametrize("event_type", TYPES)
def test_no_required_field_can_be_left_out(event_type: str) -> None:
    schema, paths = validator(event_type), removable(event_type, optional=False)
    assert ("table",) in paths
    for path in paths:
        spoiled = without(SAMPLES[event_type], path)
        assert not schema.is_valid(spoiled), path
        assert not decodes(event_type, spoiled), path


@pytest.mark.parametrize("event_type", TYPES)
def test_every_optional_field_can_be_left_out(event_type: str) -> None:
    schema = validator(event_type)
    for path in removable(event_type, optional=True):
        shorter = without(SAMPLES[event_type], path)
        schema.validate(shorter)
        assert decodes(event_type, shorter), path


@pytest.mark.parametrize("event_type", TYPES)
def test_no_field_takes_another_json_type(event_type: str) -> None:
    schema = validator(event_type)
    for path in fields(SAMPLES[event_type]):
        for spoiled in with_other_types(SAMPLES[event_type], path):
            assert not schema.is_valid(spoiled), (path, spoiled)
            assert not decodes(event_type, spoiled), (path, spoiled)


@pytest.mark.parametrize("event_type", TYPES)
def test_a_field_that_is_new_to_a_reader_is_passed_over(event_type: str) -> None:
    newer = SAMPLES[event_type] | {"a_field_of_tomorrow": [1]}
    validator(event_type).validate(newer)
    assert decodes(event_type, newer)


def test_the_books_of_the_samples_balance() -> None:
    books = SAMPLES["round.settled"]
    assert books["placed_minor"] + books["carried_in_minor"] == (
        books["returned_minor"] + books["carried_out_minor"] + books["house_minor"]
    )


def test_the_cards_of_the_samples_add_up_to_eight_decks() -> None:
    shoe = SAMPLES["shoe.ended"]
    assert sum(shoe[name] for name in ("dealt", "burned_seen", "burned_unseen", "surplus", "left")) == 8 * 52
