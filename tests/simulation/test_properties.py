"""Random tables, house rules and requests: what must hold whatever is asked. Failures shrink to a short list of steps.

The checks stand in `reader.py` (what the facts must say) and `floor.py` (what a request may change).
"""

from typing import Any, Final

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from msgspec.structs import replace

from schemas.house_rules import Bet, Condition, HouseRules
from schemas.limits import BetLimits, Limits
from tests.card_proof import Proof, texts
from tests.keys import key_from
from tests.simulation.floor import ANSWERS_MAX, Floor
from tests.simulation.pit import NAME, house

ROUNDS_MIN: Final = 2_000
MACAU: Final = house()["macau"][0]
SIDE_BETS: Final = (
    Bet(name="lucky_6", condition=Condition(result="banker", banker_total=6, banker_cards=2), odds="12:1"),
    Bet(name="lucky_6", condition=Condition(result="banker", banker_total=6, banker_cards=3), odds="20:1"),
    Bet(name="perfect", condition=Condition(player_perfect_pair=True), odds="25:1"),
)
# What a shuffler has none of.
_no_shoe: Final = {
    "cut_card_depth": 0,
    "burn": "none",
    "burn_each_round": 0,
    "demonstration_rounds": 0,
    "holding": False,
    "surplus_card": "burn",
}

_shoes = st.fixed_dictionaries(
    {
        "decks": st.sampled_from([1, 2, 8]),
        "rounds_after_cut_card": st.integers(0, 1),
        "cut_card_first_counts": st.sampled_from(["round", "last"]),
        "burn": st.sampled_from(["deck_count", "first_card", "fixed", "none"]),
        "burn_includes_indicator": st.booleans(),
        "burn_each_round": st.sampled_from([0, 0, 1]),
        "cut_card_depth": st.sampled_from([14, 20, 30]),
        "holding": st.booleans(),
    }
)
_options = st.fixed_dictionaries(
    {
        "free_rounds": st.sampled_from([None, None, None, 1]),
        "pair_requires_main": st.booleans(),
        "both_sides": st.booleans(),
        "banker_multiple_of_minimum": st.booleans(),
        "commission_rounding": st.sampled_from(["exact_or_reject", "up_to_unit", "down_to_unit"]),
        "differential_policy": st.sampled_from(["at_close", "at_bet", "reject"]),
        "tie_stakes": st.sampled_from(["carry", "carry", "return"]),
        "tie_options": st.sets(st.sampled_from(["withdraw", "increase", "reduce", "switch"])).map(
            lambda chosen: ("keep", *sorted(chosen))
        ),
        "holder_tie_break": st.sampled_from(["first_bet", "lowest_seat"]),
        "surplus_card": st.sampled_from(["burn", "next_round"]),
        "void_keeps_pairs": st.booleans(),
        "correctable_rounds": st.sampled_from([0, 1, 3, 3, 3]),
    }
)
_shufflers = st.sampled_from(["continuous_shuffler", "shuffle_every_round"]).map(
    lambda dealing: {"dealing": dealing, **_no_shoe}
)
KINDS: Final = (
    *["scan", "correct"] * 6,
    *["round", "void", "open card", "close betting", "take seat", "adjust", "pass"] * 2,
    *["open table", "close table", "load", "end shoe", "failed read", "leave seat", "limits", "house rules"],
    *["damage", "hold", "release", "release"],
)


def rules_of(name: str, changes: dict[str, Any]) -> HouseRules:
    """A rule set of no regulation's."""
    bets = (*MACAU.bets, *SIDE_BETS)
    return replace(MACAU, **{"name": name, "regulation": "none", "bets": bets, "demonstration_rounds": 2, **changes})


def limits_of(differential_minor: int, max_stakes: int) -> Limits:
    main = BetLimits(minimum_minor=100, maximum_minor=2_000)
    other = BetLimits(minimum_minor=20, maximum_minor=400, total_minor=600)
    bets = {"player": main, "banker": main, "tie": other, "player_pair": other, "lucky_6": other, "perfect": other}
    return Limits(
        currency="HKD",
        unit_minor=5,
        bets=bets,
        differential_limit_minor=differential_minor,
        max_stakes=max_stakes,
    )


