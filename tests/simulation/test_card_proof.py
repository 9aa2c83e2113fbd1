"""Every card of whole virtual shoes is proven from the streams, by a checker that shares no code with the services."""

import json
from typing import Any, Final

import pytest

from schemas.cards import CARDS
from tests.card_proof import Proof, texts
from tests.keys import key_from
from tests.simulation.floor import Floor
from tests.simulation.pit import NAME
from tests.simulation.test_properties import limits_of, rules_of

NO_SHOE: Final[dict[str, Any]] = {
    "cut_card_depth": 0,
    "burn": "none",
    "burn_each_round": 0,
    "demonstration_rounds": 0,
    "holding": False,
}
# Each way of dealing, and the fewest cards that its rounds must have.
DEALING: Final[dict[str, tuple[dict[str, Any], int]]] = {
    "a whole shoe of eight decks": ({"decks": 8, "burn": "first_card"}, 380),
    "burned unseen, and before each round": ({"decks": 6, "burn": "deck_count", "burn_each_round": 1}, 200),
    "cards held face down": ({"decks": 2, "burn": "fixed", "burn_fixed": 3, "holding": True}, 80),
    "one deck": ({"decks": 1, "burn": "none", "cut_card_depth": 14}, 30),
    "a continuous shuffler": ({"decks": 8, "dealing": "continuous_shuffler", **NO_SHOE}, 200),
    "shuffled every round": ({"decks": 1, "dealing": "shuffle_every_round", **NO_SHOE}, 200),
}


def played(fields: dict[str, Any], seed: int, rounds: int = 100) -> Floor:
    """A table whose first shoe is played to its end, with a void round now and then, or so many rounds."""
    floor = Floor({"test": (rules_of("test", fields), "0" * 64)}, "test", limits_of(0, 6), "virtual", seed)
    for number in range(rounds):
        if floor.dealer.shoe_number and not floor.dealer.shoe_in_play:
            break
        if number % 7 == 3:
            floor.advance(1 + number % 5)
            floor.ask(floor.dealer.void(), again=False)
        floor.deal(bets=2)
    return floor


def proof_of(floor: Floor, seed: int) -> Proof:
    """A proof of all that stands in the floor's streams."""
    streams = {name: texts(entries) for name, entries in floor.pit.streams.items() if name != "rejects"}
    return Proof(NAME, streams, [key_from(str(seed)).secret])


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", DEALING)
def test_every_card_is_the_one_that_key_and_seed_give(name: str, seed: int) -> None:
    fields, cards_min = DEALING[name]
    floor = played(fields, seed)
    proof = proof_of(floor, seed).check()
    assert proof.not_proven == []
    assert proof.proven_cards >= cards_min
    assert proof.proven_rounds == len([name for fact in floor.reader.ends.values() for name in fact])


def spoiled(floor: Floor, event_type: str, **fields: Any) -> bool:
    """Put other data into the last fact of this type; whether there was one."""
    entries = floor.pit.streams["cards"]
    for index in reversed(range(len(entries))):
        entry_id, pairs = entries[index]
        if event_type.encode() in pairs:
            at = pairs.index(b"data") + 1
            data = json.dumps({**json.loads(pairs[at]), **fields}).encode()
            entries[index] = (entry_id, [*pairs[:at], data, *pairs[at + 1 :]])
            return True
    return False


@pytest.mark.parametrize(
    ("event_type", "field"), [("card.dealt", "card"), ("round.opened", "commitment"), ("round.ended", "key")]
)
def test_a_fact_that_says_something_else_is_found(event_type: str, field: str) -> None:
    floor = played(DEALING["one deck"][0], 3, rounds=2)
    (last,) = [json.loads(f["data"]) for _, f in texts(floor.pit.streams["cards"]) if f["type"] == event_type][-1:]
    other = CARDS[CARDS.index(last[field]) - 1] if field == "card" else "ab" * 32
    assert spoiled(floor, event_type, **{field: other})
    with pytest.raises(AssertionError):
        proof_of(floor, 3).check()


def test_a_key_that_is_made_from_no_master_key_is_found() -> None:
    floor = played(DEALING["one deck"][0], 4, rounds=2)
    with pytest.raises(AssertionError, match="made from no master key"):
        proof_of(floor, 5).check()
