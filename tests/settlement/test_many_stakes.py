"""A wager costs the same however many stakes are known: it looks at no other stake and writes no other record.

This is counted and not timed. What it costs in microseconds is printed by `python -m tests.bench cores`.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

import pytest

from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import BetAccepted, BetCancelled, BetChanged, BetRejected
from schemas.limits import STAKES_MAX, BetLimits
from services.decider.part import Part
from tests.settlement.drive import LIMITS, MACAU, TABLE, Table, house, limits
from tests.settlement.stored import Stored

BETS: Final = ("player", "banker", "tie", "player_pair", "banker_pair")
BOUNDS: Final = BetLimits(minimum_minor=100, maximum_minor=10**9, total_minor=10**12)
HEAD: Final[tuple[str, ...]] = ()


class FullTable(Table):
    """A table with one stake less than it may have, behind a round of as many that can be corrected."""

    def __init__(self) -> None:
        self.guarded = False
        rules = house(MACAU, pair_requires_main=True, both_sides=True, differential_policy="at_bet")
        bounds = limits(bets=dict.fromkeys(LIMITS.bets, BOUNDS), differential_limit_minor=10**9)
        super().__init__(rules, bounds, is_open=False)
        self.stored = Stored(TABLE, checks=False)
        self.open()
        self.start_shoe()
        self.open_round()
        self._fill()
        self.close_betting()
        self.end_round("player")
        self.open_round()
        self._fill()

    def _fill(self) -> None:
        for number in range(STAKES_MAX - 1):
            bettor_id = f"bettor {number % 90}"
            self.place(self.name(number), BETS[number // 90 % len(BETS)], bettor_id=bettor_id)

    def name(self, number: int) -> str:
        return f"{self.round_number}-{number}"

    def _step(self, entry: Entry) -> list[Fact]:
        if not self.guarded:
            return super()._step(entry)
        with pytest.MonkeyPatch.context() as patch:
            for view in ("items", "values", "keys", "__iter__", "__eq__"):
                patch.setattr(Part, view, _looked_at_all)
            return super()._step(entry)


def _looked_at_all(*_: Any) -> NoReturn:
    raise AssertionError("a wager looks at all items of a part")


@pytest.fixture(scope="module")
def full() -> FullTable:
    return FullTable()


@pytest.fixture
def table(full: FullTable) -> Iterator[FullTable]:
    """The full table, as it was before the test."""
    state = full.state
    full.guarded = True
    yield full
    full.guarded, full.state = False, state


# What is asked, the answer, and the parts in which it writes (True) or removes (False) the record of this stake.
ASKED: Final[list[tuple[Callable[[FullTable], Fact], type[Fact], dict[str, bool]]]] = [
    (lambda t: t.place("n", "banker", 100, bettor_id="new"), BetAccepted, {"layout": True}),
    (lambda t: t.place("n", "player_pair", 100, bettor_id="bettor 1"), BetAccepted, {"layout": True}),
    (lambda t: t.place("n", "player_pair", 100, bettor_id="new"), BetRejected, {}),
    (lambda t: t.place("n", "banker", 10**10, bettor_id="new"), BetRejected, {}),
    (lambda t: t.place(t.name(5), "banker", 100), BetRejected, {}),
    (lambda t: t.change(t.name(5), 0, "banker", 300), BetChanged, {"layout": True}),
    (lambda t: t.change(t.name(5), 0, "player", 50), BetRejected, {}),
    (lambda t: t.cancel(t.name(5), 0), BetCancelled, {"layout": False, "settled": True}),
    (lambda t: t.cancel("1-5", 0), BetRejected, {}),
]


@pytest.mark.parametrize(("ask", "answer", "written"), ASKED)
def test_a_wager_among_a_thousand_stakes_looks_at_its_own_and_writes_its_own(
    table: FullTable, ask: Callable[[FullTable], Fact], answer: type[Fact], written: dict[str, bool]
) -> None:
    assert (len(table.state.layout), len(table.state.settled)) == (STAKES_MAX - 1, STAKES_MAX - 1)
    fact = ask(table)
    assert isinstance(fact, BetAccepted | BetChanged | BetCancelled | BetRejected)
    assert fact.type == answer.type
    assert table.last_request is not None
    _, _, place = table.last_request
    of_stake: dict[tuple[str, ...], bool] = {(part, fact.bet_id): kept for part, kept in written.items()}
    assert table.stored.changed == {HEAD: True, ("seen", place): True, **of_stake}


def test_the_last_stake_that_a_round_may_have_is_taken_and_no_further_one(table: FullTable) -> None:
    assert isinstance(table.place("n", "banker", bettor_id="new"), BetAccepted)
    assert isinstance(table.place("m", "banker", bettor_id="new"), BetRejected)


def test_a_repeated_wager_writes_nothing(table: FullTable) -> None:
    table.place("n", "banker", bettor_id="new")
    table.send_again()
    assert table.stored.changed == {}
