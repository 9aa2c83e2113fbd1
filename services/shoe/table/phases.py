"""The phases of a round, and the facts and notes that lead from one to the next.

    betting ──CardsDue──► dealing ──CardsOut──► calling ──RoundEnded──► over ──BooksSettled──► settled
    calling ──CardsDue──► dealing
    betting, dealing, calling, misdealt ──RoundVoided──► over
    betting, dealing, calling, misdealt ──MisdealDetected, ReadingsPutRight──► misdealt
    misdealt ──BettingGoesOn──► betting
    misdealt ──CardsDue──► dealing
    misdealt ──CardsOut──► calling
    settled ──RoundReopened──► calling

A round opens in `betting`. Every other fact or note leaves the phase as it is. While readings are put right, the round
is misdealt: the same decision deals its cards again and says how it goes on.
"""

from collections.abc import Mapping
from typing import Final

from schemas.events import Fact
from schemas.facts import MisdealDetected, RoundEnded, RoundVoided
from services.decider.outcome import Note
from services.shoe.table.notes import BettingGoesOn, BooksSettled, CardsDue, CardsOut, ReadingsPutRight, RoundReopened
from services.shoe.table.state import Phase

PHASES: Final[Mapping[tuple[Phase, type[Fact | Note]], Phase]] = {
    ("betting", CardsDue): "dealing",
    ("betting", RoundVoided): "over",
    ("betting", MisdealDetected): "misdealt",
    ("betting", ReadingsPutRight): "misdealt",
    ("dealing", CardsOut): "calling",
    ("dealing", RoundVoided): "over",
    ("dealing", MisdealDetected): "misdealt",
    ("dealing", ReadingsPutRight): "misdealt",
    ("calling", CardsDue): "dealing",
    ("calling", RoundEnded): "over",
    ("calling", RoundVoided): "over",
    ("calling", MisdealDetected): "misdealt",
    ("calling", ReadingsPutRight): "misdealt",
    ("misdealt", BettingGoesOn): "betting",
    ("misdealt", CardsDue): "dealing",
    ("misdealt", CardsOut): "calling",
    ("misdealt", RoundVoided): "over",
    ("misdealt", MisdealDetected): "misdealt",
    ("misdealt", ReadingsPutRight): "misdealt",
    ("over", BooksSettled): "settled",
    ("settled", RoundReopened): "calling",
}


def phase_after(phase: Phase, event: Fact | Note) -> Phase:
    """The phase to which this fact or note leads. None of them comes in a phase that the table does not have."""
    after = PHASES.get((phase, type(event)))
    assert after is not None, f"{type(event).__name__} in a round that is {phase}"
    return after
