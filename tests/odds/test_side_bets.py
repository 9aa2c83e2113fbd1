"""Side bets as data against what is published about them (M. Shackleford's tables, E. Jacobson's analyses)."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from schemas.house_rules import read_house_file
from services.odds.document import percent
from services.odds.enumeration import count_sequences
from tests.odds.brute_force import by_rank, count
from tests.odds.houses import SIDE_BETS, odds_of

SIDE_BETS_FILE = Path(__file__).parents[1] / "data/house/side-bets.toml"

WAYS = [
    ("lucky_6", {"12": 186_173_936_904_192, "20": 83_058_367_551_488}),
    ("small_6", {"22": 186_173_936_904_192}),
    ("big_6", {"50": 83_058_367_551_488}),
    ("dragon_7", {"40": 112_633_011_329_024}),
    ("panda_8", {"25": 172_660_763_262_976}),
    ("four_cards", {"3/2": 1_893_735_611_458_560}),
    ("five_cards", {"2": 1_516_734_808_780_800}),
    ("six_cards", {"2": 1_587_927_855_264_000}),
]


@pytest.mark.parametrize(("bet", "win_ways"), WAYS)
def test_with_eight_decks_a_side_bet_wins_in_the_published_number_of_ways(bet: str, win_ways: dict[str, int]) -> None:
    found = odds_of(SIDE_BETS, 8)[bet]
    assert {str(net_odds): ways for net_odds, ways in found.win_ways.items()} == win_ways
    assert found.push_ways == 0, "a tie loses it"
    assert found.lose_ways == 4_998_398_275_503_360 - sum(win_ways.values())


EDGES = [
    (8, "lucky_6", "16.6836"),
    (8, "lucky_6_las_vegas", "11.6985"),
    (8, "small_6", "14.33"),
    (8, "big_6", "15.2533"),
    (8, "dragon_7", "7.6113"),
    (8, "panda_8", "10.1876"),
    (8, "perfect_pair", "13.0294"),
    (6, "perfect_pair", "17.0716"),
    (8, "perfect_pairs", "6.6235"),
    (8, "four_cards", "5.283"),
]


@pytest.mark.parametrize(("decks", "bet", "published"), EDGES)
def test_the_house_keeps_the_published_part_of_a_side_bet(decks: int, bet: str, published: str) -> None:
    # As many decimals as were published.
    decimals = len(published.partition(".")[2])
    house_edge = odds_of(SIDE_BETS, decks)[bet].house_edge * 100
    assert f"{float(house_edge):.{decimals}f}" == published


def test_perfect_pairs_are_dealt_in_the_published_part_of_all_ways() -> None:
    # Of 416 · 415 / 2 × 414 · 413 / 2 pairs of hands.
    bets, total = odds_of(SIDE_BETS, 8), count_sequences(8)
    either = bets["perfect_pair"].win_ways
    one_or_both = bets["perfect_pairs"].win_ways
    assert {odds: Fraction(ways, total) for odds, ways in either.items()} == {
        25: Fraction(246_848_784, 7_379_583_120),
    }
    assert {odds: Fraction(ways, total) for odds, ways in one_or_both.items()} == {
        25: Fraction(244_747_776, 7_379_583_120),
        250: Fraction(2_101_008, 7_379_583_120),
    }


@pytest.mark.parametrize(("decks", "chance"), [(2, (1, 103)), (8, (7, 415)), (12, (11, 623))])
def test_one_hand_s_perfect_pair_is_the_chance_of_the_same_card_again(decks: int, chance: tuple[int, int]) -> None:
    won = odds_of(SIDE_BETS, decks)["player_perfect_pair"].win_ways
    assert {odds: Fraction(ways, count_sequences(decks)) for odds, ways in won.items()} == {25: Fraction(*chance)}


def test_one_deck_holds_no_perfect_pair() -> None:
    for name in ("perfect_pair", "perfect_pairs", "player_perfect_pair"):
        bet = odds_of(SIDE_BETS, 1)[name]
        assert (bet.win_ways, bet.push_ways, bet.lose_ways) == ({}, 0, count_sequences(1))
        assert percent(bet.house_edge) == "100.0000"


# Player's total, Banker's, Player's number of cards, Banker's. No figure is published.
Wins = Callable[[int, int, int, int], bool]
UNPUBLISHED: list[tuple[str, dict[int, Wins]]] = [
    (
        "lucky_7",
        {
            6: lambda player, banker, cards, _: player == 7 and banker < 7 and cards == 2,
            15: lambda player, banker, cards, _: player == 7 and banker < 7 and cards == 3,
        },
    ),
    (
        "super_lucky_7",
        {
            30: lambda *seen: seen == (7, 6, 2, 2),
            40: lambda *seen: seen in ((7, 6, 3, 2), (7, 6, 2, 3)),
            100: lambda *seen: seen == (7, 6, 3, 3),
        },
    ),
]


@pytest.mark.parametrize(("name", "wins"), UNPUBLISHED)
def test_on_one_deck_a_side_bet_of_a_house_file_wins_as_brute_force_says(name: str, wins: dict[int, Wins]) -> None:
    rules, _ = read_house_file(SIDE_BETS_FILE)
    dealt = count(by_rank(1), lambda _: True, lambda _: True)
    expected = {odds: sum(ways for seen, ways in dealt.items() if won(*seen)) for odds, won in wins.items()}
    assert all(expected.values())
    assert odds_of(rules, 1)[name].win_ways == expected
