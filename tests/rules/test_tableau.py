"""Article 9 cell by cell, written by hand from the regulation: the code's own table is what is tested."""

import pytest

from services.rules.tableau import is_natural, side_to_draw

# Banker's total, then what Banker does (d draws, - stands) when Player's third card counts 0 to 9, then Player stood.
BANKER = """
0  d d d d d d d d d d  d
1  d d d d d d d d d d  d
2  d d d d d d d d d d  d
3  d d d d d d d d - d  d
4  - - d d d d d d - -  d
5  - - - - d d d d - -  d
6  - - - - - - d d - -  -
7  - - - - - - - - - -  -
"""

PLAYER = ((0, True), (1, True), (2, True), (3, True), (4, True), (5, True), (6, False), (7, False))


BANKER_CELLS = [
    (int(line[0]), column if column < 10 else None, cell == "d")
    for line in BANKER.strip().splitlines()
    for column, cell in enumerate(line.split()[1:])
]


def banker_draws(banker_total: int, player_third: int | None) -> bool:
    """Player 6 stands; Player 2 draws."""
    player = (0, 6) if player_third is None else (1, 1, player_third)
    return side_to_draw(player, (0, banker_total)) == "banker"


def test_the_table_by_hand_has_all_88_cells_of_which_57_draw() -> None:
    assert len({cell[:2] for cell in BANKER_CELLS}) == 88
    assert sum(draws for _, _, draws in BANKER_CELLS) == 3 * 11 + 10 + 7 + 5 + 2


@pytest.mark.parametrize(("banker_total", "player_third", "draws"), BANKER_CELLS)
def test_banker_draws_as_the_regulation_prints(banker_total: int, player_third: int | None, *, draws: bool) -> None:
    assert banker_draws(banker_total, player_third) is draws


@pytest.mark.parametrize(("player_total", "draws"), PLAYER)
def test_player_draws_on_five_and_less(player_total: int, *, draws: bool) -> None:
    assert (side_to_draw((0, player_total), (0, 7)) == "player") is draws


@pytest.mark.parametrize(("player_total", "draws"), PLAYER)
def test_player_looks_at_its_total_and_not_at_bankers(player_total: int, *, draws: bool) -> None:
    for banker_total in range(8):
        assert (side_to_draw((0, player_total), (0, banker_total)) == "player") is draws


@pytest.mark.parametrize("natural", [8, 9])
@pytest.mark.parametrize("other", range(10))
def test_nobody_draws_against_a_natural(natural: int, other: int) -> None:
    assert side_to_draw((0, natural), (0, other)) is None
    assert side_to_draw((0, other), (0, natural)) is None
    assert is_natural((0, natural), (0, other))
    assert is_natural((0, other), (0, natural))


@pytest.mark.parametrize(
    ("player", "banker", "natural"),
    [
        ((0, 7), (0, 7), False),
        ((4, 4), (2, 3), True),
        ((2, 3), (4, 4), True),
        ((9, 9), (0, 0), True),  # 18 counts 8
        ((9, 8), (0, 0), False),  # 17 counts 7
        ((2, 2, 5), (0, 7), False),  # 9 on three cards
        ((0, 6), (0, 2, 6), False),  # 8 on three cards
    ],
)
def test_a_natural_is_eight_or_nine_on_two_cards(
    player: tuple[int, ...], banker: tuple[int, ...], *, natural: bool
) -> None:
    assert is_natural(player, banker) is natural


def test_nobody_draws_after_bankers_third_card() -> None:
    assert side_to_draw((0, 6), (0, 0, 0)) is None
    assert side_to_draw((0, 0, 0), (0, 0, 0)) is None
