"""Article 10: what is kept of the rounds that can be corrected, and no longer than that."""

import pytest

from tests.settlement.drive import house
from tests.settlement.reading import rows
from tests.settlement.verbs import Floor


@pytest.mark.parametrize("correctable_rounds", [0, 1, 3])
def test_as_much_is_kept_as_can_be_corrected_and_no_more(correctable_rounds: int) -> None:
    floor = Floor(house(correctable_rounds=correctable_rounds))
    for number in range(1, 8):
        floor.open_round()
        floor.place(f"p{number}", "player", 100)
        floor.play("tie" if number == 2 else "player")
    kept = max(correctable_rounds, 1)
    assert [floor.state.settled_rounds[key].round_number for key in sorted(floor.state.settled_rounds)] == list(
        range(8 - kept, 8)
    )
    assert sorted(floor.state.settled) == [f"p{number}" for number in range(8 - kept, 8)]
    assert list(floor.state.terms) == ["in_force"]
    for number in range(8 - kept, 8):
        assert rows(floor.correct(number, 1, "banker")) == [(f"p{number}", 100, "lost", False, 0, 0)]
    with pytest.raises(AssertionError, match="only the last rounds"):
        floor.correct(7 - kept, 1, "banker")


def test_old_terms_are_forgotten_with_the_last_round_under_them() -> None:
    floor = Floor(house(correctable_rounds=2))
    for number in range(4):
        floor.open_round()
        floor.play("player")
        floor.change_rules(house(correctable_rounds=2, commission=number))
    assert len(floor.state.terms) == 3
