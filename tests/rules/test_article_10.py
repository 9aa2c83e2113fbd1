"""Article 10 for the rules: a corrected card is where the last fact says, and the decision is made anew."""

import json
from typing import Any

import pytest

from schemas.events import Fact
from schemas.facts import (
    DrawCalled,
    HouseRulesChanged,
    RoundDecided,
    RoundEnded,
    RoundVoided,
    ShoeStarted,
    TableOpened,
)
from schemas.house_rules import Bet, Condition, HouseRules
from schemas.limits import Limits
from services.rules.core import State
from tests.rules.drive import ROUND, SHOE, TABLE, corrected, dealt, ended, first_four, opened, step, steps
from tests.stored import Stored

FOUR = first_four(["2C", "3C"], ["KC", "5C"])  # cards 21 to 24: Player 5 draws


def say(calls: list[Fact]) -> list[Any]:
    """Each call by what matters: who draws, or how it came out and under which revision."""
    return [
        (call.side, call.through) if isinstance(call, DrawCalled) else (call.result, call.revision, call.through)
        for call in calls
        if isinstance(call, DrawCalled | RoundDecided)
    ]


def test_another_face_makes_the_call_anew() -> None:
    state, calls = steps(FOUR)
    assert say(calls) == [("player", 4)]
    state, calls = step(state, corrected(22, "banker", 1, "4D"))
    assert say(calls) == [("banker", 0, 5)]  # a natural 9: decided for Banker, revision 0


def test_a_third_card_taken_back_is_called_for_again() -> None:
    state, _ = steps([*FOUR, dealt("player", 3, "4C")])
    state, calls = step(state, corrected(25))
    assert say(calls) == [("player", 6)]
    assert say(step(state, corrected(25, "player", 3, "4C"))[1]) == [("banker", 7)]


def test_a_third_card_that_goes_to_the_other_side_is_not_in_both_hands() -> None:
    state, _ = steps([*FOUR, dealt("player", 3, "4C"), corrected(25), corrected(23, "player", 2, "4D")])
    state, calls = step(state, corrected(25, "banker", 3, "4C"))
    (decided,) = calls
    assert isinstance(decided, RoundDecided)
    assert (decided.player_cards, decided.banker_cards) == (("2C", "4D"), ("KC", "5C", "4C"))


def test_between_the_facts_of_a_correction_no_call_is_made_from_hands_that_cannot_be() -> None:
    # Banker's first is no card: the cards behind it move up, one fact after the other.
    state, _ = steps(FOUR)
    said = []
    for fact in (corrected(22), corrected(23, "banker", 1, "3C"), corrected(24, "player", 2, "5C")):
        state, calls = step(state, fact)
        said.append((state.round.expects, say(calls)))
    assert said == [("banker", []), ("player", []), ("banker", [])]
    assert say(step(state, dealt("banker", 2, "7C", 25))[1]) == [("banker", 8)]


def test_two_cards_in_one_place_wait_for_the_fact_that_parts_them() -> None:
    state, _ = steps(FOUR)
    state, calls = step(state, corrected(23, "banker", 2, "3C"))
    assert (state.round.expects, calls) == ("correction", [])
    state, calls = step(state, corrected(24, "player", 2, "5C"))
    assert say(calls) == [("banker", 6)]  # Player 7 stands, Banker 3 draws


@pytest.mark.parametrize(
    "fact",
    [
        corrected(22, "banker", 1, "4D"),  # a natural, and Player's third card is still there
        corrected(21, "player", 1, "4S"),  # Player 7 stands
    ],
)
def test_a_third_card_that_is_not_due_waits_to_be_taken_back(fact: Fact) -> None:
    state, _ = steps([*FOUR, dealt("player", 3, "4C")])
    state, calls = step(state, fact)
    assert (state.round.expects, calls) == ("correction", [])
    assert step(state, corrected(25))[1] != []


def test_a_fact_that_tells_the_same_again_makes_the_call_again() -> None:
    state, _ = steps(FOUR)
    assert say(step(state, corrected(24, "banker", 2, "5C"))[1]) == [("player", 5)]


def test_a_waiting_card_told_to_be_in_no_hand_counts_for_through() -> None:
    state, _ = steps(FOUR[:1])
    state, calls = step(state, corrected(21))
    assert (state.round.through, state.round.expects, calls) == (1, "player", [])


# --- behind the end ---------------------------------------------------------------------------------------------------


def rules(**fields: Any) -> HouseRules:
    bets = (Bet(name="tie", condition=Condition(result="tie"), odds="8:1"),)
    return HouseRules(name="test", version=1, authorisation="", regulation="none", bets=bets, **fields)


def shoe(kind: Any, correctable_rounds: int = 3) -> list[Fact]:
    return [
        TableOpened(
            table=TABLE,
            house_rules=rules(correctable_rounds=correctable_rounds),
            house_rules_sha256="f" * 64,
            limits=Limits(currency="HKD", unit_minor=1, bets={}),
            limits_version=1,
            layouts=1,
            seats=7,
            gaming_day=None,
        ),
        ShoeStarted(
            table=TABLE,
            shoe_number=SHOE,
            kind=kind,
            decks=8,
            cut_card_depth=14,
            burned=0,
            burn_card=None,
            cut_by=None,
            cut_at=None,
            shuffled_by=None,
            deck_set=None,
        ),
    ]


