"""Article 3: the house may change the shoe after any round, and a shoe's end counts its cards."""

import pytest

from schemas import facts
from tests.shoe.physical import DECK
from tests.shoe.table import Table, assert_counts_are_whole, house_rules, reason, types
from tests.shoe.tables import betting, loaded, unsettled


@pytest.mark.parametrize("rounds", range(6))
def test_the_shoe_is_changed_after_any_round(rounds: int) -> None:
    table = loaded()
    for number in range(1, rounds + 1):
        table.play_round(number)
    assert types(table.end_shoe()) == ["shoe.ended"]
    end = assert_counts_are_whole(table)
    assert (end.reason, end.rounds) == ("worn", rounds)
    assert types(table.load(number=2)) == ["shoe.started"]


def test_the_shoe_is_not_changed_while_a_round_is_played() -> None:
    for given in (betting, unsettled):
        assert reason(given().end_shoe()) == "round_running"


def end_of_a_physical_shoe(*, burned: int = 0, **fields: object) -> facts.ShoeEnded:
    """One round of four cards, with one burned before it, is played."""
    table = Table(house_rules(**fields))
    table.open()
    table.load("physical", burned=burned)
    table.open_round(1, burn=1)
    table.close_betting(1)
    table.scan_all(burned + 2, *DECK[:4])
    table.decide_round(1, 4)
    table.settle(1)
    (end,) = table.end_shoe()
    assert isinstance(end, facts.ShoeEnded)
    return end


def test_the_end_of_a_physical_shoe_says_which_cards_nobody_read() -> None:
    end = end_of_a_physical_shoe(burned=3)
    assert end.missing == dict.fromkeys(DECK[4:], 1)
    assert sum(end.missing.values()) == end.left + end.burned_unseen == 44 + 4


def test_the_end_of_a_physical_shoe_of_two_decks_counts_the_copies() -> None:
    missing = end_of_a_physical_shoe(decks=2).missing
    assert [missing[card] for card in ("AC", "4C", "5C", "KS")] == [1, 1, 2, 2]


def test_a_virtual_shoe_misses_no_cards() -> None:
    table = loaded()
    (end,) = table.end_shoe()
    assert isinstance(end, facts.ShoeEnded)
    assert end.missing == {}
