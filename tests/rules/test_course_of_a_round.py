"""The course of a round from the shoe's facts: `through`, voids, the next round, and what the shoe cannot write."""

import pytest

from schemas.events import Event, Fact
from schemas.facts import (
    CardCorrected,
    CardDamaged,
    CardDealt,
    CardFoundFaceUp,
    CardOpened,
    CutCardReached,
    DrawCalled,
    HolderPassed,
    HouseRulesChanged,
    LimitsChanged,
    MisdealDetected,
    RequestRefused,
    RequestRepeated,
    RoundDecided,
    RoundEnded,
    RoundOpened,
    RoundVoided,
    ScanMissed,
    ShoeEnded,
    ShoeStarted,
    ShoeSuspect,
    TableClosed,
    TableHeld,
    TableOpened,
    TableReleased,
)
from schemas.streams import EVENTS
from services.rules.core import State
from services.rules.hands import Round
from tests.rules.drive import (
    ROUND,
    SHOE,
    TABLE,
    a_decision,
    card_opened,
    corrected,
    dealt,
    ended,
    face_up,
    first_four,
    opened,
    step,
    steps,
    voided,
)


def test_through_counts_cards_dealt_and_cards_found_face_up() -> None:
    opening, *cards = first_four(["2S", "3S"], ["3H", "3D"])
    state, calls = steps([opening, face_up(), *cards, face_up(), face_up(), dealt("player", 3, "6C")])
    assert [call.through for call in calls if isinstance(call, DrawCalled)] == [5, 8]
    state, calls = steps([face_up(), dealt("banker", 3, "AC")], state)
    assert [call.through for call in calls if isinstance(call, RoundDecided)] == [10]


def test_through_goes_on_after_the_end_and_starts_anew_with_the_next_round() -> None:
    state, _ = steps([*first_four(["9S", "KH"], ["7S", "QH"]), ended(a_decision())])
    state, calls = steps([face_up()], state)
    assert (state.round.through, calls) == (5, [])
    state, calls = steps([opened(round_number=ROUND + 1)], state)
    assert (state.round.through, state.round.cards, calls) == (0, (), [])


def test_a_card_found_face_up_makes_no_call() -> None:
    state, calls = steps(first_four(["2S", "3S"], ["3H", "3D"]))
    assert len(calls) == 1
    assert step(state, face_up())[1] == []


@pytest.mark.parametrize("number_of_facts", [1, 2, 3, 4, 5])
def test_a_round_is_voided_at_any_place_and_the_next_one_starts_clean(number_of_facts: int) -> None:
    facts = [*first_four(["2S", "3S"], ["3H", "3D"])[:number_of_facts], voided()]
    state, _ = steps(facts)
    state, calls = steps([opened(round_number=ROUND + 1)], state)
    assert calls == []
    assert state == State(table=TABLE, round=Round(SHOE, ROUND + 1, expects="player"))


def test_a_decided_round_can_still_be_void() -> None:
    state, _ = steps([*first_four(["9S", "KH"], ["7S", "QH"]), voided()])
    assert state.round.expects == "round"


def test_a_new_shoe_starts_again_with_round_one() -> None:
    state, _ = steps([*first_four(["9S", "KH"], ["7S", "QH"]), ended(a_decision())])
    state, _ = steps([opened(shoe=SHOE + 1, round_number=1)], state)
    assert (state.round.shoe_number, state.round.round_number, state.round.expects) == (SHOE + 1, 1, "player")


OPENED = [opened()]
DEALT = first_four(["2S", "3S"], ["3H", "3D"])  # Player draws
DECIDED = first_four(["9S", "KH"], ["7S", "QH"])
ENDED = [*DECIDED, ended(a_decision())]


