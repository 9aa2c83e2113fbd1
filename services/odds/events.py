"""In how many sequences each event happens that a floor counts: results, numbers of cards, naturals, pairs."""

from collections.abc import Callable, Mapping
from typing import Final

from services.odds.enumeration import RoundClass

EVENTS: Final[Mapping[str, Callable[[RoundClass], bool]]] = {
    "banker": lambda round_class: round_class.facts.result == "banker",
    "player": lambda round_class: round_class.facts.result == "player",
    "tie": lambda round_class: round_class.facts.result == "tie",
    "four_cards": lambda round_class: _cards(round_class) == 4,
    "five_cards": lambda round_class: _cards(round_class) == 5,
    "six_cards": lambda round_class: _cards(round_class) == 6,
    "natural": lambda round_class: round_class.natural,
    "player_pair": lambda round_class: round_class.facts.player_pair,
    "banker_pair": lambda round_class: round_class.facts.banker_pair,
    "both_pairs": lambda round_class: round_class.facts.player_pair and round_class.facts.banker_pair,
}


def count_events(ways_of: Mapping[RoundClass, int]) -> dict[str, int]:
    """The number of sequences for each event. Several events can happen in one round."""
    return {
        event: sum(ways for round_class, ways in ways_of.items() if shows(round_class))
        for event, shows in EVENTS.items()
    }


def _cards(round_class: RoundClass) -> int:
    return round_class.facts.player_cards + round_class.facts.banker_cards
