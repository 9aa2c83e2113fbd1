"""The books of a table's round, as its facts tell them."""

from typing import Literal

import pytest

from schemas.events import Event
from services.floor.books_of_table import Books, Stake, betting_is_open, books_after, is_settled
from services.floor.play_of_table import Play, play_after
from tests.floor import made


def play_of(*events: Event) -> Play:
    play = Play(table=made.TABLE)
    for event in events:
        play = play_after(play, event)
    return play


def books_of(*events: Event) -> Books:
    books = Books(table=made.TABLE)
    for event in events:
        books = books_after(books, event)
    return books


OPEN = (made.table_opened(), made.shoe_started(), made.round_opened(1))


def test_stakes_are_summed_by_bet() -> None:
    books = books_of(
        made.bet_accepted(1, "a", "player", 100),
        made.bet_accepted(1, "b", "player", 200),
        made.bet_accepted(1, "c", "tie", 50),
        made.bet_changed(1, "a", "banker", 100, 300),
        made.bet_cancelled(1, "c", "tie", 50),
        made.bet_rejected(1),
    )
    assert books.totals_minor == {"player": 200, "banker": 300}
    assert books.answered == 6


def test_a_settled_round_shows_what_was_bet_and_what_came_back() -> None:
    books = books_of(
        made.bet_accepted(1, "a", "player", 100),
        made.bet_accepted(1, "b", "tie", 50),
        made.betting_closed(1, {"player": 100, "tie": 50}),
        made.bets_settled(1, made.settled_bet("a", "player", 100, 200), made.settled_bet("b", "tie", 50, 0)),
        made.round_settled(1, house_minor=-50),
    )
    assert books.totals_minor == {"player": 100, "tie": 50}
    assert books.returns_minor == {"player": 200, "tie": 0}
    assert (books.books_are, books.rounds, books.stakes) == ("settled", 1, {})


def test_a_carried_stake_lies_on_the_next_rounds_layout() -> None:
    books = books_of(
        made.bet_accepted(1, "a", "player", 100),
        made.bets_settled(1, made.settled_bet("a", "player", 100, 0, carried=True)),
        made.round_settled(1, result="tie"),
        made.bet_accepted(2, "b", "player", 50),
    )
    assert books.stakes == {"a": Stake("player", 100), "b": Stake("player", 50)}
    assert books.totals_minor == {"player": 150}


def test_a_late_bet_turns_no_page_back() -> None:
    books = books_of(made.bet_accepted(2, "a", "player", 100), made.bet_rejected(1))
    assert books.round == (1, 2)


def test_stakes_cut_or_handed_back_are_not_on_the_layout() -> None:
    books = books_of(made.bet_accepted(1, "a", "player", 100), made.stake_reduced(1, "a", 100, 60))
    assert books.stakes == {"a": Stake("player", 60)}
    assert books_after(books, made.stake_returned(1, "a", 60)).stakes == {}


@pytest.mark.parametrize(
    "late",
    [
        made.bet_accepted(1, "z", "tie", 50),
        made.bets_settled(1, made.settled_bet("a", "player", 100, 0), revision=1),
        made.round_settled(1, revision=1),
    ],
    ids=["bet", "stakes", "sums"],
)
def test_a_correction_of_an_earlier_round_turns_no_page_back(late: Event) -> None:
    books = books_of(
        made.bet_accepted(1, "a", "player", 100),
        made.bets_settled(1, made.settled_bet("a", "player", 100, 200)),
        made.round_settled(1),
        made.bet_accepted(2, "b", "player", 50),
    )
    assert books_after(books, late) == books


def test_a_correction_of_this_round_states_its_returns_anew() -> None:
    books = books_of(
        made.bet_accepted(1, "a", "player", 100),
        made.bet_accepted(1, "b", "tie", 50),
        made.bets_settled(1, made.settled_bet("a", "player", 100, 200), made.settled_bet("b", "tie", 50, 0)),
        made.round_settled(1),
        made.bets_settled(1, made.settled_bet("a", "player", 100, 100), revision=1),
        made.bets_settled(1, made.settled_bet("b", "tie", 50, 450), revision=1),
        made.round_settled(1, revision=1),
    )
    assert books.returns_minor == {"player": 100, "tie": 450}
    assert books.rounds == 1


# Nothing orders `cards` and `bets`: round 1's and round 2's in each combination.
@pytest.mark.parametrize(
    ("cards_at", "bets_at", "books_are", "settled", "betting"),
    [
        (1, 1, "open", False, True),
        (1, 1, "closed", False, False),
        (1, 1, "settled", True, False),
        (2, 1, "settled", False, True),
        (2, 1, "closed", False, True),
        (1, 2, "open", False, False),
        (1, 2, "settled", True, False),
    ],
)
def test_where_a_round_stands_is_told_from_both_streams(
    cards_at: int, bets_at: int, books_are: Literal["open", "closed", "settled"], settled: bool, betting: bool
) -> None:
    play = play_of(*OPEN, made.round_opened(cards_at))
    books = Books(table=made.TABLE, shoe_number=1, round_number=bets_at, books_are=books_are)
    assert is_settled(play, books) is settled
    assert betting_is_open(play, books) is betting


def test_a_table_without_a_round_is_settled() -> None:
    assert is_settled(play_of(made.table_opened(), made.shoe_started()), Books(table=made.TABLE))
