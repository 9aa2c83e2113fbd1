"""Evolve knows every fact and note by name."""

from typing import Any, get_args

import pytest

from schemas.facts import (
    BetRejected,
    BetsFact,
    CardDealt,
    CardsFact,
    RequestRefused,
    RequestRepeated,
    RoundVoided,
    ShoeSuspect,
)
from schemas.requests import BettingClose
from services.decider.outcome import Note
from services.settlement.books.notes import Outcome
from services.settlement.core import evolve
from tests.settlement.drive import TABLE, opened


class Unknown(Note, frozen=True):
    """A note that nobody has told evolve of."""


@pytest.mark.parametrize(
    "unknown",
    [
        Unknown(),
        BettingClose(table=TABLE, operator="d", shoe_number=1, round_number=1, wagers_through="0-0"),
        None,
    ],
)
def test_what_evolve_does_not_know_raises(unknown: Any) -> None:
    with pytest.raises(AssertionError, match="unreachable"):
        evolve(opened().state, unknown)


def test_an_answer_that_changed_nothing_and_a_card_leave_the_books_as_they_are() -> None:
    state = opened().state
    facts: list[CardsFact | BetsFact] = [
        RequestRefused(table=TABLE, request_id="r", request_type="seat.take", reason="seat_taken", detail=""),
        RequestRepeated(table=TABLE, request_id="r", request_type="seat.take", first="console/1-0"),
        BetRejected(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            bet_id="b",
            bettor_id=None,
            bet=None,
            amount_minor=None,
            revision=None,
            reason="expired",
            detail="",
        ),
        CardDealt(
            table=TABLE, shoe_number=1, round_number=1, card_number=1, side="player", position=1, card="8H", points=8
        ),
        RoundVoided(table=TABLE, shoe_number=1, round_number=1, revision=0, reason="misdeal"),
        ShoeSuspect(table=TABLE, shoe_number=1, card_number=9, pattern="new deck", evidence=""),
    ]
    for fact in facts:
        assert evolve(state, fact) is state


def test_outcomes_are_the_facts_of_bets_and_the_notes() -> None:
    names = {kind.__name__ for kind in get_args(Outcome)}
    assert {"BetAccepted", "RoundSettled", "RequestRepeated", "WagerAnswered", "ConsoleAnswered"} <= names
    assert "RoundEnded" not in names
