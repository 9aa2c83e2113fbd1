"""What the tests of other engines assert; each line of the file names its repository and commit."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from services.rules.tableau import side_to_draw
from tests.rules.drive import deal_order, play

LINES = (Path(__file__).parents[1] / "data" / "hands_of_other_engines.jsonl").read_text().splitlines()
FACTS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
HANDS = [fact for fact in FACTS if fact["kind"] != "banker_draw"]
BANKER_DRAWS = [fact for fact in FACTS if fact["kind"] == "banker_draw"]
# One of them gives ranks alone.
SUIT_WHERE_NONE = "S"


def test_every_fact_names_its_source_and_is_tested() -> None:
    assert all(re.search(r" @[0-9a-f]{7}", fact["source"]) for fact in FACTS)
    assert (len(HANDS), len(BANKER_DRAWS)) == (9, 48)


@pytest.mark.parametrize("fact", BANKER_DRAWS, ids=lambda fact: f"{fact['banker_total']}-{fact['player_third_value']}")
def test_banker_draws_as_in_other_engines(fact: dict[str, Any]) -> None:
    third = fact["player_third_value"]
    player = (0, 6) if third is None else (0, 0, third)
    assert (side_to_draw(player, (0, fact["banker_total"])) == "banker") is fact["expected"]


@pytest.mark.parametrize("fact", HANDS, ids=lambda fact: fact["source"].split("/")[0])
def test_hands_end_as_in_other_engines(fact: dict[str, Any]) -> None:
    hands = [
        [card if len(card) == 2 else card + SUIT_WHERE_NONE for card in fact[side]] for side in ("player", "banker")
    ]
    _, decided = play(fact.get("deal_order") or deal_order(*hands))
    assert [list(decided.player_cards), list(decided.banker_cards)] == hands
    found = {
        "result": {"player": "P", "banker": "B", "tie": "T"}[decided.result],
        "player_cards": len(decided.player_cards),
        "banker_cards": len(decided.banker_cards),
        "cards_used": decided.through,
        "player_total": decided.player_total,
        "banker_total": decided.banker_total,
        "pairs": "P" * decided.player_pair + "B" * decided.banker_pair,
        "third_cards": "".join((*decided.player_cards[2:], *decided.banker_cards[2:])),
        # This engine calls two naturals that tie none; the regulation does not.
        "natural": "none" if decided.result == "tie" else decided.result,
    }
    expected = {name: value for name, value in fact["expected"].items() if name != "note"}
    assert {name: found[name] for name in expected} == expected
