"""What a call says: the side that draws and the totals, or everything that decides the round."""

import pytest

from schemas.facts import DrawCalled, RoundDecided, RoundEnded
from tests.rules.drive import ROUND, SHOE, TABLE, dealt, first_four, opened, steps


def test_a_draw_of_players_names_the_totals_and_no_third_card() -> None:
    _, calls = steps(first_four(["2S", "3S"], ["3H", "4D"]))
    assert calls == [
        DrawCalled(
            table=TABLE,
            shoe_number=SHOE,
            round_number=ROUND,
            through=4,
            side="player",
            player_total=5,
            banker_total=7,
            player_third_points=None,
        )
    ]


def test_a_draw_of_bankers_names_the_points_of_players_third_card() -> None:
    _, calls = steps([*first_four(["2S", "3S"], ["3H", "3D"]), dealt("player", 3, "6C")])
    assert calls[1:] == [
        DrawCalled(
            table=TABLE,
            shoe_number=SHOE,
            round_number=ROUND,
            through=5,
            side="banker",
            player_total=1,
            banker_total=6,
            player_third_points=6,
        )
    ]


def test_a_draw_of_bankers_after_a_player_that_stood_names_no_third_card() -> None:
    _, calls = steps(first_four(["KS", "6S"], ["2H", "3D"]))
    (call,) = calls
    assert isinstance(call, DrawCalled)
    assert (call.side, call.player_third_points, call.through) == ("banker", None, 4)


def test_a_decision_says_everything_that_the_end_of_the_round_will_say() -> None:
    _, calls = steps([*first_four(["2S", "2H"], ["KH", "7D"]), dealt("player", 3, "5C")])
    assert calls[1:] == [
        RoundDecided(
            table=TABLE,
            shoe_number=SHOE,
            round_number=ROUND,
            revision=0,
            through=5,
            result="player",
            player_cards=("2S", "2H", "5C"),
            banker_cards=("KH", "7D"),
            player_total=9,
            banker_total=7,
            natural=False,
            player_pair=True,
            banker_pair=False,
            demonstration=False,
        )
    ]
    assert set(RoundEnded.__struct_fields__) - {"key"} == set(RoundDecided.__struct_fields__) - {"through"}


def test_a_demonstration_round_is_called_like_any_other_and_says_so() -> None:
    opening, *cards = first_four(["9S", "KH"], ["7S", "QH"])
    _, calls = steps([opened(demonstration=True), *cards])
    assert [(call.natural, call.demonstration) for call in calls if isinstance(call, RoundDecided)] == [(True, True)]
    _, calls = steps([opening, *cards])
    assert [call.demonstration for call in calls if isinstance(call, RoundDecided)] == [False]


@pytest.mark.parametrize("number_of_cards", [0, 1, 2, 3])
def test_nothing_is_called_before_the_fourth_card(number_of_cards: int) -> None:
    _, calls = steps(first_four(["9S", "KH"], ["7S", "QH"])[: 1 + number_of_cards])
    assert calls == []