class Evening(RuleBasedStateMachine):
    """One table under random house rules, asked for anything."""

    rounds = 0

    def __init__(self) -> None:
        super().__init__()
        self.floor: Floor

    @initialize(
        shoe=st.one_of(_shoes, _shoes, _shufflers),
        options=_options,
        other=_options,
        differential_minor=st.sampled_from([0, 300, 500]),
        max_stakes=st.sampled_from([2, 6, 1_000]),
        kind=st.sampled_from(["virtual", "physical"]),
        seed=st.integers(0, 2**32),
        begun=st.sampled_from([True, True, True, False]),
    )
    def open(
        self,
        *,
        shoe: dict[str, Any],
        options: dict[str, Any],
        other: dict[str, Any],
        differential_minor: int,
        max_stakes: int,
        kind: str,
        seed: int,
        begun: bool,
    ) -> None:
        rules = {"first": rules_of("first", {**options, **shoe}), "second": rules_of("second", {**other, **shoe})}
        known = {name: (one, "0" * 64) for name, one in rules.items()}
        self.floor = Floor(known, "first", limits_of(differential_minor, max_stakes), kind, seed)
        if begun:
            self.floor.advance(2)
            for _ in range(2):
                self.floor.write(self.floor.anything("take seat"))
            self.floor.hear()

    @rule(answers=st.integers(1, 7))
    def advance(self, answers: int) -> None:
        self.floor.advance(answers)

    @rule(rounds=st.integers(1, 6), bets=st.integers(0, 4))
    def play(self, rounds: int, bets: int) -> None:
        for _ in range(rounds):
            self.floor.deal(bets=bets)

    @rule(kind=st.sampled_from(KINDS), again=st.booleans())
    def ask(self, kind: str, again: bool) -> None:
        self.floor.ask(self.floor.anything(kind), again=again)

    @rule(count=st.integers(1, 4), again=st.booleans())
    def bet(self, count: int, again: bool) -> None:
        if self.floor.random.random() < 0.8:
            self.floor.advance(ANSWERS_MAX, until="betting")
        for _ in range(count):
            self.floor.ask(self.floor.bet(), again=again)

    @precondition(lambda self: self.floor.dealer.kind == "physical")
    @rule(bets=st.integers(1, 4), corrections=st.integers(1, 3), again=st.booleans())
    def look_at_the_camera(self, bets: int, corrections: int, again: bool) -> None:
        for _ in range(2):
            self.floor.deal(bets=bets)
        for _ in range(corrections):
            self.floor.ask(self.floor.anything("correct"), again=again)

    @precondition(lambda self: self.floor.dealer.kind == "physical")
    @rule(answers=st.integers(1, 5), kinds=st.lists(st.sampled_from(["scan", "failed read", "correct"]), max_size=4))
    def misdeal(self, answers: int, kinds: list[str]) -> None:
        self.floor.advance(ANSWERS_MAX, until="betting")
        self.floor.advance(answers)
        for kind in kinds:
            self.floor.ask(self.floor.anything(kind), again=False)

    @precondition(lambda self: self.floor.bet_ids)
    @rule(again=st.booleans())
    def change(self, again: bool) -> None:
        if self.floor.random.random() < 0.8:
            self.floor.advance(ANSWERS_MAX, until="betting")
        self.floor.ask(self.floor.change(), again=again)

    @rule(kinds=st.lists(st.sampled_from(KINDS), min_size=2, max_size=5), bets=st.integers(0, 3))
    def hurry(self, kinds: list[str], bets: int) -> None:
        for _ in range(bets):
            self.floor.write(self.floor.bet())
        for kind in kinds:
            self.floor.write(self.floor.anything(kind))
        self.floor.noisy = True
        self.floor.hear()

    @precondition(lambda self: self.floor.sent)
    @rule(pick=st.integers(0, 30))
    def repeat(self, pick: int) -> None:
        self.floor.repeat(-1 - pick % len(self.floor.sent))

    def teardown(self) -> None:
        if hasattr(self, "floor"):
            if self.floor.dealer.in_round:
                self.floor.deal(bets=0)
            Evening.rounds += self.floor.reader.rounds
            streams = {name: texts(entries) for name, entries in self.floor.pit.streams.items() if name != "rejects"}
            Proof(NAME, streams, [key_from(str(self.floor.seed)).secret]).check()


@pytest.mark.timeout(600)
def test_whatever_is_asked_money_cards_and_ends_keep_their_promises() -> None:
    Evening.rounds = 0
    run_state_machine_as_test(
        Evening,
        settings=settings(
            max_examples=200,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Evening.rounds >= ROUNDS_MIN
