"""What holds however rounds are corrected, voided, adjusted, held and put under other rules.

The floor's own ledger reads every fact and must find nothing to say; each stake's return is held against odds written
here by hand.
"""

from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.cards import Result
from schemas.events import Fact
from schemas.facts import (
    BetsSettled,
    BettingClosed,
    RoundSettled,
    SettledBet,
)
from schemas.house_rules import HouseRules
from services.floor.ledger import Ledger
from tests.settlement.drive import MACAU, house, limits, reason
from tests.settlement.verbs import Floor

HOUSES: Final = {
    "macau": MACAU,
    "pushes returned": house(tie_stakes="return"),
    "one round back": house(correctable_rounds=1),
}
SEATS: Final = {"ann": 1, "bob": 2}
# Won to stake, commission taken off.
_RETURNS: Final = {"player": (1, 1), "tie": (8, 1), "player_pair": (11, 1), "banker_pair": (11, 1), "banker": (95, 100)}

_results: st.SearchStrategy[Result] = st.sampled_from(["player", "banker", "tie", "tie"])
_pairs = st.sampled_from(["", "player", "banker", "both"])
_known = st.sampled_from(
    [{}, {}, {"player_pair": True}, {"banker_pair": False}, {"player_pair": False, "banker_pair": True}]
)
_bettors, _bets = st.sampled_from(list(SEATS)), st.sampled_from(list(_RETURNS))
_places = st.tuples(st.just("place"), _bettors, _bets, st.sampled_from([100, 200, 1_000]), st.booleans())
_ends = st.tuples(st.just("end"), _results, _pairs)
_corrections = st.tuples(st.just("correct"), st.integers(0, 3), _results, _pairs)
_single_steps = st.one_of(
    _places,
    st.tuples(st.just("change"), st.integers(0, 5), st.sampled_from(["player", "banker"]), st.sampled_from([100, 300])),
    st.tuples(st.just("cancel"), st.integers(0, 5)),
    st.tuples(st.just("on"), st.sampled_from([False, True])),
    st.tuples(st.just("close")),
    _ends,
    st.tuples(st.just("void"), _known),
    st.tuples(st.just("correct to void"), st.integers(0, 3), _known),
    st.tuples(st.just("adjust"), st.integers(0, 9), st.integers(0, 3), st.sampled_from([-100, 0, 3, 95, 10**9])),
    st.tuples(st.just("seat"), st.sampled_from(["seat", "unseat"]), _bettors),
    st.tuples(st.just("hold"), st.sampled_from([True, False, False, False])),
    st.tuples(st.just("rules"), st.integers(1, 9)),
    st.tuples(st.just("shoe")),
    st.tuples(st.just("table")),
)
_rounds = st.builds(
    lambda bets, end: [("hold", False), ("on", False), *bets, ("close",), end], st.lists(_places, max_size=4), _ends
)
_steps = st.lists(
    st.one_of(_rounds, _rounds, _corrections.map(lambda one: [one]), st.lists(_single_steps, min_size=1, max_size=4)),
    min_size=4,
    max_size=25,
).map(lambda groups: [step for group in groups for step in group])


class Played(msgspec.Struct):
    """A round of the present shoe as the shoe knows it."""

    demonstration: bool
    ended: bool = False
    revision: int = 0
    carried_out: bool = False
    given_back: bool = False


