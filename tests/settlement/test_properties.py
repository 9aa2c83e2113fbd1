"""What holds over any sequence of requests and rounds. The ledger sums single facts and asks the core nothing."""

from itertools import count
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import Result
from schemas.events import Fact
from schemas.facts import (
    BetRejected,
    BettingClosed,
    RequestRefused,
    RequestRepeated,
    WagerTaken,
)
from schemas.house_rules import HouseRules
from schemas.limits import BetLimits
from tests.settlement.drive import LIMITS, MACAU, NO_COMMISSION, Table, house, limits
from tests.settlement.ledger import RETURN_MAX, Ledger

BETS: Final = (*RETURN_MAX, "lucky_6")
HOUSES: Final = {
    "macau": MACAU,
    "rounded up": house(commission_rounding="up_to_unit"),
    "rounded down, half on six": house(NO_COMMISSION, commission=5, commission_rounding="down_to_unit"),
    "stakes returned on a tie": house(tie_stakes="return"),
    "one free round": house(free_rounds=1),
    "only adding, one side, pairs beside it": house(
        tie_options=("keep", "increase"), both_sides=False, pair_requires_main=True
    ),
    "only keeping, any Banker stake": house(tie_options=("keep",), banker_multiple_of_minimum=False),
    "differential at bet": house(differential_policy="at_bet", pair_requires_main=True),
    "differential at bet, any Banker stake": house(
        differential_policy="at_bet", banker_multiple_of_minimum=False, commission_rounding="down_to_unit"
    ),
    "differential rejects": house(differential_policy="reject"),
}
_MAIN: Final = BetLimits(minimum_minor=100, maximum_minor=10_000)
_HIGHER: Final = BetLimits(minimum_minor=300, maximum_minor=2_000, total_minor=3_000)
BOUNDS: Final = [
    limits(max_stakes=6),
    limits(max_stakes=6, differential_limit_minor=600),
    limits(max_stakes=4, bets=LIMITS.bets | {"player": _MAIN, "banker": _HIGHER}, differential_limit_minor=305),
    limits(max_stakes=6, bets=LIMITS.bets | {"player": _HIGHER, "banker": _MAIN}),
]

_bettors = st.sampled_from(["ann", "bob"])
_sides = st.sampled_from(["player", "banker"])
_good_amounts = st.sampled_from([100, 105, 200, 300, 600, 1_200, 2_000])
_amounts = st.one_of(_good_amounts, st.sampled_from([-5, 0, 7, 20, 110, 995, 10_000, 10_005, 10**13, 10**25]))
_picks = st.integers(0, 5)  # of the latest stakes or requests
_off_by = st.sampled_from([0] * 12 + [-1, 1])  # the right number of a round, the right revision of a stake
_results: st.SearchStrategy[Result] = st.sampled_from(["player", "banker", "tie", "tie"])
_end = st.tuples(st.just("end"), _results, st.integers(0, 9), st.sampled_from(["", "player", "banker", "both"]))
_ask = st.one_of(
    st.tuples(st.just("place"), _bettors, st.sampled_from(BETS), _amounts, _off_by),
    st.tuples(st.just("place"), _bettors, _sides, _good_amounts, st.just(0)),
    st.tuples(st.just("change"), _picks, _off_by, st.sampled_from(BETS), _amounts, _off_by),
    st.tuples(st.just("change"), _picks, st.just(0), _sides, _good_amounts, st.just(0)),
    st.tuples(st.just("cancel"), _picks, _off_by, _off_by),
    st.tuples(st.just("repeat"), st.integers(0, 30)),
)
_limits = st.tuples(st.just("limits"), st.sampled_from(BOUNDS))
_any_step = st.one_of(
    _ask,
    _end,
    st.tuples(st.just("close"), _off_by),
    st.tuples(st.just("on")),
    st.tuples(st.just("void")),
    st.tuples(st.just("shoe")),
    st.tuples(st.just("demonstration")),
    st.tuples(st.just("table")),
    _limits,
)
_round = st.tuples(st.lists(_limits, max_size=1), st.lists(_ask, max_size=8), _end).map(
    lambda parts: [*parts[0], ("on",), *parts[1], ("close", 0), parts[2]]
)
_steps: st.SearchStrategy[list[tuple[Any, ...]]] = st.lists(
    st.one_of(_round, _round, st.lists(_any_step, min_size=1, max_size=3)), min_size=5, max_size=12
).map(lambda parts: [step for part in parts for step in part])


