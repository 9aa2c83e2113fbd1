"""A table's books from bet to settlement: results, carrying, voids, closing the table."""

import msgspec
import pytest

from schemas.facts import (
    BetsSettled,
    BettingClosed,
    RoundSettled,
    SettledBet,
    StakeReturned,
)
from tests.settlement.drive import ONLINE, TABLE, Table, limits, reason
from tests.settlement.reading import rows, sums


def test_a_round_from_bets_to_balanced_books() -> None:
    table = Table()
    table.open_round()
    table.place("b", "banker", 200, bettor_id="ann")
    table.place("p", "player", 300, bettor_id="bob")
    assert table.close_betting() == BettingClosed(
        table=TABLE,
        shoe_number=1,
        round_number=1,
        stakes=2,
        totals={"banker": 200, "player": 300},
        player_holder=None,
        banker_holder=None,
    )
    assert table.end_round("banker", 3, 5) == [
        BetsSettled(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            revision=0,
            bets=(
                SettledBet(
                    bet_id="b",
                    bettor_id="ann",
                    bet="banker",
                    stake_minor=200,
                    outcome="won",
                    carried=False,
                    commission_minor=10,
                    return_minor=390,
                ),
                SettledBet(
                    bet_id="p",
                    bettor_id="bob",
                    bet="player",
                    stake_minor=300,
                    outcome="lost",
                    carried=False,
                    commission_minor=0,
                    return_minor=0,
                ),
            ),
        ),
        RoundSettled(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            revision=0,
            result="banker",
            stakes=2,
            placed_minor=500,
            carried_in_minor=0,
            returned_minor=390,
            carried_out_minor=0,
            house_minor=110,
            commission_minor=10,
        ),
    ]


def test_what_is_taken_off_or_cancelled_was_placed_and_is_returned() -> None:
    table = Table()
    table.open_round()
    table.place("a", "player", 1_000)
    table.change("a", 0, "player", 400)  # 600 taken off
    table.change("a", 1, "player", 500)  # 100 added
    table.place("b", "player", 200, bettor_id="bob")
    table.cancel("b", 0)
    table.close_betting()
    facts = table.end_round("banker")
    assert rows(facts) == [("a", 500, "lost", False, 0, 0)]
    assert sums(facts) == (1, 1_300, 0, 800, 0, 500, 0)


def test_article_12_a_tie_carries_both_sides_and_pays_the_tie_at_once() -> None:
    table = Table()
    table.open_round()
    table.place("p", "player", 100)
    table.place("b", "banker", 200)
    table.place("t", "tie", 50)
    table.place("pp", "player_pair", 20)
    table.place("bp", "banker_pair", 20)
    table.close_betting()
    facts = table.end_round("tie", 8, 8, "banker")
    assert rows(facts) == [
        ("p", 100, "push", True, 0, 0),
        ("b", 200, "push", True, 0, 0),
        ("t", 50, "won", False, 0, 450),
        ("pp", 20, "lost", False, 0, 0),
        ("bp", 20, "won", False, 0, 240),
    ]
    assert sums(facts) == (5, 390, 0, 690, 300, -600, 0)


def test_article_12_carried_stakes_are_in_the_next_rounds_totals_and_settle_there() -> None:
    table = Table()
    table.open_round()
    table.place("b", "banker", 200)
    table.close_betting()
    table.end_round("tie")
    table.start_shoe()  # they wait through a shuffle
    table.open_round()
    table.place("p", "player", 100, bettor_id="bob")
    closed = table.close_betting()
    assert isinstance(closed, BettingClosed)
    assert (closed.stakes, closed.totals) == (2, {"banker": 200, "player": 100})
    facts = table.end_round("tie")
    assert sums(facts) == (2, 100, 200, 0, 300, 0, 0)
    table.open_round()
    table.close_betting()
    facts = table.end_round("banker", 1, 2)
    assert rows(facts) == [("b", 200, "won", False, 10, 390), ("p", 100, "lost", False, 0, 0)]
    assert sums(facts) == (2, 0, 300, 390, 0, -90, 10)


def test_article_12_a_house_that_returns_carries_nothing() -> None:
    table = Table(ONLINE, limits(bets={name: limits().bets[name] for name in ("player", "banker", "tie")}))
    table.open_round()
    table.place("p", "player", 100)
    table.close_betting()
    facts = table.end_round("tie")
    assert rows(facts) == [("p", 100, "push", False, 0, 100)]
    assert sums(facts) == (1, 100, 0, 100, 0, 0, 0)
    assert table.state.layout == {}


