"""What a reader of the facts knows of a table."""

from typing import Literal

import pytest

from schemas import facts
from schemas.events import Event
from services.floor.play_and_books import (
    Bead,
    Books,
    Play,
    Stake,
    betting_is_open,
    books_after,
    is_settled,
    play_after,
)
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


def test_cards_come_one_by_one_and_their_totals_with_them() -> None:
    play = play_of(
        *OPEN,
        made.card_dealt(1, 2, "player", "8H"),
        made.card_dealt(1, 3, "banker", "7C"),
        made.card_dealt(1, 4, "player", "4S"),
    )
    assert (play.player, play.banker) == (("8H", "4S"), ("7C",))
    assert (play.player_total, play.banker_total) == (2, 7)
    assert play.cards_left == 412


def test_a_call_stands_until_its_card_comes() -> None:
    called = play_of(*OPEN, made.draw_called(1, "banker"))
    assert called.call == made.draw_called(1, "banker")
    assert play_after(called, made.card_dealt(1, 6, "banker", "2D")).call is None


def test_a_call_of_another_round_is_passed_over() -> None:
    assert play_of(*OPEN, made.draw_called(2, "banker")).call is None


def test_an_ended_round_has_a_bead_and_a_new_shoe_an_empty_plate() -> None:
    ended = play_of(*OPEN, made.round_ended(1, "tie", banker_pair=True))
    assert ended.beads == (Bead("tie", player_pair=False, banker_pair=True),)
    assert (ended.round_is, ended.result, ended.natural) == ("ended", "tie", True)
    assert play_after(ended, made.shoe_started(2)).beads == ()


def test_a_shoe_that_ended_does_not_run() -> None:
    play = play_of(*OPEN, made.shoe_ended())
    assert not play.shoe_runs
    assert (play.shoe_number, play.is_open) == (1, True)


def cut_card(round_number: int) -> facts.CutCardReached:
    return facts.CutCardReached(**made.of_round(round_number), card_number=400, last_round=2)


def test_the_cut_card_names_the_last_round() -> None:
    assert not play_of(*OPEN, cut_card(1)).last_round
    assert play_of(*OPEN, made.round_opened(2), cut_card(2)).last_round
    assert play_of(*OPEN, made.round_opened(2, last_round=True)).last_round


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
