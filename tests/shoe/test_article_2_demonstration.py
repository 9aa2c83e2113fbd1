"""Article 2: up to three demonstration rounds before a shoe's first betting round, dealt and called at once."""

from collections.abc import Callable

import pytest

from schemas import facts
from tests.shoe.loop import Loop, physical, told
from tests.shoe.table import assert_counts_are_whole, house_rules, reason, types, without_identities

NATURAL = ("9C", "KC", "KD", "5C")


def virtual(rounds: int = 3, **fields: int | str) -> Loop:
    loop = Loop(house_rules(demonstration_rounds=rounds, **fields), seed=1)
    loop.open()
    loop.load()
    return loop


def demonstrated(rounds: int, of: int = 3) -> Loop:
    loop = virtual(of)
    for number in range(1, rounds + 1):
        loop.open_round(number, demonstration=True)
        loop.settled(number)
    return loop


def test_a_virtual_demonstration_is_dealt_called_and_ended_without_the_books() -> None:
    loop = virtual()
    written = loop.open_round(1, demonstration=True)
    assert types(written)[:5] == ["round.opened", *["card.dealt"] * 4]
    assert types(written)[-1] == "round.ended"
    assert isinstance(written[0], facts.RoundOpened)
    assert isinstance(written[-1], facts.RoundEnded)
    assert written[0].demonstration
    assert written[-1].demonstration
    assert types(loop.settled(1)) == []
    assert types(loop.open_round(2)) == ["round.opened"]
    assert [fact.demonstration for fact in loop.of(facts.RoundOpened)] == [True, False]


def test_a_physical_demonstration_takes_its_cards_as_they_come() -> None:
    loop = physical(demonstration_rounds=1)
    assert types(loop.open_round(1, demonstration=True)) == ["round.opened"]
    assert told(loop.scan(1, "9C")) == [("dealt", 1, "player", 1, "9C")]
    assert types(loop.scan_all(2, *NATURAL[1:])) == [*["card.dealt"] * 3, "round.ended"]


def test_the_first_betting_round_waits_for_its_books() -> None:
    loop = demonstrated(3)
    assert types(loop.open_round(4)) == ["round.opened"]
    assert types(loop.close_betting(4))[:4] == ["card.dealt"] * 4


def test_a_demonstrations_burned_cards_bring_the_cut_card_once() -> None:
    loop = virtual(burn_each_round=1)
    written = loop.open_round(1, demonstration=True, burn=38)  # the cut card lies before card 39
    assert types(written)[:3] == ["round.opened", "cut_card.reached", "card.dealt"]
    assert types(written).count("cut_card.reached") == 1
    loop.settled(1)


def test_demonstrations_count_as_rounds_of_the_shoe() -> None:
    loop = demonstrated(2)
    loop.end_shoe()
    assert assert_counts_are_whole(loop).rounds == 2


def test_a_void_demonstration_counts_too() -> None:
    loop = physical(demonstration_rounds=1)
    loop.open_round(1, demonstration=True)
    assert types(loop.void(1)) == ["round.voided"]
    loop.settled(1)
    assert reason(loop.open_round(2, demonstration=True)) == "out_of_range"


def test_a_new_shoe_has_its_demonstrations() -> None:
    loop = demonstrated(3)
    loop.end_shoe()
    loop.load(number=2)
    assert types(loop.open_round(1, shoe=2, demonstration=True))[0] == "round.opened"


def test_a_demonstration_is_corrected_like_any_round() -> None:
    loop = physical(demonstration_rounds=1)
    loop.open_round(1, demonstration=True)
    loop.scan_all(1, *NATURAL)
    loop.settled(1)
    loop.correct(1, {1: "8C"})
    last = loop.of(facts.RoundEnded)[-1]
    assert (last.revision, last.demonstration, last.player_total) == (1, True, 8)


def betting_round_open() -> Loop:
    loop = virtual()
    loop.open_round(1)
    loop.void(1)
    loop.settled(1)
    return loop


def running() -> Loop:
    loop = physical(demonstration_rounds=3)
    loop.open_round(1, demonstration=True)
    return loop


def ended_shoe() -> Loop:
    loop = demonstrated(1)
    loop.end_shoe()
    return loop


def closed_table() -> Loop:
    loop = virtual()
    loop.close()
    return loop


@pytest.mark.parametrize(
    ("expected", "given", "number"),
    [
        ("not_offered", lambda: virtual(0), 1),
        ("out_of_range", lambda: demonstrated(3), 4),
        ("out_of_range", lambda: demonstrated(1, of=1), 2),
        ("out_of_range", betting_round_open, 2),
        ("round_running", running, 2),
        ("shoe_finished", ended_shoe, 2),
        ("table_not_open", closed_table, 1),
        ("unknown_table", Loop, 1),
        ("wrong_round", virtual, 2),
    ],
)
def test_a_demonstration_that_cannot_be_is_refused(expected: str, given: Callable[[], Loop], number: int) -> None:
    loop = given()
    before = loop.state
    assert reason(loop.open_round(number, demonstration=True)) == expected
    assert without_identities(loop.state) == without_identities(before)