class Floor:
    """Plays random steps at one table as a floor would: the shoe keeps its order, requests come at any time."""

    def __init__(self, rules: HouseRules) -> None:
        self.table = Table(rules, BOUNDS[0])
        self.limits = BOUNDS[0]  # in force; the table's bounds are so from the next round on
        self.phase = "settled"
        self.requests: list[tuple[Any, str, str]] = []
        self._bet_ids = count()

    def play(self, step: tuple[Any, ...]) -> None:
        table, phase = self.table, self.phase
        match step:
            case ("place", bettor_id, bet, amount_minor, off_by):
                bet_id = f"b{next(self._bet_ids)}"
                self._ask(table.place, bet_id, bet, amount_minor, bettor_id=bettor_id, **self._about(off_by))
            case ("change", pick, revision_off_by, bet, amount_minor, off_by):
                bet_id, revision = self._stake(pick, revision_off_by)
                self._ask(table.change, bet_id, revision, bet, amount_minor, **self._about(off_by))
            case ("cancel", pick, revision_off_by, off_by):
                self._ask(table.cancel, *self._stake(pick, revision_off_by), **self._about(off_by))
            case ("close", off_by):
                if isinstance(self._ask(table.close_betting, **self._about(off_by)), BettingClosed):
                    self.phase = "closed"
            case ("repeat", pick) if self.requests:
                self._repeat(len(self.requests) - 1 - pick % len(self.requests))
            case ("on",) | ("demonstration",) if phase == "settled":
                table.open_round(demonstration=step[0] == "demonstration")
                self.limits = table.bounds
                self.phase = "open" if step[0] == "on" else "demonstration"
            case ("end", result, total, pairs) if phase in ("closed", "demonstration"):
                table.end_round(result, total, total, pairs, demonstration=phase == "demonstration")
                self.phase = "settled"
            case ("void",) if phase != "settled":
                table.void_round()
                self.phase = "settled"
            case ("shoe",) if phase == "settled":
                table.start_shoe()
            case ("table",) if phase == "settled":
                table.close()
                table.open()
                self.limits = table.bounds
            case ("limits", bounds):
                table.set_limits(**msgspec.structs.asdict(bounds))
            case _:  # a step that the shoe or the floor would not take now
                pass

    def _ask(self, ask: Any, *given: Any, **named: Any) -> Fact:
        before = self.table.state
        answer: Fact = ask(*given, **named)
        assert self.table.last_request is not None
        self.requests.append(self.table.last_request)
        if isinstance(answer, BetRejected | RequestRefused):
            self._assert_books_as(before)
        return answer

    def _repeat(self, index: int) -> None:
        """A known copy is told where the first stands; one that is not known (any more) is judged as new."""
        request, id_, place = self.requests[index]
        before = self.table.state
        answer = self.table.send(request, id_)
        if isinstance(answer, RequestRepeated):
            assert answer.first == place
            assert self.table.state == before
        else:
            assert isinstance(answer, BetRejected | RequestRefused)
            assert self.table.last_request is not None
            self.requests[index] = self.table.last_request
            self._assert_books_as(before)

    def _assert_books_as(self, before: Any) -> None:
        names = ("layout", "settled", "sums", "round", "generation", "free_rounds", "is_open")
        assert [getattr(self.table.state, name) for name in names] == [getattr(before, name) for name in names]

    def _about(self, off_by: int) -> dict[str, int]:
        return {"round_number": self.table.round_number + off_by}

    def _stake(self, pick: int, off_by: int) -> tuple[str, int]:
        """One of the latest stakes, ended or not, and a revision that may be its last."""
        taken = [fact for fact in self.table.facts[-80:] if isinstance(fact, WagerTaken)]
        revisions = {fact.bet_id: fact.revision for fact in taken}
        if not revisions:
            return "unknown", 0
        bet_id = list(revisions)[-1 - pick % len(revisions)]
        return bet_id, revisions[bet_id] + off_by


@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
@settings(max_examples=80, deadline=None)
@given(steps=_steps)
def test_books_balance_and_each_stake_ends_once_whatever_the_floor_asks(
    rules: HouseRules, steps: list[tuple[Any, ...]]
) -> None:
    floor, ledger = Floor(rules), Ledger(rules)
    for step in steps:
        written, phase = len(floor.table.facts), floor.phase
        floor.play(step)
        for fact in floor.table.facts[written:]:
            ledger.read(fact, floor.limits, phase)
        ledger.check()


@settings(max_examples=60, deadline=None)
@given(steps=_steps, pick=_picks)
def test_the_same_entries_give_the_same_facts(steps: list[tuple[Any, ...]], pick: int) -> None:
    runs = []
    for _ in range(2):
        floor = Floor(MACAU)
        for step in [*steps, ("repeat", pick)]:
            floor.play(step)
        runs.append(msgspec.json.encode(floor.table.facts))
    assert runs[0] == runs[1]
