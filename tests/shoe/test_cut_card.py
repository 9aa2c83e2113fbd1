"""The cut card in each place it can lie (article 3): when it is told, and which round is the last.

One deck with the cut card before card 39. Rounds of four to six cards lead up to it.
"""

from typing import Any

import pytest

from schemas import facts
from tests.shoe.table import Table, assert_counts_are_whole, house_rules, reason, types

# place: cards of the rounds before, cards burned for the round, cards of the round, in place of its first card
PLACES: dict[str, tuple[tuple[int, ...], int, int, bool]] = {
    "a round's first card, right behind a round's last": ((6, 6, 6, 6, 6, 4, 4), 0, 6, True),
    "a round's second card": ((6, 6, 6, 6, 5, 4, 4), 0, 6, False),
    "a round's third card": ((6, 6, 6, 6, 6, 6), 0, 6, False),
    "a round's fourth card": ((6, 6, 6, 6, 6, 5), 0, 6, False),
    "a round's fifth card, the first draw": ((6, 6, 6, 4, 4, 4, 4), 0, 6, False),
    "a round's sixth card, the second draw": ((6, 6, 6, 6, 5, 4), 0, 6, False),
    "a burn's first card": ((6, 6, 6, 6, 6, 4, 4), 2, 6, True),
    "a burn's last card": ((6, 6, 6, 6, 6, 6), 3, 6, True),
    "the first card behind a burn": ((6, 6, 6, 6, 6, 6), 2, 6, True),
    "the second card behind a burn": ((6, 6, 6, 6, 6, 5), 2, 6, False),
}


def expected_last(number: int, *, in_place_of_first: bool, after: int, counts: str) -> int:
    return number if in_place_of_first and counts == "last" else number + after


@pytest.mark.parametrize("counts", ["round", "last"])
@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("place", PLACES)
def test_the_cut_card_is_told_before_its_card_and_names_the_last_round(place: str, after: int, counts: str) -> None:
    before, burn, cards, first = PLACES[place]
    table = Table(house_rules(rounds_after_cut_card=after, cut_card_first_counts=counts))
    table.open()
    table.load()
    for number, taken in enumerate(before, 1):
        table.play_round(number, cards=taken)
    assert table.of(facts.CutCardReached) == []
    seen_in = len(before) + 1
    written = table.play_round(seen_in, cards=cards, burn=burn)
    (reached,) = table.of(facts.CutCardReached)
    last = expected_last(seen_in, in_place_of_first=first, after=after, counts=counts)
    assert (reached.round_number, reached.card_number, reached.last_round) == (seen_in, 39, last)
    behind = written[written.index(reached) + 1]
    if sum(before) + burn >= 39:
        assert types(written)[:2] == ["round.opened", "cut_card.reached"]
    else:
        assert isinstance(behind, facts.CardDealt)
        assert behind.card_number == 39
    if last > seen_in:
        assert table.of(facts.ShoeEnded) == []
        table.play_round(last, cards=6)
    ended = assert_counts_are_whole(table)
    assert (ended.reason, ended.rounds) == ("cut_card", last)
    assert [opened.last_round for opened in table.of(facts.RoundOpened)] == [
        opened.round_number == last > seen_in for opened in table.of(facts.RoundOpened)
    ]


def physical(**fields: Any) -> Table:
    table = Table(house_rules(**fields))
    table.open()
    table.load("physical")
    return table


DECK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]


def open_and_close(table: Table, number: int, burn: int = 0) -> None:
    table.open_round(number, burn=burn)
    table.close_betting(number)


@pytest.mark.parametrize("counts", ["round", "last"])
@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize("cut_card", [1, 2, 4, 5, 6])
def test_a_physical_cut_card_is_told_when_the_next_card_is_pulled(cut_card: int, after: int, counts: str) -> None:
    table = physical(rounds_after_cut_card=after, cut_card_first_counts=counts)
    open_and_close(table, 1)
    for ordinal in range(1, 7):
        if ordinal == 5:
            table.call_draw(1, "player", 4)
        if ordinal == 6:
            table.call_draw(1, "banker", 5)
        if ordinal == cut_card:
            assert table.scan_cut_card(ordinal) == []
        written = types(table.scan(ordinal, DECK[ordinal]))
        assert written == (["cut_card.reached"] if ordinal == cut_card else []) + ["card.dealt"]
    (reached,) = table.of(facts.CutCardReached)
    last = expected_last(1, in_place_of_first=cut_card == 1, after=after, counts=counts)
    assert (reached.card_number, reached.last_round) == (cut_card, last)
    table.decide_round(1, 6)
    assert types(table.settle(1)) == (["shoe.ended"] if last == 1 else [])