@pytest.mark.parametrize(
    ("before", "fact", "why"),
    [
        ([], dealt("player", 1, "2S"), "in 0/0"),
        ([], voided(), "in 0/0"),
        ([], face_up(), "in 0/0"),
        ([], ended(a_decision()), "in 0/0"),
        (OPENED, opened(), "in play"),
        (OPENED, opened(round_number=ROUND + 1), "in play"),
        (OPENED, voided(round_number=ROUND + 1), "3/8 in 3/7"),
        (OPENED, ended(a_decision()), "not decided"),
        (OPENED, dealt("player", 2, "2S"), "position"),
        (DEALT[:2], dealt("banker", 2, "2S"), "position"),
        (DEALT[:4], card_opened("banker", 2, "KS"), "not held"),
        (DEALT, card_opened("banker", 2, "3D"), "not held"),
        (DEALT, corrected(23, "player", 1, "3S", revision=1), "when 0 is expected"),
        (ENDED, corrected(23, "player", 1, "3S", revision=0), "when 1 is expected"),
        (DEALT, dealt("banker", 3, "2S"), "is expected"),
        (DEALT, ended(a_decision()), "not decided"),
        (DECIDED, dealt("player", 3, "2S"), "is expected"),
        (DECIDED, dealt("banker", 3, "2S"), "is expected"),
        (ENDED, dealt("player", 3, "2S"), "is expected"),
        (ENDED, ended(a_decision()), "not decided"),
        (ENDED, voided(), "after its end"),
        (ENDED, opened(), "opens again"),
        (ENDED, opened(round_number=ROUND - 1), "opens again"),
        (ENDED, opened(shoe=SHOE - 1, round_number=ROUND + 1), "opens again"),
    ],
)
def test_what_the_shoe_cannot_write_is_an_assertion(before: list[Fact], fact: Fact, why: str) -> None:
    state, _ = steps(before)
    with pytest.raises(AssertionError, match=why):
        step(state, fact)


COURSE: set[type[Event]] = {
    RoundOpened,
    CardDealt,
    CardOpened,
    CardFoundFaceUp,
    CardCorrected,
    RoundEnded,
    RoundVoided,
}
# What says which rounds can still be corrected.
ROUNDS_KEPT: set[type[Event]] = {TableOpened, HouseRulesChanged, ShoeStarted}
NO_PART_OF_IT: set[type[Event]] = {
    TableClosed,
    CardDamaged,
    HolderPassed,
    LimitsChanged,
    ShoeSuspect,
    TableHeld,
    TableReleased,
    ShoeEnded,
    CutCardReached,
    ScanMissed,
    MisdealDetected,
    RequestRefused,
    RequestRepeated,
}


def test_every_fact_of_the_shoe_is_known_here_as_part_of_a_round_or_not() -> None:
    assert set(EVENTS["cards"]) == COURSE | ROUNDS_KEPT | NO_PART_OF_IT


@pytest.mark.parametrize(
    "fact",
    [
        TableClosed(table=TABLE, reason="r"),
        ShoeEnded(
            table=TABLE,
            shoe_number=SHOE,
            reason="r",
            rounds=1,
            dealt=1,
            burned_seen=0,
            burned_unseen=0,
            surplus=0,
            left=1,
        ),
        CutCardReached(table=TABLE, shoe_number=SHOE, round_number=ROUND, card_number=9, last_round=8),
        ScanMissed(table=TABLE, shoe_number=SHOE, round_number=ROUND, ordinal=9),
        MisdealDetected(table=TABLE, shoe_number=SHOE, round_number=ROUND, ordinal=9, expected_ordinal=8, reason="gap"),
        RequestRefused(table=TABLE, request_id="i", request_type="t", reason="r", detail="d"),
        RequestRepeated(table=TABLE, request_id="i", request_type="t", first=None),
    ],
    ids=lambda fact: fact.type,
)
@pytest.mark.parametrize("before", [[], OPENED, DEALT[:3], DEALT, DECIDED, ENDED], ids=range(6))
def test_other_facts_have_no_effect(fact: Fact, before: list[Fact]) -> None:
    state, _ = steps(before)
    assert step(state, fact) == (state, [])