def played(state: State, rounds: int) -> State:
    """So many rounds from ROUND on, each Player 9 against Banker 5."""
    for number in range(ROUND, ROUND + rounds):
        state, _ = step(state, opened(round_number=number))
        for fact in first_four(["9C", "KD"], ["KC", "5C"])[1:]:
            state, calls = step(state, with_number(fact, number))
        (decided,) = calls
        assert isinstance(decided, RoundDecided)
        state, _ = step(state, ended(decided))
    return state


def with_number(fact: Fact, number: int) -> Fact:
    return type(fact)(**{name: getattr(fact, name) for name in fact.__struct_fields__} | {"round_number": number})


def after(rounds: int, kind: str = "physical", correctable_rounds: int = 3) -> State:
    return played(steps(shoe(kind, correctable_rounds))[0], rounds)


@pytest.mark.parametrize("number", [ROUND, ROUND + 1, ROUND + 2])
def test_each_of_the_last_rounds_is_decided_anew_under_the_next_revision(number: int) -> None:
    state, calls = step(after(3), corrected(21, "player", 1, "4D", revision=1, round_number=number))
    (call,) = calls
    assert isinstance(call, DrawCalled)
    assert (call.round_number, call.side, call.through, call.player_total) == (number, "player", 5, 4)
    state, calls = step(state, corrected(25, "player", 3, "2S", revision=1, round_number=number))
    (decided,) = calls
    assert isinstance(decided, RoundDecided)
    assert (decided.round_number, decided.revision, decided.through, decided.result) == (number, 1, 6, "player")
    state, _ = step(state, ended(decided))
    assert say(step(state, corrected(25, revision=2, round_number=number))[1]) == [("player", 7)]


def test_other_rounds_stay_as_they_are() -> None:
    before = after(3)
    state, _ = step(before, corrected(21, "player", 1, "4D", revision=1, round_number=ROUND))
    assert (state.round, state.past[str(ROUND + 1)]) == (before.round, before.past[str(ROUND + 1)])


def test_a_void_correction_can_be_corrected_again() -> None:
    state, _ = step(after(2), corrected(21, "player", 1, "4D", revision=1, round_number=ROUND))
    void = RoundVoided(table=TABLE, shoe_number=SHOE, round_number=ROUND, revision=1, reason="card_missing")
    state, _ = step(state, void)
    _, calls = step(state, corrected(21, "player", 1, "9C", revision=2, round_number=ROUND))
    assert say(calls) == [("player", 2, 6)]


@pytest.mark.parametrize(
    ("state", "numbers"),
    [
        (after(5), [ROUND + 2, ROUND + 3]),
        (after(5, correctable_rounds=1), []),
        (after(5, correctable_rounds=0), []),
        (after(5, kind="virtual"), []),
    ],
)
def test_no_more_rounds_are_kept_than_can_be_corrected(state: State, numbers: list[int]) -> None:
    assert sorted(map(int, state.past)) == numbers


def test_a_correction_writes_the_record_of_its_round_and_no_other() -> None:
    stored = Stored(State, TABLE)
    before = stored.reloaded(State(table=TABLE), after(5, correctable_rounds=4))
    state, _ = step(before, corrected(21, "player", 1, "4D", revision=1, round_number=ROUND + 2))
    assert stored.reloaded(before, state) == state
    assert [json.loads(name) for name in stored.written] == [[TABLE, "past", str(ROUND + 2)]]


def test_a_new_shoe_removes_the_records_of_past_rounds() -> None:
    stored = Stored(State, TABLE)
    before = stored.reloaded(State(table=TABLE), after(5))
    assert len(stored.rows) == 3
    stored.reloaded(before, step(before, shoe("physical")[1])[0])
    assert len(stored.rows) == 1


def test_a_new_shoe_forgets_the_rounds_of_the_last() -> None:
    assert step(after(3), shoe("physical")[1])[0].past == {}


def test_another_rule_set_says_how_many_rounds_are_kept() -> None:
    change = HouseRulesChanged(table=TABLE, house_rules=rules(correctable_rounds=7), house_rules_sha256="f" * 64)
    assert step(after(3), change)[0].correctable_rounds == 7


@pytest.mark.parametrize("number", [ROUND, ROUND + 4])
def test_a_correction_of_a_round_that_is_not_kept_is_an_assertion(number: int) -> None:
    with pytest.raises(AssertionError, match="a fact of round"):
        step(after(4), corrected(21, revision=1, round_number=number))


def test_an_end_is_an_assertion_before_the_corrected_round_is_decided() -> None:
    state, _ = step(after(1), corrected(21, "player", 1, "4D", revision=1))
    end = RoundEnded(
        table=TABLE,
        shoe_number=SHOE,
        round_number=ROUND,
        revision=1,
        result="player",
        player_cards=(),
        banker_cards=(),
        player_total=0,
        banker_total=0,
        natural=False,
        player_pair=False,
        banker_pair=False,
        demonstration=False,
    )
    with pytest.raises(AssertionError, match="not decided"):
        step(state, end)
