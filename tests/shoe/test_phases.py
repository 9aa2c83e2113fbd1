"""The phases of a round: the diagram, the table and what the shoe does are one."""

import re
from collections.abc import Callable
from itertools import product
from typing import Any, Final, get_args

import pytest

from services.shoe import core
from services.shoe.table import phases
from services.shoe.table.evolve import evolve
from services.shoe.table.notes import CardsDue
from services.shoe.table.phases import PHASES, phase_after
from services.shoe.table.state import Phase
from tests.shoe import table as feeding
from tests.shoe.loop import Loop, dealing, physical, two_rounds, waiting_for_bankers_third
from tests.shoe.table import house_rules

MOVERS: Final = sorted({mover for _, mover in PHASES}, key=lambda mover: mover.__name__)


def drawn() -> dict[tuple[str, str], str]:
    """The arrows of the diagram: `from, from ──Event, Event──► to ──Event──► …` on each line."""
    arrows: dict[tuple[str, str], str] = {}
    for line in str(phases.__doc__).splitlines():
        first, *rest = re.split(r" ──([\w, ]+)──► ", line.strip())
        for names, after in zip(rest[::2], rest[1::2], strict=True):
            for before, name in product(first.split(", "), names.split(", ")):
                assert (before, name) not in arrows
                arrows[before, name] = after
            first = after
    return arrows


def test_the_diagram_is_the_table() -> None:
    assert drawn() == {(before, mover.__name__): after for (before, mover), after in PHASES.items()}


def test_the_course_in_the_cores_docstring_is_in_the_table() -> None:
    (line,) = (line for line in str(core.__doc__).splitlines() if line.startswith("    round "))
    before, *rest = re.split(r" (◄?──►) ", line.removeprefix("    round ").split("  (")[0].strip())
    arrows = {(before, after) for (before, _), after in PHASES.items()}
    for arrow, after in zip(rest[::2], rest[1::2], strict=True):
        assert (before, after) in arrows
        assert arrow == "──►" or (after, before) in arrows
        before = after
    assert before == "settled"


def betting(*cards: str) -> Loop:
    loop = physical()
    loop.open_round(1)
    loop.scan_all(1, *cards)
    return loop


def calling() -> Loop:
    """The calls of rules do not come back by themselves."""
    loop = dealing()
    loop.prompt = False
    loop.scan_all(1, "2C", "KC", "3C", "5C")
    return loop


def misdealt(loop: Loop) -> Loop:
    """An ordinal is missed. It is entered by hand, and again the order is not sure."""
    ordinal = loop.state.shoe_in_play.next_ordinal
    loop.scan(ordinal + 1, "9D")
    loop.scan(ordinal, "8D")
    return loop


def demonstration() -> Loop:
    loop = Loop(house_rules(demonstration_rounds=1))
    loop.open()
    loop.load()
    loop.open_round(1, demonstration=True)
    return loop


COURSES: Final[list[Callable[[], Any]]] = [
    demonstration,
    lambda: two_rounds().correct(1, {1: "8D"}),
    lambda: waiting_for_bankers_third().scan(6, "4D"),
    lambda: misdealt(betting()).correct(1),
    lambda: misdealt(dealing()).correct(1),
    lambda: misdealt(calling()).correct(1),
    *[lambda given=given: misdealt(given()).void(1) for given in (betting, dealing, calling)],
    *[lambda given=given: given().void(1) for given in (betting, dealing, calling)],
    lambda: betting("2C").correct(1, {1: "3C"}),
    lambda: waiting_for_bankers_third().correct(1, {1: "3D"}),
    lambda: dealing().correct(1),
    lambda: calling().correct(1, {1: "3D"}),
]


@pytest.fixture(scope="module")
def played() -> dict[tuple[str, Any], Any]:
    """The facts and notes that moved a round in these courses, by the phase in which they came."""
    found: dict[tuple[str, Any], Any] = {}

    def watched(state: Any, event: Any) -> Any:
        after: Any = evolve(state, event)
        # A card that no hand takes between rounds is a misdeal of no round.
        if type(event) in MOVERS and getattr(event, "round_number", 0) is not None:
            before = state.shoe.current_round.phase
            found[before, type(event)] = event
            assert PHASES[before, type(event)] == after.shoe.current_round.phase
        return after

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feeding, "evolve", watched)
        for course in COURSES:
            course()
    return found


def test_every_row_of_the_table_is_played_and_no_other(played: dict[tuple[str, Any], Any]) -> None:
    assert set(played) == set(PHASES)


def test_what_the_table_does_not_have_is_an_assertion(played: dict[tuple[str, Any], Any]) -> None:
    events = {type(event): event for event in played.values()}
    for phase, mover in product(get_args(Phase), MOVERS):
        if (phase, mover) not in PHASES:
            with pytest.raises(AssertionError, match=f"{mover.__name__} in a round that is {phase}"):
                phase_after(phase, events[mover])


def test_a_round_that_is_over_gets_no_cards_and_nothing_happens() -> None:
    loop = two_rounds()
    before = loop.state
    with pytest.raises(AssertionError):
        evolve(before, CardsDue(("player",)))
    assert loop.state == before
