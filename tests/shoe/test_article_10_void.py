"""Article 10: a round is void, and with `void_keeps_pairs` it says which pairs stand."""

from collections.abc import Callable

import pytest

from schemas import facts
from tests.shoe.loop import Loop, dealing, physical
from tests.shoe.table import house_rules, reason, types

Pairs = tuple[bool | None, bool | None]


def kept(*cards: str, **fields: bool) -> Loop:
    loop = dealing(void_keeps_pairs=True, **fields)
    loop.scan_all(1, *cards)
    return loop


def awaiting_the_console() -> Loop:
    loop = kept("2C", "KC", "2D", "QC")
    loop.scan(6, "7C")
    return loop


def other_reading_of(ordinal: int) -> Callable[[], Loop]:
    def given() -> Loop:
        loop = kept("2C", "KC", "2D", "KD")
        loop.scan(ordinal, "9S")
        return loop

    return given


def put_right() -> Loop:
    loop = other_reading_of(2)()
    loop.correct(1, {2: "QC"})
    return loop


def held() -> Loop:
    loop = kept("2C", "KC", "2D", "KD", holding=True)
    for position in (1, 2):
        loop.open_card(1, "player", position)
    loop.open_card(1, "banker", 1)
    return loop


def virtual() -> Loop:
    loop = Loop(house_rules(void_keeps_pairs=True), stacked=("2C", "KC", "2D", "QC"), prompt=False)
    loop.open()
    loop.load()
    loop.open_round(1)
    loop.close_betting(1)
    return loop


@pytest.mark.parametrize(
    ("given", "pairs"),
    [
        (lambda: kept("2C", "KC", "2D", "QC"), (True, False)),
        (lambda: kept("2C", "KC", "3D", "KD"), (False, True)),
        (lambda: kept("2C", "KC", "2D"), (True, None)),
        (lambda: kept("2C", "KC"), (None, None)),
        (kept, (None, None)),
        (awaiting_the_console, (True, False)),
        (other_reading_of(4), (True, None)),
        (other_reading_of(3), (None, None)),
        (other_reading_of(1), (None, None)),
        (put_right, (True, False)),
        (held, (True, None)),
        (virtual, (True, False)),
    ],
)
def test_pairs_of_hands_rightly_dealt_and_open_stand(given: Callable[[], Loop], pairs: Pairs) -> None:
    loop = given()
    (voided,) = loop.void(1)
    assert isinstance(voided, facts.RoundVoided)
    assert (voided.player_pair, voided.banker_pair) == pairs


def test_by_default_no_pair_stands() -> None:
    loop = dealing()
    loop.scan_all(1, "2C", "KC", "2D", "KD")
    (voided,) = loop.void(1)
    assert isinstance(voided, facts.RoundVoided)
    assert (voided.player_pair, voided.banker_pair) == (None, None)


@pytest.mark.parametrize(("readings", "pairs"), [({1: "4D"}, (False, False)), ({3: None}, (False, None))])
def test_pairs_stand_in_a_round_that_a_correction_makes_void(readings: dict[int, str | None], pairs: Pairs) -> None:
    loop = physical(void_keeps_pairs=True)
    loop.play(1, 1, "9C", "KC", "KD", "5C")
    voided = loop.correct(1, readings)[-1]
    assert isinstance(voided, facts.RoundVoided)
    assert (voided.revision, voided.player_pair, voided.banker_pair) == (1, *pairs)


def test_a_void_round_stays_void() -> None:
    loop = kept("2C", "KC", "2D", "QC")
    assert types(loop.void(1)) == ["round.voided"]
    assert reason(loop.void(1)) == "round_over"
    loop.settled(1)
    assert reason(loop.correct(1)) == "round_over"
