"""Repeats: an identity is answered once, a bet_id is one stake's, as long as the table remembers them."""

from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from schemas.facts import BetAccepted, BetRejected, RequestRepeated
from tests.settlement.drive import TABLE, Table, house, limits, opened, reason


def test_an_unknown_table_takes_nothing_and_remembers_nobody() -> None:
    table = Table(is_open=False)
    before = table.state
    for _ in range(2):
        answer = table.place("n")
        assert isinstance(answer, BetRejected)
        assert answer.reason == "unknown_table"
    assert reason(table.send_again()) == "unknown_table"
    assert table.state == before


def test_a_closed_table_takes_nothing_and_still_knows_a_repeat() -> None:
    table = opened()
    table.place("b1")
    first = table.last_request
    assert first is not None
    table.close_betting()
    table.end_round("player")
    table.close()
    assert reason(table.place("b2")) == "table_not_open"
    assert isinstance(table.send(first[0], first[1]), RequestRepeated)


@pytest.mark.parametrize("steps", range(5), ids=["open", "closed", "settled", "next open", "next closed"])
def test_a_repeat_names_the_first_copy_until_the_next_round_is_settled(steps: int) -> None:
    table = opened()
    table.place("b1")
    assert table.last_request is not None
    request, id_, place = table.last_request
    goes_on: list[Callable[[], object]] = [
        table.close_betting,
        partial(table.end_round, "player"),
        table.open_round,
        table.close_betting,
    ]
    for step in goes_on[:steps]:
        step()
    before = table.state
    assert table.send(request, id_) == RequestRepeated(
        table=TABLE, request_id=id_, request_type="bet.place", first=place
    )
    assert table.state == before


def test_a_copy_later_than_that_is_expired_and_can_never_be_taken() -> None:
    table = opened()
    table.place("b1")
    assert table.last_request is not None
    request, id_, _ = table.last_request
    for _ in range(2):
        table.close_betting()
        table.end_round("player")
        table.open_round()
    assert table.state.seen == {}
    assert reason(table.send(request, id_)) == "expired"


def test_an_identity_with_other_data_is_rejected_and_the_first_answer_stands() -> None:
    table = opened()
    table.place("b1", amount_minor=100)
    assert table.last_request is not None
    request, id_, _ = table.last_request
    other = msgspec.structs.replace(request, amount_minor=200)
    answer = table.send(other, id_)
    assert isinstance(answer, BetRejected)
    assert (answer.reason, answer.amount_minor) == ("id_reused", 200)
    assert isinstance(table.send(request, id_), RequestRepeated)
    assert table.state.layout["b1"].amount_minor == 100


@pytest.mark.parametrize(("correctable_rounds", "known_rounds"), [(0, 1), (1, 1), (3, 3)])
def test_a_bet_id_is_one_stakes_as_long_as_its_round_can_be_corrected(
    correctable_rounds: int, known_rounds: int
) -> None:
    """It is known for one round more at least, as identities are."""
    table = opened(house(correctable_rounds=correctable_rounds))
    table.place("b1")
    for _ in range(known_rounds + 1):
        assert reason(table.place("b1")) == "id_reused"
        table.close_betting()
        assert reason(table.place("b1")) == "id_reused"
        table.end_round("banker")
        table.open_round()
    assert isinstance(table.place("b1"), BetAccepted)


def test_a_rejected_bet_id_is_free() -> None:
    table = opened()
    table.place("b1", amount_minor=1)
    assert isinstance(table.place("b1"), BetAccepted)


def test_a_table_remembers_four_wagers_for_each_stake_it_may_have() -> None:
    table = opened(bounds=limits(max_stakes=2))
    for number in range(8):
        table.place(f"b{number}", amount_minor=1)
    before = table.state
    assert reason(table.place("late")) == "round_full"
    assert reason(table.send_again()) == "round_full"
    assert table.state == before
    table.close_betting()
    table.end_round("player")
    table.open_round()
    assert isinstance(table.place("late"), BetAccepted)
