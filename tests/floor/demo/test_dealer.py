"""What the demo's dealer asks for next, and under which identity."""

import pytest
from msgspec.structs import replace

from schemas import requests
from schemas.house_rules import SHIPPED_DIRECTORY, read_house_rules
from schemas.limits import impossible
from services.floor.books_of_table import Books
from services.floor.demo.dealer import (
    FLAT_OUT,
    FOR_PEOPLE,
    Move,
    Pace,
    identity,
    next_move,
    request_for,
)
from services.floor.demo.tables import TABLES, limits_of
from services.floor.play_of_table import Play

CLOSED = Play(table="macau-1")
OPEN = Play(table="macau-1", is_open=True, openings=1, decks=8)
ONLINE, _ = read_house_rules(SHIPPED_DIRECTORY)["six-deck-online"]
SHOE = replace(OPEN, shoe_number=1, shoe_runs=True)
BETTING = replace(SHOE, round_number=1, round_is="open")
ENDED = replace(SHOE, round_number=1, round_is="ended")
VOIDED = replace(SHOE, round_number=1, round_is="voided")
LAST = replace(ENDED, last_round=True)
NONE = Books(table="macau-1")
BOOKS_OPEN = Books(table="macau-1", shoe_number=1, round_number=1, books_are="open", answered=1)
BOOKS_CLOSED = replace(BOOKS_OPEN, books_are="closed")
SETTLED = replace(BOOKS_OPEN, books_are="settled", rounds=1)


@pytest.mark.parametrize(
    ("play", "books", "pace", "waited_seconds", "rounds", "move"),
    [
        (CLOSED, NONE, FLAT_OUT, 0.0, 5, "open the table"),
        (OPEN, NONE, FLAT_OUT, 0.0, 5, "load a shoe"),
        (SHOE, NONE, FLAT_OUT, 0.0, 5, "open a round"),
        (BETTING, NONE, FLAT_OUT, 0.0, 5, None),
        (BETTING, BOOKS_OPEN, FLAT_OUT, 0.0, 5, "close betting"),
        (BETTING, NONE, FLAT_OUT, 5.0, 5, "close betting"),
        (BETTING, BOOKS_OPEN, FOR_PEOPLE, 3.9, None, None),
        (BETTING, BOOKS_OPEN, FOR_PEOPLE, 4.0, None, "close betting"),
        (BETTING, BOOKS_CLOSED, FLAT_OUT, 9.0, 5, None),
        (ENDED, BOOKS_CLOSED, FLAT_OUT, 9.0, 5, None),
        (ENDED, SETTLED, FLAT_OUT, 0.0, 5, "open a round"),
        (VOIDED, SETTLED, FLAT_OUT, 0.0, 5, "open a round"),
        (ENDED, SETTLED, FLAT_OUT, 0.0, 1, None),
        (ENDED, SETTLED, FOR_PEOPLE, 4.9, None, None),
        (ENDED, SETTLED, FOR_PEOPLE, 5.0, None, "open a round"),
        (LAST, SETTLED, FLAT_OUT, 9.0, 5, None),
        (replace(LAST, rules=ONLINE), SETTLED, FLAT_OUT, 0.0, 5, "open a round"),
        (replace(LAST, shoe_runs=False, round_is="none"), SETTLED, FLAT_OUT, 0.0, 5, "load a shoe"),
        (replace(BETTING, round_number=2), SETTLED, FLAT_OUT, 0.0, 5, None),
    ],
)
def test_the_dealer_asks_for_what_comes_next(
    *, play: Play, books: Books, pace: Pace, waited_seconds: float, rounds: int | None, move: Move | None
) -> None:
    assert next_move(play, books, pace=pace, waited_seconds=waited_seconds, rounds=rounds) == move


def test_requests_name_the_next_numbers() -> None:
    shoe = request_for("load a shoe", ENDED, wagers_through="0-0")
    assert isinstance(shoe, requests.ShoeLoad)
    assert (shoe.shoe_number, shoe.kind, shoe.cut_at) == (2, "virtual", 208)
    opened = request_for("open a round", ENDED, wagers_through="0-0")
    assert isinstance(opened, requests.RoundOpen)
    assert (opened.shoe_number, opened.round_number) == (1, 2)
    closed = request_for("close betting", BETTING, wagers_through="7-1")
    assert isinstance(closed, requests.BettingClose)
    assert (closed.shoe_number, closed.round_number, closed.wagers_through) == (1, 1, "7-1")


def test_a_shoe_shuffled_every_round_is_not_cut() -> None:
    shoe = request_for("load a shoe", replace(OPEN, rules=ONLINE), wagers_through="0-0")
    assert isinstance(shoe, requests.ShoeLoad)
    assert (shoe.cut_by, shoe.cut_at) == (None, None)


def test_an_identity_is_the_same_for_the_same_and_new_for_anything_else() -> None:
    first = identity("open a round", ENDED, SETTLED)
    assert identity("open a round", replace(ENDED, cards_left=7), SETTLED) == first
    others = [
        identity("load a shoe", ENDED, SETTLED),
        identity("open a round", replace(ENDED, table="sjm-1"), SETTLED),
        identity("open a round", replace(ENDED, round_number=2), SETTLED),
        identity("open a round", replace(ENDED, shoe_number=2), SETTLED),
        identity("open a round", replace(ENDED, openings=2), SETTLED),
        identity("open a round", replace(ENDED, refusals=1), SETTLED),
    ]
    assert len({first, *others}) == 7


@pytest.mark.parametrize("table", TABLES)
def test_the_demos_limits_fit_its_house_rules(table: str) -> None:
    rules, _ = read_house_rules(SHIPPED_DIRECTORY)[TABLES[table]]
    limits = limits_of(table)
    assert impossible(limits, rules) is None
    assert set(limits.bets) == {bet.name for bet in rules.bets}