@pytest.mark.parametrize("books", ["open", "closed"])
def test_article_10_a_void_round_returns_every_stake_carried_ones_too(books: str) -> None:
    table = Table()
    table.open_round()
    table.place("c", "player", 100)
    table.close_betting()
    table.end_round("tie")
    table.open_round()
    table.place("n", "banker", 300)
    table.place("x", "tie", 20)
    table.cancel("x", 0)
    if books == "closed":
        table.close_betting()
    facts = table.void_round()
    assert rows(facts) == [("c", 100, "returned", False, 0, 100), ("n", 300, "returned", False, 0, 300)]
    assert sums(facts) == (2, 320, 100, 420, 0, 0, 0)
    assert msgspec.structs.asdict(facts[-1])["result"] is None
    table.open_round()
    table.close_betting()
    assert sums(table.end_round("player")) == (0, 0, 0, 0, 0, 0, 0)


def test_article_2_a_demonstration_round_settles_nothing_and_carried_stakes_pass_over_it() -> None:
    table = Table()
    table.open_round()
    table.place("c", "banker", 100)
    table.close_betting()
    table.end_round("tie")
    table.start_shoe()
    for void in (False, True):
        table.open_round(demonstration=True)
        assert reason(table.place("n")) == "books_not_open"
        assert reason(table.close_betting()) == "books_not_open"
        facts = table.void_round() if void else table.end_round("player", demonstration=True)
        assert len(facts) == 1
        assert sums(facts) == (0, 0, 0, 0, 0, 0, 0)
    table.open_round()
    table.close_betting()
    assert rows(table.end_round("banker")) == [("c", 100, "won", False, 5, 195)]


def test_a_closing_table_gives_carried_stakes_back_in_the_name_of_the_round_that_carried_them() -> None:
    table = Table()
    for _ in range(2):
        table.open_round()
        table.place(f"c{table.round_number}", "player", 100 * table.round_number, bettor_id="ann")
        table.close_betting()
        table.end_round("tie")
    table.start_shoe()
    table.open_round(demonstration=True)
    table.end_round("player", demonstration=True)
    assert table.close() == [
        StakeReturned(
            table=TABLE,
            shoe_number=1,
            round_number=2,
            bet_id=bet_id,
            bettor_id="ann",
            before_minor=amount_minor,
            after_minor=0,
            reason="table_closed",
        )
        for bet_id, amount_minor in (("c1", 100), ("c2", 200))
    ]
    table.open()
    table.start_shoe()
    table.open_round()
    assert reason(table.place("c1")) == "id_reused"
    table.close_betting()
    assert sums(table.end_round("player")) == (0, 0, 0, 0, 0, 0, 0)


def test_a_table_that_closes_with_an_empty_layout_gives_nothing_back() -> None:
    assert Table().close() == []


def test_stakes_are_settled_at_most_128_to_a_fact_and_each_once() -> None:
    table = Table()
    table.open_round()
    for number in range(300):
        table.place(f"b{number}", "player", 100, bettor_id=f"x{number}")
    table.close_betting()
    facts = table.end_round("tie")
    assert [len(fact.bets) for fact in facts if isinstance(fact, BetsSettled)] == [128, 128, 44]
    assert [row[0] for row in rows(facts)] == [f"b{number}" for number in range(300)]
    assert sums(facts) == (300, 30_000, 0, 0, 30_000, 0, 0)
    assert len(table.state.layout) == 300


def test_a_changed_stake_keeps_its_place_in_the_order_of_acceptance() -> None:
    table = Table()
    table.open_round()
    table.place("a")
    table.place("b")
    table.change("a", 0, "player", 200)
    table.close_betting()
    assert [row[0] for row in rows(table.end_round("player"))] == ["a", "b"]


def test_a_round_is_paid_once() -> None:
    table = Table()
    table.open_round()
    table.place("p")
    table.close_betting()
    table.end_round("player")
    with pytest.raises(AssertionError, match="once"):
        table.end_round("player")


def test_nothing_is_paid_before_the_books_are_closed() -> None:
    table = Table()
    table.open_round()
    table.place("p")
    with pytest.raises(AssertionError, match="closed"):
        table.end_round("player")
