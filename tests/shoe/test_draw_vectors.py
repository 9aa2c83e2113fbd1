"""Twenty draws whose numbers nobody here computed: `tests/golden/draw.json`.

A script made them with the program openssl for every HMAC-SHA256 and SHA-256, and took each card out of a written list
of all cards. It shares nothing with the services. `out`: the cards that the shoe does not hold any more.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from schemas.cards import full_composition, without
from schemas.codec import Entry
from schemas.requests import RoundOpen
from services.shoe.draw import commitment_of, draw, draw_on, key_of
from services.shoe.seeds import seed_of_request

VECTORS: Final = json.loads((Path(__file__).parents[1] / "golden" / "draw.json").read_text(encoding="utf-8"))
NAMES: Final = [f"{vector['purpose']} {vector['entry_id']}" for vector in VECTORS]
# The seed does not look into what is said, only at the bytes.
_SAID: Final = RoundOpen(table="t", operator="d", shoe_number=1, round_number=1)


def unseen_of(vector: Any) -> tuple[int, ...]:
    unseen = full_composition(vector["decks"])
    for card in vector["out"]:
        unseen = without(unseen, card)
    return unseen


def key_made(vector: Any) -> bytes:
    fields = {name: vector[name] for name in ("pit", "table", "shoe_number", "round_number", "entry_id")}
    return key_of(bytes.fromhex(vector["master"]), vector["purpose"], **fields)


def test_there_are_twenty_of_them() -> None:
    assert len(VECTORS) == 20
    assert len({vector["key"] for vector in VECTORS}) == 20


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_the_key_and_its_commitment(vector: Any) -> None:
    key = key_made(vector)
    assert key.hex() == vector["key"]
    assert commitment_of(key) == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_the_cards(vector: Any) -> None:
    key, seed = bytes.fromhex(vector["key"]), bytes.fromhex(vector["seed"])
    unseen = unseen_of(vector)
    for number, card in enumerate(vector["cards"], start=1):
        assert draw(key, seed, number, unseen) == card
        unseen = without(unseen, card)
    assert list(draw_on(key, seed, (), len(vector["cards"]), unseen_of(vector))) == vector["cards"]


@pytest.mark.parametrize("vector", [vector for vector in VECTORS if "request" in vector])
def test_the_seed_of_a_request(vector: Any) -> None:
    asked = vector["request"]
    place = {name: asked[name] for name in ("stream", "entry_id", "source", "id", "type")}
    entry = Entry(**place, event=_SAID, data=asked["data"].encode())
    assert seed_of_request(entry) == vector["seed"]