@pytest.mark.parametrize("counts", ["round", "last"])
def test_a_physical_cut_card_behind_a_rounds_last_card_belongs_to_the_next_round(counts: str) -> None:
    table = physical(cut_card_first_counts=counts)
    open_and_close(table, 1)
    table.scan_all(1, *DECK[:4])
    table.scan_cut_card(5)
    table.decide_round(1, 4)
    table.settle(1)
    assert types(table.open_round(2)) == ["round.opened"]
    table.close_betting(2)
    reached, _ = table.scan(5, "KS")
    assert isinstance(reached, facts.CutCardReached)
    assert (reached.round_number, reached.last_round) == (2, 2 if counts == "last" else 3)


@pytest.mark.parametrize("scanned", [True, False])
def test_a_physical_cut_card_in_a_burn_is_told_with_the_next_card_that_is_seen(scanned: bool) -> None:
    table = physical(cut_card_first_counts="last")
    table.open_round(1, burn=3)
    table.scan(1, "2C")
    table.scan_cut_card(2)
    if scanned:
        assert types(table.scan(2, "3C")) == ["cut_card.reached"]
    table.close_betting(1)
    assert types(table.scan(4, "4C")) == ([] if scanned else ["cut_card.reached"]) + ["card.dealt"]
    (reached,) = table.of(facts.CutCardReached)
    assert (reached.card_number, reached.last_round) == (2, 1)


def test_a_physical_burn_shows_no_cut_card_before_a_card_is_scanned() -> None:
    table = physical()
    table.scan_cut_card(1)
    assert types(table.open_round(1, burn=2)) == ["round.opened"]
    assert types(table.scan(1, "2C")) == ["cut_card.reached"]


def test_a_cut_card_before_a_waiting_card_is_told_when_that_is_scanned() -> None:
    table = physical()
    table.open_round(1)
    table.scan(1, "2C")
    table.scan_cut_card(2)
    assert types(table.scan(2, "3C")) == ["cut_card.reached"]
    assert types(table.close_betting(1)) == ["card.dealt"] * 2


def test_a_cut_card_told_late_comes_before_the_next_card_that_is_dealt() -> None:
    table = physical()
    table.open_round(1)
    table.scan_all(1, "2C", "3C")
    table.scan_cut_card(2)
    assert types(table.close_betting(1)) == ["card.dealt", "cut_card.reached", "card.dealt"]


def test_a_cut_card_seen_in_a_void_round_counts() -> None:
    table = physical(rounds_after_cut_card=0)
    open_and_close(table, 1)
    table.scan_cut_card(1)
    table.scan(1, "2C")
    table.void(1)
    assert types(table.settle(1)) == ["shoe.ended"]
    assert_counts_are_whole(table)


def test_a_cut_card_is_scanned_once() -> None:
    table = physical()
    assert table.scan_cut_card(3) == []
    state = table.state
    assert types(table.scan_cut_card(3)) == ["request.repeated"]
    assert reason(table.scan_cut_card(4)) == "card_not_expected"
    assert table.state == state


def test_a_shuffler_has_no_cut_card() -> None:
    table = physical(dealing="continuous_shuffler", cut_card_depth=0)
    assert reason(table.scan_cut_card(1)) == "card_not_expected"


def test_a_cut_card_swallowed_by_the_burn_at_the_start_is_seen_with_the_first_card() -> None:
    table = Table(house_rules(cut_card_depth=52, burn="fixed", burn_fixed=3, rounds_after_cut_card=0))
    table.open()
    table.load()
    assert types(table.open_round(1)) == ["round.opened"]
    assert types(table.close_betting(1)) == ["cut_card.reached", *["card.dealt"] * 4]
