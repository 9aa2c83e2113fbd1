"""Article 10: corrections that cannot be say why and change nothing."""

from collections.abc import Callable

import pytest

from schemas import requests
from tests.shoe.loop import NATURAL, Loop, dealing, physical, two_rounds, waiting_for_bankers_third
from tests.shoe.table import reason, without_identities

# --- in play ----------------------------------------------------------------------------------------------------------


def virtual() -> Loop:
    loop = Loop()
    loop.open()
    loop.load()
    loop.open_round(1)
    loop.close_betting(1)
    return loop


def no_card() -> Loop:
    return dealing()


def failed_read() -> Loop:
    loop = dealing()
    loop.scan_all(1, "2C", "KC")
    loop.scan(3, None)
    return loop


def gap() -> Loop:
    loop = dealing()
    loop.scan_all(1, "2C", "KC")
    loop.scan(4, "5C")
    return loop


def over() -> Loop:
    loop = dealing()
    loop.scan_all(1, "9C", "KC", "KD", "5C")
    return loop


def void() -> Loop:
    loop = dealing()
    loop.scan_all(1, "9C", "KC")
    loop.void(1)
    loop.settled(1)
    return loop


def stray() -> Loop:
    """Thirteen cards in one round."""
    loop = dealing()
    loop.scan(13, "KH")
    loop.scan_all(1, *[f"{rank}C" for rank in "A23456789TJQ"])
    return loop


@pytest.mark.parametrize(
    ("expected", "given", "number", "readings"),
    [
        ("card_not_expected", virtual, 1, {}),
        ("card_not_expected", no_card, 1, {}),
        ("wrong_round", no_card, 2, {}),
        ("wrong_round", no_card, 0, {}),
        ("out_of_range", waiting_for_bankers_third, 1, {6: "8C"}),
        ("out_of_range", waiting_for_bankers_third, 1, {0: "8C"}),
        ("out_of_range", waiting_for_bankers_third, 1, {-5: None}),
        ("out_of_range", failed_read, 1, {}),
        ("out_of_range", gap, 1, {}),
        ("out_of_range", gap, 1, {2: "QC"}),
        ("out_of_range", stray, 1, {}),
        ("card_impossible", waiting_for_bankers_third, 1, {2: "2C"}),
        ("card_impossible", waiting_for_bankers_third, 1, {2: "8H", 3: "8H"}),
        ("round_running", over, 1, {}),
        ("round_over", void, 1, {}),
    ],
)
def test_a_correction_that_cannot_be_is_refused(
    expected: str, given: Callable[[], Loop], number: int, readings: dict[int, str | None]
) -> None:
    loop = given()
    before = loop.state
    assert reason(loop.correct(number, readings)) == expected
    assert without_identities(loop.state) == without_identities(before)


def test_an_ordinal_named_twice_is_refused() -> None:
    loop = waiting_for_bankers_third()
    cards = tuple(requests.CorrectedCard(ordinal=2, card=card) for card in ("QC", "JC"))
    assert reason(loop.correct(1, cards=cards)) == "out_of_range"


def test_another_shoe_is_refused() -> None:
    assert reason(waiting_for_bankers_third().correct(1, {}, shoe=2)) == "wrong_shoe"


# --- behind the end ---------------------------------------------------------------------------------------------------


def unsettled() -> Loop:
    loop = dealing()
    loop.scan_all(1, *NATURAL)
    return loop


def next_round_open() -> Loop:
    loop = two_rounds()
    loop.open_round(3)
    return loop


def ended_shoe() -> Loop:
    loop = two_rounds()
    loop.end_shoe()
    return loop


def third_round_void() -> Loop:
    loop = two_rounds()
    loop.open_round(3)
    loop.void(3)
    loop.settled(3)
    return loop


@pytest.mark.parametrize(
    ("expected", "given", "number"),
    [
        ("round_running", unsettled, 1),
        ("round_running", next_round_open, 2),
        ("shoe_finished", ended_shoe, 2),
        ("round_over", third_round_void, 3),
        ("wrong_round", two_rounds, 3),
        ("wrong_round", physical, 1),
    ],
)
def test_a_round_that_cannot_be_corrected_is_refused(expected: str, given: Callable[[], Loop], number: int) -> None:
    loop = given()
    before = loop.state
    assert reason(loop.correct(number)) == expected
    assert without_identities(loop.state) == without_identities(before)


def test_a_card_of_another_round_is_refused() -> None:
    assert reason(two_rounds().correct(2, {4: "8D"})) == "out_of_range"
    assert reason(two_rounds().correct(1, {5: "8D"})) == "out_of_range"
