"""Article 2: the cards are shuffled, a bettor or the dealer cuts, the cut card goes in with some cards behind it."""

import pytest

from schemas import facts
from tests.shoe.table import Table, detail, house_rules, reason, types
from tests.shoe.tables import opened


@pytest.mark.parametrize("kind", ["virtual", "physical"])
@pytest.mark.parametrize("shuffled_by", ["dealer-17", "machine-2", None])
@pytest.mark.parametrize("cut_by", ["dealer-17", "bettor-4711", None])
def test_who_shuffled_and_who_cut_is_recorded(kind: str, shuffled_by: str | None, cut_by: str | None) -> None:
    (started,) = opened().load(kind, shuffled_by=shuffled_by, cut_by=cut_by, cut_at=17)
    assert isinstance(started, facts.ShoeStarted)
    assert (started.shuffled_by, started.cut_by, started.cut_at) == (shuffled_by, cut_by, 17)


@pytest.mark.parametrize("cut_at", [-1, 53, 10**9])
def test_nobody_cuts_outside_the_cards(cut_at: int) -> None:
    written = opened().load(cut_at=cut_at)
    assert (reason(written), detail(written)) == ("out_of_range", "cut_at: allowed are 0 to 52")


@pytest.mark.parametrize(("depth", "behind"), [(12, 41), (14, 39), (20, 33), (52, 1)])
def test_the_cut_card_lies_at_its_depth(depth: int, behind: int) -> None:
    """The number of the card behind it: one deck has 52."""
    table = Table(house_rules(cut_card_depth=depth, rounds_after_cut_card=0))
    table.open()
    (started,) = table.load()
    assert isinstance(started, facts.ShoeStarted)
    assert started.cut_card_depth == depth
    number = 0
    while not table.of(facts.CutCardReached):
        number += 1
        table.play_round(number, cards=4)
    (reached,) = table.of(facts.CutCardReached)
    assert reached.card_number == behind
    assert types(table.facts)[-1] == "shoe.ended"


def test_a_shuffler_has_no_cut_card() -> None:
    table = Table(house_rules(dealing="continuous_shuffler", cut_card_depth=0))
    table.open()
    (started,) = table.load(cut_by=None, cut_at=None)
    assert isinstance(started, facts.ShoeStarted)
    assert (started.cut_card_depth, started.burned) == (0, 0)
    for number in range(1, 20):
        table.play_round(number, cards=6)
    assert table.of(facts.CutCardReached) == []
