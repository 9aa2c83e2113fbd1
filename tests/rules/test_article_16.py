"""Article 16 for the rules: no call before all that is dealt is open."""

from itertools import permutations

import pytest

from schemas.events import Fact
from schemas.facts import DrawCalled, RoundDecided
from tests.rules.drive import card_opened, corrected, dealt, face_up, opened, step, steps

CLOSED: list[Fact] = [
    opened(),
    dealt("player", 1, None),
    dealt("banker", 1, None),
    dealt("player", 2, None),
    dealt("banker", 2, None),
]
OPENING = [
    card_opened("player", 1, "2C"),
    card_opened("player", 2, "3C"),
    card_opened("banker", 1, "KC"),
    card_opened("banker", 2, "5C"),
]


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_the_first_call_waits_for_all_four_in_any_order(order: tuple[int, ...]) -> None:
    state, calls = steps([*CLOSED, *(OPENING[index] for index in order[:3])])
    assert (state.round.expects, calls) == ("open", [])
    state, calls = step(state, OPENING[order[3]])
    (call,) = calls
    assert isinstance(call, DrawCalled)
    assert (call.side, call.through, call.player_total, call.banker_total) == ("player", 8, 5, 5)


def test_bankers_call_waits_for_players_third_card() -> None:
    state, calls = steps([*CLOSED, *OPENING, dealt("player", 3, None)])
    assert len(calls) == 1
    state, calls = step(state, card_opened("player", 3, "4C"))
    (call,) = calls
    assert isinstance(call, DrawCalled)
    assert (call.side, call.through, call.player_third_points) == ("banker", 10, 4)
    state, calls = step(state, dealt("banker", 3, None))
    assert calls == []
    (decided,) = step(state, card_opened("banker", 3, "8C"))[1]
    assert isinstance(decided, RoundDecided)
    assert (decided.through, decided.player_cards, decided.banker_cards) == (12, ("2C", "3C", "4C"), ("KC", "5C", "8C"))


def test_cards_are_opened_while_others_are_still_to_come() -> None:
    state, calls = steps([*CLOSED[:3], OPENING[0], *CLOSED[3:], OPENING[1], OPENING[3]])
    assert calls == []
    assert len(step(state, OPENING[2])[1]) == 1


def test_a_card_found_face_up_counts_as_opened() -> None:
    state, calls = steps([*CLOSED[:4], face_up(), dealt("banker", 2, "5C"), *OPENING[:2]])
    assert calls == []
    (call,) = step(state, OPENING[2])[1]
    assert isinstance(call, DrawCalled)
    assert call.through == 8


def test_a_corrected_card_may_be_closed_and_is_opened_where_it_is() -> None:
    state, calls = steps([*CLOSED, *OPENING[:2], corrected(22, "banker", 1), OPENING[3]])
    assert calls == []
    assert len(step(state, OPENING[2])[1]) == 1


@pytest.mark.parametrize("fact", [OPENING[0], card_opened("player", 3, "4C"), card_opened("banker", 1, "QC")])
def test_a_card_that_is_not_closed_is_not_opened(fact: Fact) -> None:
    state, _ = steps([*CLOSED, *OPENING])
    with pytest.raises(AssertionError, match="not held"):
        step(state, fact)