class Shoe:
    """Lets happen what the shoe lets happen, and asks for anything at any time."""

    def __init__(self, rules: HouseRules) -> None:
        self.rules = rules
        self.floor = Floor(rules, limits(max_stakes=6))
        self.rounds: dict[int, Played] = {}
        self.phase = "settled"
        self.held = False
        self.result: tuple[Result | None, str, dict[str, bool]] = (None, "", {})
        self.bets = 0

    def play(self, step: tuple[Any, ...]) -> None:
        floor = self.floor
        match step:
            case ("place", bettor_id, bet, amount_minor, seated):
                seat = SEATS[bettor_id] if seated else None
                self.bets += 1
                self._ask(floor.place(f"b{self.bets}", bet, amount_minor, bettor_id=bettor_id, seat=seat))
            case ("change", pick, bet, amount_minor):
                self._ask(floor.change(self._stake(pick), 0, bet, amount_minor))
            case ("cancel", pick):
                self._ask(floor.cancel(self._stake(pick), 0))
            case ("close",):
                answer = floor.close_betting()
                self.phase = "closed" if isinstance(answer, BettingClosed) else self.phase
            case ("adjust", pick, back, amount_minor):
                number = floor.round_number - back
                self._ask(floor.adjust(self._stake(pick), amount_minor, round_number=number))
            case ("seat", verb, bettor_id):
                self._ask(getattr(floor, verb)(bettor_id, SEATS[bettor_id]))
            case ("hold", held):
                self.held = held
                assert (floor.hold() if held else floor.release()) == []
            case _ if not self.held:
                self._deal(step)
            case _:
                pass

    def _deal(self, step: tuple[Any, ...]) -> None:
        floor, between = self.floor, self.phase == "settled"
        match step:
            case ("on", demonstration) if between:
                demonstration = demonstration and all(played.demonstration for played in self.rounds.values())
                floor.open_round(demonstration=demonstration)
                self.rounds[floor.round_number] = Played(demonstration)
                self.phase = "demonstration" if demonstration else "open"
            case ("end", result, pairs) if self.phase in ("closed", "demonstration"):
                self.result = (result, pairs, {})
                facts = floor.end_round(result, 7, 7, pairs, demonstration=self.phase == "demonstration")
                self._settled(floor.round_number, 0, facts)
            case ("void", known) if not between:
                self.result = (None, "", known)
                floor.void(floor.round_number, **known)
                self.phase = "settled"
            case ("correct" | "correct to void", back, *told) if between and self._correctable(
                floor.round_number - back
            ):
                number = floor.round_number - back
                revision, demonstration = self.rounds[number].revision + 1, self.rounds[number].demonstration
                if step[0] == "correct":
                    self.result = (told[0], told[1], {})
                    facts = floor.correct(number, revision, told[0], pairs=told[1], demonstration=demonstration)
                else:
                    self.result = (None, "", told[0])
                    facts = floor.void(number, revision, **told[0])
                self._settled(number, revision, facts)
            case ("rules", version) if between:
                if floor.change_rules(msgspec.structs.replace(self.rules, version=version)):
                    for played in self.rounds.values():
                        played.given_back = True
            case ("shoe",) | ("table",) if between:
                if step[0] == "table":
                    floor.close()
                    floor.open()
                floor.start_shoe()
                self.rounds = {}
            case _:
                pass

    def _settled(self, number: int, revision: int, facts: list[Fact]) -> None:
        last = facts[-1]
        assert isinstance(last, RoundSettled)
        assert (last.round_number, last.revision) == (number, revision)
        played = self.rounds[number]
        played.ended, played.revision, played.carried_out = True, revision, last.carried_out_minor > 0
        self.phase = "settled"

    def _correctable(self, number: int) -> bool:
        played = self.rounds.get(number)
        if played is None or not played.ended or number <= self.floor.round_number - self.rules.correctable_rounds:
            return False
        later = any(not other.demonstration for other_number, other in self.rounds.items() if other_number > number)
        return not (played.carried_out and (later or played.given_back))

    def _stake(self, pick: int) -> str:
        return f"b{self.bets - pick}"

    def _ask(self, answer: Fact) -> None:
        """A held table takes nothing."""
        if self.held:
            assert reason(answer) is not None

    def check(self, facts: list[Fact]) -> None:
        for fact in facts:
            if isinstance(fact, BetsSettled):
                for bet in fact.bets:
                    self._check_bet(bet)
        state = self.floor.state
        assert len(state.settled_rounds) <= max(self.rules.correctable_rounds, 1)
        assert all(
            ended.ended_in >= state.generation - self.rules.correctable_rounds for ended in state.settled.values()
        )

    def _check_bet(self, bet: SettledBet) -> None:
        """By hand: what this stake brings under the result just told."""
        if bet.carried:
            assert self.result[0] == "tie"
            assert (bet.outcome, bet.return_minor, bet.commission_minor) == ("push", 0, 0)
            return
        odds, to = _RETURNS[bet.bet]
        expected = {True: bet.stake_minor * (odds + to) // to, False: 0, None: bet.stake_minor}
        assert bet.return_minor == expected[self._won(bet.bet)]

    def _won(self, bet: str) -> bool | None:
        """None: the stake is handed back."""
        result, pairs, known = self.result
        if result is None:
            return known.get(bet)
        if bet in ("player_pair", "banker_pair"):
            return pairs == "both" or bet == f"{pairs}_pair"
        return None if result == "tie" and bet != "tie" else bet == result


@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
@settings(max_examples=120, deadline=None)
@given(steps=_steps)
def test_books_balance_through_every_correction(rules: HouseRules, steps: list[tuple[Any, ...]]) -> None:
    shoe, ledger = Shoe(rules), Ledger()
    for step in steps:
        written = len(shoe.floor.facts)
        shoe.play(step)
        facts = shoe.floor.facts[written:]
        shoe.check(facts)
        for fact in facts:
            ledger.add(fact)
        assert ledger.problems == []
        assert ledger.balanced
