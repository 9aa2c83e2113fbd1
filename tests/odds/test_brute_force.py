"""Every class of rounds, with one deck to twelve, against rounds dealt card by card by other code."""

from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from services.settlement.money import HandFacts
from tests.odds.brute_force import Alike, Totals, Two, by_card, by_rank, count
from tests.odds.houses import classes_of


def anything(_: Two) -> bool:
    return True


def pair(cards: Two) -> bool:
    return cards[0][0] == cards[1][0]


def perfect(cards: Two) -> bool:
    return cards[0] == cards[1]


Deck = Callable[[int], Mapping[str, int]]

QUESTIONS: list[tuple[Deck, Alike, Alike]] = [
    (by_rank, anything, anything),
    (by_rank, pair, anything),
    (by_rank, anything, pair),
    (by_rank, pair, pair),
    (by_card, pair, perfect),
    (by_card, perfect, pair),
    (by_card, perfect, perfect),
]


def is_dealt(facts: HandFacts, player: Alike, banker: Alike) -> bool:
    of_player = {anything: True, pair: facts.player_pair, perfect: facts.player_perfect_pair}
    of_banker = {anything: True, pair: facts.banker_pair, perfect: facts.banker_perfect_pair}
    return of_player[player] and of_banker[banker]


@pytest.mark.parametrize("decks", [1, 2, 12])
@pytest.mark.parametrize(
    ("deck", "player", "banker"),
    QUESTIONS,
    ids=[f"{player.__name__}-{banker.__name__}" for _, player, banker in QUESTIONS],
)
def test_brute_force_counts_the_same(decks: int, deck: Deck, player: Alike, banker: Alike) -> None:
    found: Counter[Totals] = Counter()
    for (facts, _), ways in classes_of(decks).items():
        if is_dealt(facts, player, banker):
            found[facts.player_total, facts.banker_total, facts.player_cards, facts.banker_cards] += ways
    assert found == count(deck(decks), player, banker)


def test_results_follow_the_totals_and_naturals_the_first_two_cards() -> None:
    for facts, natural in classes_of(2):
        higher = {True: "player", False: "banker"}[facts.player_total > facts.banker_total]
        assert facts.result == ("tie" if facts.player_total == facts.banker_total else higher)
        four_cards = (facts.player_cards, facts.banker_cards) == (2, 2)
        assert natural == (four_cards and max(facts.player_total, facts.banker_total) in (8, 9))
