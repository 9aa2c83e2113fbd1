"""The mistakes that others made: third cards, naturals, pairs and the order of the first four cards."""

import pytest

from tests.rules.drive import deal_order, dealt, opened, play, step, steps


@pytest.mark.parametrize(
    ("player", "banker", "draws", "result", "totals"),
    [
        # Banker 6 looks at Player's third card and not at its total.
        (["2S", "2H", "6C"], ["KH", "6D", "AS"], ["player", "banker"], "banker", (0, 7)),
        (["KS", "5H", "AC"], ["KH", "6D"], ["player"], "tie", (6, 6)),
        (["KS", "2H", "5C"], ["KH", "6D"], ["player"], "player", (7, 6)),
        # A ten as third card counts 0: Banker 4 stands.
        (["2S", "3H", "TC"], ["KH", "4D"], ["player"], "player", (5, 4)),
        (["2S", "3H", "KC"], ["KH", "4D"], ["player"], "player", (5, 4)),
        # Player 6 stands, Banker 5 draws.
        (["KS", "6H"], ["2H", "3D", "4C"], ["banker"], "banker", (6, 9)),
        # Banker 2 draws an ace: 3, and that is the end.
        (["KS", "6H"], ["KH", "2D", "AC"], ["banker"], "player", (6, 3)),
        (["2S", "3H", "8C"], ["KH", "2D", "AC"], ["player", "banker"], "tie", (3, 3)),
        # 4+4 against 2+3: nobody draws.
        (["4S", "4H"], ["2H", "3D"], [], "player", (8, 5)),
        (["2S", "3H"], ["4H", "4D"], [], "banker", (5, 8)),
        # Eight against eight: naturals, and a tie is no loss.
        (["KS", "8H"], ["AH", "7D"], [], "tie", (8, 8)),
        # Nine beats eight.
        (["KS", "8H"], ["AH", "8D"], [], "banker", (8, 9)),
        # Banker 3 draws against everything but an 8.
        (["2S", "2H", "8C"], ["KH", "3D"], ["player"], "banker", (2, 3)),
        (["2S", "2H", "9C"], ["KH", "3D", "AC"], ["player", "banker"], "banker", (3, 4)),
    ],
)
def test_rounds_that_others_played_wrong(
    player: list[str], banker: list[str], draws: list[str], result: str, totals: tuple[int, int]
) -> None:
    called, decided = play(deal_order(player, banker))
    assert [call.side for call in called] == draws
    assert decided.result == result
    assert (decided.player_total, decided.banker_total) == totals
    assert (decided.player_cards, decided.banker_cards) == (tuple(player), tuple(banker))
    assert decided.natural is (draws == [] and max(totals) > 7)


@pytest.mark.parametrize(
    ("player", "banker", "player_pair", "banker_pair"),
    [
        (["2S", "2H", "5C"], ["KH", "7D"], True, False),  # two, two, five against king, seven
        (["KS", "KH", "6C"], ["QH", "QD", "7C"], True, True),  # both
        (["JS", "QH", "6C"], ["TH", "JD", "7C"], False, False),  # one value, two ranks
        (["4S", "5H"], ["4H", "5D"], False, False),  # Player 4, Banker 4 is nobody's pair
        (["AS", "5H", "5C"], ["KH", "7D"], False, False),  # second and third card
        (["9S", "KH"], ["3H", "3H"], False, True),  # one rank and suit of two decks
    ],
)
def test_pairs_are_a_hands_first_two_cards_of_one_rank(
    player: list[str], banker: list[str], *, player_pair: bool, banker_pair: bool
) -> None:
    _, decided = play(deal_order(player, banker))
    assert (decided.player_pair, decided.banker_pair) == (player_pair, banker_pair)


@pytest.mark.parametrize(
    "sides",
    [
        ["banker"],
        ["player", "player"],  # P, P, B, B is not how baccarat is dealt
        ["player", "banker", "banker"],
        ["player", "banker", "player", "player"],
    ],
)
def test_cards_come_player_banker_player_banker(sides: list[str]) -> None:
    state, _ = steps([opened()])
    *right, wrong = sides
    hands = {"player": 0, "banker": 0}
    for side in right:
        hands[side] += 1
        state, _ = step(state, dealt(side, hands[side], "2S"))
    with pytest.raises(AssertionError, match="is expected"):
        step(state, dealt(wrong, hands[wrong] + 1, "2S"))
