"""Every fact and note has its place in the shoe's evolve; what has none does not pass in silence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast, get_args

import msgspec
import pytest

from schemas import facts
from schemas.events import Fact
from services.decider.outcome import Note
from services.shoe.table import notes
from services.shoe.table.evolve import evolve
from tests.shoe.physical import calling, dealing, settled
from tests.shoe.table import Table
from tests.shoe.tables import closed, fresh, loaded

GOLDEN: Final = Path(__file__).parents[1] / "golden"
# What the sister services say is decided on and changes nothing by itself; nor does a failed read or an answer.
CHANGE_NOTHING: Final = (
    *get_args(facts.CallsFact),
    *get_args(facts.BetsFact),
    facts.ScanMissed,
)


@pytest.mark.parametrize("given", [fresh, closed, loaded, dealing, calling, settled])
@pytest.mark.parametrize("kind", CHANGE_NOTHING, ids=lambda kind: kind.type)
def test_what_changes_nothing_changes_nothing_anywhere(kind: type[Fact], given: Callable[[], Table]) -> None:
    state = given().state
    sample = msgspec.json.decode((GOLDEN / f"{kind.type}.json").read_bytes(), type=kind)
    assert evolve(state, cast(Any, sample)) is state


class CardEaten(Note, frozen=True):
    """A note that nobody knows."""


class CardDropped(notes.CardScanned, frozen=True):
    """A scanned card of a kind that nobody knows."""


class CardVanished(Fact, frozen=True, kw_only=True):
    """A fact that nobody knows."""

    type = "card.vanished"


@pytest.mark.parametrize("unknown", [CardEaten(), CardDropped(1, "8H"), CardVanished(table="table-1")], ids=repr)
def test_a_fact_or_note_that_nobody_knows_is_an_assertion(unknown: Any) -> None:
    with pytest.raises(AssertionError, match=type(unknown).__name__):
        evolve(calling().state, unknown)


def test_every_note_of_the_shoe_stands_in_the_union() -> None:
    own = {
        kind
        for kind in vars(notes).values()
        if isinstance(kind, type) and issubclass(kind, Note) and kind.__module__ == notes.__name__
    }
    assert own - {notes.CardScanned} == set(get_args(notes.ShoeNote))
