"""The exact counts of eight decks, from published tables, against the production drawing rules."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import perm

import pytest

from schemas.cards import RANKS, is_pair
from services.rules import tableau
from tests.rules.counting import DECKS, TOTAL, count_classes, count_every_deal
from tests.rules.test_tableau import BANKER_CELLS, PLAYER

SEQUENCES = 4_998_398_275_503_360
PLAYER_PAIR = 373_374_329_013_504
BOTH_PAIRS = 27_894_653_699_328
KNOWN = {
    "banker": 2_292_252_566_437_888,
    "player": 2_230_518_282_592_256,
    "tie": 475_627_426_473_216,
    "4 cards": 1_893_735_611_458_560,
    "5 cards": 1_516_734_808_780_800,
    "6 cards": 1_587_927_855_264_000,
    "natural": 1_714_696_016_515_584,
    "banker wins with 6, 2 cards": 186_173_936_904_192,
    "banker wins with 6, 3 cards": 83_058_367_551_488,
}


def test_every_deal_of_eight_decks_ends_as_often_as_published() -> None:
    assert count_every_deal() == Counter(KNOWN)
    assert TOTAL == SEQUENCES


def test_the_results_and_the_numbers_of_cards_each_add_up_to_all_sequences() -> None:
    assert KNOWN["banker"] + KNOWN["player"] + KNOWN["tie"] == SEQUENCES
    assert KNOWN["4 cards"] + KNOWN["5 cards"] + KNOWN["6 cards"] == SEQUENCES


def test_pairs_come_as_often_as_published() -> None:
    one = both = 0
    for ranks in product(RANKS, repeat=4):
        left, ways = Counter(dict.fromkeys(RANKS, 4 * DECKS)), 1
        for rank in ranks:
            ways *= left[rank]
            left[rank] -= 1
        # Player's and Banker's cards alternate; the suits are in the weights.
        player_pair, banker_pair = is_pair((ranks[0] + "S", ranks[2] + "H")), is_pair((ranks[1] + "S", ranks[3] + "H"))
        one += ways * player_pair
        both += ways * (player_pair and banker_pair)
    cards_behind = perm(52 * DECKS - 4, 2)
    assert one * cards_behind == PLAYER_PAIR
    assert both * cards_behind == BOTH_PAIRS


def percent(edge: Fraction) -> str:
    """With four decimals, in whole numbers: no float takes part."""
    ten_thousandths = round(edge * 100 * 10_000)
    return f"{ten_thousandths // 10_000}.{ten_thousandths % 10_000:04d}"


@pytest.mark.parametrize(
    ("bet", "lost_minus_won", "edge_percent"),
    [
        ("banker", KNOWN["player"] - Fraction(95, 100) * KNOWN["banker"], "1.0579"),
        ("player", KNOWN["banker"] - KNOWN["player"], "1.2351"),
        ("tie", SEQUENCES - KNOWN["tie"] - 8 * KNOWN["tie"], "14.3596"),
        ("pair", SEQUENCES - PLAYER_PAIR - 11 * PLAYER_PAIR, "10.3614"),
        (
            "banker without commission, 6 pays half",
            KNOWN["player"]
            - KNOWN["banker"]
            + Fraction(1, 2) * (KNOWN["banker wins with 6, 2 cards"] + KNOWN["banker wins with 6, 3 cards"]),
            "1.4581",
        ),
    ],
)
def test_the_house_edge_is_as_published(bet: str, lost_minus_won: Fraction | int, edge_percent: str) -> None:
    assert percent(Fraction(lost_minus_won) / SEQUENCES) == edge_percent, bet


def test_counting_by_classes_is_counting_every_deal() -> None:
    assert count_classes() == Counter(KNOWN)


@pytest.mark.parametrize(("banker_total", "player_third", "draws"), BANKER_CELLS)
def test_a_flipped_cell_of_bankers_changes_the_counts(
    banker_total: int, player_third: int | None, *, draws: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    column = 10 if player_third is None else player_third
    rows = [list(row) for row in tableau.BANKER_DRAWS]
    assert rows[banker_total][column] is draws
    rows[banker_total][column] = not draws
    monkeypatch.setattr(tableau, "BANKER_DRAWS", rows)
    assert_counts_differ()


@pytest.mark.parametrize(("player_total", "draws"), PLAYER)
def test_a_flipped_cell_of_players_changes_the_counts(
    player_total: int, *, draws: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    column = list(tableau.PLAYER_DRAWS)
    assert column[player_total] is draws
    column[player_total] = not draws
    monkeypatch.setattr(tableau, "PLAYER_DRAWS", column)
    assert_counts_differ()


def assert_counts_differ() -> None:
    """Both what the cards come to and how many there are: two published numbers would have to agree by chance."""
    counts = count_classes()
    assert any(counts[result] != KNOWN[result] for result in ("banker", "player", "tie"))
    assert any(counts[cards] != KNOWN[cards] for cards in ("4 cards", "5 cards", "6 cards"))
