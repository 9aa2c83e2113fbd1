"""Virtual shoes played to their end by article 9: every card is counted once."""

from typing import Any

import pytest

from schemas import facts
from schemas.cards import POINTS
from schemas.house_rules import SHIPPED_DIRECTORY, read_house_rules
from tests.shoe.table import Table, assert_counts_are_whole, house_rules
from tests.shoe.virtual import loaded


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "fields",
    [
        {"decks": 1},
        {"decks": 2, "burn": "first_card", "rounds_after_cut_card": 0},
        {"decks": 2, "burn": "first_card", "cut_card_first_counts": "last", "burn_includes_indicator": False},
        {"decks": 6, "burn": "deck_count", "burn_each_round": 1},
        {"decks": 8, "burn": "fixed", "burn_fixed": 8},
    ],
)
def test_a_whole_shoe_is_played_to_its_end(fields: dict[str, Any], seed: int) -> None:
    table = Table(house_rules(**fields), seed=seed)
    table.open()
    table.load()
    number = 0
    while not table.of(facts.ShoeEnded):
        number += 1
        table.play_round(number)
    ended = assert_counts_are_whole(table, fields["decks"])
    assert ended.reason == "cut_card"
    assert ended.rounds == number
    (reached,) = table.of(facts.CutCardReached)
    assert reached.last_round == number
    assert [opened.last_round for opened in table.of(facts.RoundOpened)][:-1] == [False] * (number - 1)
    assert [opened.cards_left for opened in table.of(facts.RoundOpened)][-1] >= 6
    assert table.state.unseen == (fields["decks"],) * 52


def test_the_next_shoe_is_played_from_all_cards_again() -> None:
    table = Table(house_rules(decks=1))
    table.open()
    for shoe in (1, 2, 3):
        table.load(number=shoe)
        number = 0
        while len(table.of(facts.ShoeEnded)) < shoe:
            number += 1
            table.play_round(number, shoe)
        assert_counts_are_whole(table)


@pytest.mark.parametrize("name", sorted(read_house_rules(SHIPPED_DIRECTORY)))
def test_every_shipped_rule_set_plays(name: str) -> None:
    table = Table(read_house_rules(SHIPPED_DIRECTORY)[name][0])
    table.open()
    table.load()
    for number in range(1, 100):
        table.play_round(number)
        if table.of(facts.ShoeEnded):
            break
    has_end = table.rules.dealing == "shoe"
    assert bool(table.of(facts.ShoeEnded)) == has_end
    if has_end:
        assert_counts_are_whole(table, table.rules.decks)
        assert number > 60


@pytest.mark.parametrize("dealing", ["continuous_shuffler", "shuffle_every_round"])
def test_a_shuffler_starts_each_round_from_all_cards(dealing: str) -> None:
    """Fifty rounds from one deck: the same card comes again in another round, never in the same one."""
    table = loaded(dealing=dealing, cut_card_depth=0)
    for number in range(1, 51):
        table.play_round(number)
        hands = table.hands(number)
        assert len(set(hands["player"] + hands["banker"])) == len(hands["player"] + hands["banker"])
    dealt = table.of(facts.CardDealt)
    assert len({card.card for card in dealt}) == 52
    assert [card.card_number for card in dealt] == list(range(1, len(dealt) + 1))
    assert {opened.cards_left for opened in table.of(facts.RoundOpened)} == {52}
    (ended,) = table.end_shoe()
    assert isinstance(ended, facts.ShoeEnded)
    assert (ended.rounds, ended.dealt, ended.left) == (50, len(dealt), 52)


def test_a_shoe_with_too_few_cards_for_a_round_ends_without_its_cut_card() -> None:
    """Burns asked for may eat the cards that the cut card kept for one more round."""
    table = loaded()
    table.play_round(1, burn=41, cards=6)
    (reached,) = table.of(facts.CutCardReached)
    assert reached.last_round == 2
    ended = assert_counts_are_whole(table)
    assert (ended.reason, ended.rounds, ended.left) == ("too_few_cards", 1, 5)


@pytest.mark.parametrize(("cards", "ends"), [(5, False), (6, True)])
def test_a_standing_burn_needs_its_cards_too(cards: int, ends: bool) -> None:
    """Two burned cards and six to play with: eight must be left."""
    table = loaded(burn_each_round=2, cut_card_depth=16)
    table.play_round(1, burn=37, cards=cards)
    assert bool(table.of(facts.ShoeEnded)) == ends


def test_points_in_the_facts_are_those_of_the_cards() -> None:
    table = loaded()
    table.play_round(1)
    assert all(card.points == POINTS[card.card] for card in table.of(facts.CardDealt))
