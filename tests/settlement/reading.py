"""What the facts that end a round say, as rows and sums that a test can write down."""

from collections.abc import Sequence
from typing import Final

from schemas.events import Fact
from schemas.facts import BetsSettled, RoundSettled

SUMS: Final = (
    "stakes",
    "placed_minor",
    "carried_in_minor",
    "returned_minor",
    "carried_out_minor",
    "house_minor",
    "commission_minor",
)


def rows(facts: Sequence[Fact]) -> list[tuple[str, int, str, bool, int, int]]:
    """bet_id, stake, outcome, carried, commission, return: of every stake that these facts settle."""
    return [
        (bet.bet_id, bet.stake_minor, bet.outcome, bet.carried, bet.commission_minor, bet.return_minor)
        for fact in facts
        if isinstance(fact, BetsSettled)
        for bet in fact.bets
    ]


def sums(facts: Sequence[Fact]) -> tuple[int, ...]:
    """stakes, placed, carried in, returned, carried out, house, commission."""
    settled = facts[-1]
    assert isinstance(settled, RoundSettled)
    return tuple(getattr(settled, name) for name in SUMS)
