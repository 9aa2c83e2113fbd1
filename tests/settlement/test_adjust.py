"""settlement.adjust: what a stake got is put right by hand, outside every round's books."""

from collections.abc import Callable

import pytest

from schemas.events import Fact
from schemas.facts import RequestRepeated, SettlementAdjusted
from tests.settlement.drive import TABLE, house, reason
from tests.settlement.stored import known_stakes
from tests.settlement.verbs import Floor, books, playing

APPROVED = house(approval=("adjust",))


def settled(result: str = "player") -> Floor:
    """Round 1 is settled: ann's Banker 200 and a cancelled stake; round 2 is open with bob's Player 100."""
    floor = playing(APPROVED)
    floor.place("b", "banker", 200)
    floor.place("x", "tie", 50)
    floor.cancel("x", 0)
    floor.play(result)  # type: ignore[arg-type] # one of the results
    floor.open_round()
    floor.place("n", "player", 100, bettor_id="bob")
    return floor


@pytest.mark.parametrize("result", ["player", "tie"])
def test_a_stake_of_a_settled_round_is_adjusted_also_when_it_was_carried_on(result: str) -> None:
    floor = settled(result)
    before = floor.state.sums
    assert floor.adjust("b", 190, round_number=1) == SettlementAdjusted(
        table=TABLE,
        shoe_number=1,
        round_number=1,
        bet_id="b",
        bettor_id="ann",
        amount_minor=190,
        reason="dispute",
        operator="dealer-1",
        approved_by="pit-boss",
    )
    assert floor.state.sums == before
    books(floor.play("player"))


def test_an_adjustment_may_take_back_what_was_paid() -> None:
    answer = settled().adjust("b", -390, round_number=1)
    assert isinstance(answer, SettlementAdjusted)
    assert answer.amount_minor == -390


REFUSED: list[tuple[str, Callable[[Floor], Fact]]] = [
    ("approval_missing", lambda floor: floor.adjust("b", 100, round_number=1, approved_by=None)),
    ("approval_missing", lambda floor: floor.adjust("b", 100, round_number=1, approved_by="dealer-1")),
    ("no_such_bet", lambda floor: floor.adjust("never", 100, round_number=1)),
    ("no_such_bet", lambda floor: floor.adjust("x", 100, round_number=1)),
    ("no_such_bet", lambda floor: floor.adjust("n", 100, round_number=1)),
    ("round_running", lambda floor: floor.adjust("n", 100, round_number=2)),
    ("wrong_round", lambda floor: floor.adjust("b", 100, round_number=3)),
    ("wrong_round", lambda floor: floor.adjust("b", 100, round_number=0)),
    ("wrong_shoe", lambda floor: floor.adjust("b", 100, round_number=1, shoe_number=2)),
    ("out_of_range", lambda floor: floor.adjust("b", 0, round_number=1)),
    ("not_whole_units", lambda floor: floor.adjust("b", 3, round_number=1)),
    ("amount_too_large", lambda floor: floor.adjust("b", 20_005, round_number=1)),  # the maximum of 10,000 at 1:1
    ("amount_too_large", lambda floor: floor.adjust("b", -20_005, round_number=1)),
    ("amount_too_large", lambda floor: floor.adjust("b", 10**30, round_number=1)),
]


@pytest.mark.parametrize(("expected", "ask"), REFUSED)
def test_an_adjustment_is_refused_for_its_reason(expected: str, ask: Callable[[Floor], Fact]) -> None:
    floor = settled()
    before = known_stakes(floor.state)
    assert reason(ask(floor)) == expected
    assert known_stakes(floor.state) == before


def test_all_adjustments_of_a_stake_together_stay_within_the_most_that_it_could_bring() -> None:
    floor = settled()
    for _ in range(2):
        assert isinstance(floor.adjust("b", 10_000, round_number=1), SettlementAdjusted)
    assert reason(floor.adjust("b", 5, round_number=1)) == "amount_too_large"
    assert isinstance(floor.adjust("b", -20_000, round_number=1), SettlementAdjusted)


def test_without_the_house_rule_the_operator_alone_may_adjust() -> None:
    floor = playing(house(approval=("void",)))
    floor.place("b", "banker", 200)
    floor.play("player")
    assert isinstance(floor.adjust("b", 200, approved_by=None), SettlementAdjusted)


def test_a_repeated_adjustment_is_made_once() -> None:
    floor = settled()
    floor.adjust("b", 190, round_number=1)
    assert isinstance(floor.send_again(), RequestRepeated)
    assert floor.state.settled["b"].stake.adjusted_minor == 190


def test_stakes_are_adjusted_as_long_as_their_round_can_be_corrected() -> None:
    floor = Floor(house(correctable_rounds=2))
    for number in range(1, 4):
        floor.open_round()
        floor.place(f"b{number}", "banker", 100)
        floor.play("player")
    assert reason(floor.adjust("b1", 100, round_number=1)) == "expired"
    assert isinstance(floor.adjust("b2", 100, round_number=2), SettlementAdjusted)
    floor.start_shoe()
    assert isinstance(floor.adjust("b3", 100, shoe_number=1, round_number=3), SettlementAdjusted)
    floor.close()
    assert isinstance(floor.adjust("b3", 95, shoe_number=1, round_number=3), SettlementAdjusted)


def test_a_stake_carried_over_two_rounds_may_be_adjusted_in_each() -> None:
    floor = playing()
    floor.place("b", "banker", 200)
    floor.play("tie")
    floor.open_round()
    floor.change("b", 0, "player", 300)
    floor.play("tie")
    for number in (1, 2):
        assert isinstance(floor.adjust("b", 10, round_number=number), SettlementAdjusted)


def test_a_stake_that_ended_is_in_no_later_rounds_books() -> None:
    floor = settled()
    floor.play("player")
    assert reason(floor.adjust("b", 100, round_number=2)) == "no_such_bet"
    assert isinstance(floor.adjust("n", 100, round_number=2), SettlementAdjusted)


def test_a_stake_given_back_between_rounds_may_be_adjusted_in_the_round_that_carried_it() -> None:
    floor = playing()
    floor.place("b", "banker", 200)
    floor.play("tie")
    floor.change_rules(house())
    assert isinstance(floor.adjust("b", 190), SettlementAdjusted)


def test_a_demonstration_round_has_no_stakes_to_adjust() -> None:
    floor = settled()
    floor.play("player")
    floor.start_shoe()
    floor.open_round(demonstration=True)
    assert reason(floor.adjust("b", 100)) == "round_running"
    floor.end_round("player", demonstration=True)
    assert reason(floor.adjust("b", 100)) == "expired"


def test_a_table_never_opened_has_nothing_to_adjust() -> None:
    assert reason(Floor(is_open=False).adjust("b", 100)) == "unknown_table"
    assert reason(Floor().adjust("b", 100, round_number=1)) == "books_not_open"
