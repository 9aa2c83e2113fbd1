"""The present services write what they wrote on the recorded evening, byte for byte.

Where they are meant to write something else: `python -m tests.recording`, and the figures below.
"""

from copy import deepcopy
from typing import Final

import pytest

from tests.recording.replay import Replay
from tests.recording.store import RECORDING, Part, read_recording

ANEW_EVERY: Final = 25
PARTS: Final = ("scenarios", "phases", "by hand", "tables", "any order")


@pytest.fixture(scope="module")
def recording() -> dict[str, Part]:
    return read_recording(RECORDING)


@pytest.mark.parametrize("name", PARTS)
def test_the_services_write_what_was_recorded(recording: dict[str, Part], name: str) -> None:
    if difference := Replay(recording[name]).first_difference():
        pytest.fail(difference, pytrace=False)


def test_services_that_are_loaded_anew_write_the_same(recording: dict[str, Part]) -> None:
    if difference := Replay(recording["any order"], anew_every=ANEW_EVERY).first_difference():
        pytest.fail(difference, pytrace=False)


def test_nothing_else_is_recorded(recording: dict[str, Part]) -> None:
    assert tuple(recording) == PARTS


def short(recording: dict[str, Part], turns: int) -> Part:
    """The beginning of a part, to be changed."""
    part = recording["scenarios"]
    return Part(part.name, part.house, deepcopy(part.turns[:turns]))


def test_an_output_that_differs_is_told_with_its_place_and_both_texts(recording: dict[str, Part]) -> None:
    part = short(recording, 40)
    number, turn = next((number, turn) for number, turn in enumerate(part.turns, 1) if "cards" in turn.found)
    output = turn.found["cards"][0]
    found, output[3] = output[3], output[3].replace('"table"', '"tabel"')
    told = Replay(part).first_difference()
    assert told is not None
    assert f"part 'scenarios', turn {number} (console table.open " in told
    assert "cards/1-0\n" in told
    assert f"recorded: {' '.join(output)[:300]}" in told
    assert f"found:    {' '.join([*output[:3], found])[:300]}" in told


def test_an_output_that_is_missing_or_too_much_is_told(recording: dict[str, Part]) -> None:
    for change, words in (("missing", "found:    nothing"), ("too much", "recorded: nothing")):
        part = short(recording, 40)
        turn = next(turn for turn in part.turns if "cards" in turn.found)
        if change == "missing":
            turn.found["cards"].append(turn.found["cards"][0])
        else:
            turn.found["cards"].pop()
        told = Replay(part).first_difference()
        assert told is not None
        assert words in told


def test_a_card_that_was_never_drawn_is_told(recording: dict[str, Part]) -> None:
    part = short(recording, 400)
    turn = next(turn for turn in part.turns if turn.drawn)
    (place, cards), *_ = turn.drawn.items()
    cards.pop()
    told = Replay(part).first_difference()
    assert told is not None
    assert f"{place} draws {len(cards) + 1} cards, recorded are {len(cards)}" in told


def test_a_card_that_is_drawn_from_others_is_told(recording: dict[str, Part]) -> None:
    part = short(recording, 400)
    turn = next(turn for turn in part.turns if turn.drawn)
    (place, counts), *_ = turn.unseen.items()
    turn.unseen[place] = f"7{counts[1:]}"
    told = Replay(part).first_difference()
    assert told is not None
    assert f"{place} draws from other cards: {counts}, recorded 7{counts[1:]}" in told
