"""The console's `betting.close`: what closes the books, and each reason for which it is refused."""

from collections.abc import Callable
from typing import Final

import msgspec
import pytest

from schemas.events import Fact
from schemas.facts import BettingClosed, RequestRefused, RequestRepeated, RoundSettled
from tests.settlement.drive import TABLE, Table, house, reason

Asked = Callable[[Table], Fact]
REFUSED: Final[list[tuple[str, Asked]]] = [
    ("expired", lambda t: t.close_betting(shoe_number=1)),
    ("expired", lambda t: t.close_betting(round_number=1)),
    ("round_over", lambda t: t.close_betting(round_number=2)),
    ("wrong_round", lambda t: t.close_betting(round_number=4)),
    ("wrong_shoe", lambda t: t.close_betting(shoe_number=3)),
]


@pytest.fixture
def playing() -> Table:
    """Shoe 2, round 3, open, with one stake."""
    table = Table()
    table.start_shoe()
    for _ in range(2):
        table.open_round()
        table.close_betting()
        table.end_round("player")
    table.open_round()
    table.place("p")
    return table


@pytest.mark.parametrize(("expected", "ask"), REFUSED)
def test_the_console_is_refused_for_its_reason_and_the_books_stay(expected: str, ask: Asked, playing: Table) -> None:
    before = playing.state
    answer = ask(playing)
    assert isinstance(answer, RequestRefused)
    assert answer.reason == expected
    assert (playing.state.layout, playing.state.sums, playing.state.round) == (
        before.layout,
        before.sums,
        before.round,
    )
    assert isinstance(playing.close_betting(), BettingClosed)


def test_a_second_close_in_the_middle_of_a_deal_is_refused(playing: Table) -> None:
    playing.close_betting()
    answer = playing.close_betting()
    assert isinstance(answer, RequestRefused)
    assert (answer.reason, answer.request_type) == ("books_closed", "betting.close")
    assert reason(playing.place("n")) == "books_closed"
    assert reason(playing.change("p", 0, "player", 200)) == "books_closed"
    assert reason(playing.cancel("p", 0)) == "books_closed"


def test_no_books_are_closed_where_none_were_opened() -> None:
    never = Table(is_open=False)
    assert reason(never.close_betting()) == "unknown_table"
    table = Table()
    assert reason(table.close_betting(round_number=1)) == "books_not_open"
    table.close()
    assert reason(table.close_betting(round_number=1)) == "table_not_open"


@pytest.mark.parametrize("free_rounds", [0, 1, 3])
def test_empty_books_close_so_many_times_in_a_row(free_rounds: int) -> None:
    table = Table(house(free_rounds=free_rounds))
    for _ in range(2):
        for _ in range(free_rounds):
            table.open_round()
            assert isinstance(table.close_betting(), BettingClosed)
            table.end_round("tie")
        table.open_round()
        assert reason(table.close_betting()) == "no_stake"
        table.place(f"p{table.round_number}")
        assert isinstance(table.close_betting(), BettingClosed)
        table.end_round("player")


def test_free_rounds_in_a_row_are_counted_anew_when_a_table_opens() -> None:
    table = Table(house(free_rounds=1))
    for _ in range(2):
        table.open_round()
        assert isinstance(table.close_betting(), BettingClosed)
        table.end_round("player")
        table.close()
        table.open()
        table.start_shoe()


def test_a_carried_stake_makes_a_round_no_free_round() -> None:
    table = Table(house(free_rounds=0))
    table.open_round()
    table.place("p")
    for _ in range(3):
        assert isinstance(table.close_betting(), BettingClosed)
        table.end_round("tie")
        table.open_round()


def test_without_a_bound_every_round_may_be_free() -> None:
    table = Table()
    for _ in range(20):
        table.open_round()
        closed = table.close_betting()
        assert isinstance(closed, BettingClosed)
        assert (closed.stakes, closed.totals) == (0, {})
        assert [type(fact) for fact in table.end_round("player")] == [RoundSettled]


def test_a_repeated_close_names_its_first_copy(playing: Table) -> None:
    playing.close_betting()
    assert playing.last_request is not None
    request, id_, place = playing.last_request
    before = playing.state
    assert playing.send(request, id_) == RequestRepeated(
        table=TABLE, request_id=id_, request_type="betting.close", first=place
    )
    assert playing.state == before
    answer = playing.send(msgspec.structs.replace(request, operator="another"), id_)
    assert reason(answer) == "id_reused"
    assert playing.state == before


def test_the_last_256_console_requests_of_a_table_are_known(playing: Table) -> None:
    sent = []
    for _ in range(257):
        playing.close_betting(round_number=1)
        assert playing.last_request is not None
        sent.append(playing.last_request)
    assert len(playing.state.seen_on_console) == 256
    assert reason(playing.send(sent[0][0], sent[0][1])) == "expired"
    assert isinstance(playing.send(sent[2][0], sent[2][1]), RequestRepeated)
