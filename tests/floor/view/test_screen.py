"""The live view: what is seen of the facts, and that it fits the terminal."""

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from schemas.events import Event
from services.floor.play_and_books import Bead, Books, Play, books_after, play_after
from services.floor.view.latencies import Latency
from services.floor.view.screen import duration, money, picture, round_line
from tests.floor import made

LATENCIES = {"card_to_call": Latency(9, 0.000166, 0.00271)}


def drawn(play: Play, books: Books, *, width: int = 100, height: int = 30) -> list[str]:
    output = Console(file=io.StringIO(), width=width, height=height, force_terminal=False, color_system=None)
    tables = [(play, books)] * 3
    with output.capture() as captured:
        output.print(picture(tables, LATENCIES, width=width, height=height))
    return captured.get().splitlines()


def table_of(*events: Event) -> tuple[Play, Books]:
    play, books = Play(table=made.TABLE), Books(table=made.TABLE)
    for event in events:
        play, books = play_after(play, event), books_after(books, event)
    return play, books


BETTING = (
    made.table_opened(),
    made.shoe_started(),
    made.round_opened(1),
    made.bet_accepted(1, "a", "banker", 1_234_550),
)
CALLED = (
    *BETTING,
    made.betting_closed(1, {"banker": 1_234_550}),
    made.card_dealt(1, 2, "player", "TH"),
    made.card_dealt(1, 3, "banker", "7C"),
    made.card_dealt(1, 4, "player", "KS"),
    made.card_dealt(1, 5, "banker", "TD"),
    made.draw_called(1, "player"),
)
SETTLED = (
    *CALLED,
    made.round_ended(1),
    made.bets_settled(1, made.settled_bet("a", "banker", 1_234_550, 0, outcome="lost")),
    made.round_settled(1, house_minor=1_234_550),
)


@pytest.mark.parametrize(
    ("events", "seen"),
    [
        ((), ["closed"]),
        (BETTING[:1], ["the shoe is being changed", "macau-1 macau"]),
        (BETTING, ["place your bets", "12,345.50", "415 left  round 1"]),
        (CALLED[:5], ["no more bets"]),
        (CALLED, ["10♥", " K♠", " 7♣", "10♦", "call: Player draws"]),
        (SETTLED, ["Player wins 8 – 7", "natural", "→ 0", "house   12,345.50", "P 1", "B 0"]),
    ],
    ids=["closed", "no-shoe", "betting", "closed-books", "called", "settled"],
)
def test_the_view_shows_what_is_on_the_table(events: tuple[Event, ...], seen: list[str]) -> None:
    lines = "\n".join(drawn(*table_of(*events)))
    assert [text for text in seen if text not in lines] == []


def test_latencies_stand_below_the_tables() -> None:
    footer = " ".join(" ".join(drawn(*table_of())[-5:]).split())
    assert "shoe card → call" in footer
    assert "p50 166 µs – – –" in footer
    assert "p99 2.71 ms – – –" in footer


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (110, 34), (220, 50)])
@pytest.mark.parametrize("beads", [0, 1, 6, 7, 240])
def test_the_view_fits_its_terminal(width: int, height: int, beads: int) -> None:
    play, books = table_of(*SETTLED)
    play = replace(play, beads=(Bead("tie", player_pair=True, banker_pair=False),) * beads)
    lines = drawn(play, books, width=width, height=height)
    assert len(lines) <= height
    assert max(len(line) for line in lines) <= width
    assert (sum(line.count("◉") for line in lines) > 0) is (beads > 0)


@pytest.mark.parametrize(("width", "columns"), [(80, 6), (100, 14)])
def test_a_full_bead_plate_shows_its_newest_columns(width: int, columns: int) -> None:
    old, new = (Bead("tie", player_pair=pair, banker_pair=False) for pair in (True, False))
    play, books = table_of(*SETTLED)
    lines = drawn(
        replace(play, beads=(*(old,) * 180, *(new,) * 8)), books, width=width, height=24 if width == 80 else 30
    )
    rows = [line for line in lines if "●" in line][:6]
    assert [row.count("●") for row in rows] == [2, 2, 1, 1, 1, 1]
    assert [row.count("◉") for row in rows] == [columns - 2] * 6


def test_a_round_that_nobody_bet_on_yet_shows_only_what_was_carried() -> None:
    play, books = table_of(*SETTLED, made.round_opened(2))
    assert "12,345.50" not in "\n".join(drawn(play, books))
    carried = (
        *CALLED,
        made.round_ended(1, "tie"),
        made.bets_settled(1, made.settled_bet("a", "banker", 1_234_550, 0, outcome="push", carried=True)),
        made.round_settled(1, result="tie", carried_out_minor=1_234_550),
    )
    assert "carried   12,345.50" in "\n".join(drawn(*table_of(*carried)))
    assert "12,345.50" in "\n".join(drawn(*table_of(*carried, made.round_opened(2))))


@pytest.mark.parametrize(
    ("amount_minor", "text"),
    [(0, "0"), (100, "1"), (2_925_50, "2,925.50"), (1_00000_00, "100,000"), (-114_000, "-1,140"), (-5, "-0.05")],
)
def test_money_shows_cents_only_where_there_are_some(amount_minor: int, text: str) -> None:
    assert money(amount_minor) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "–"), (0.000166, "166 µs"), (0.0000183, "18.3 µs"), (0.00271, "2.71 ms"), (1.0, "1 s")],
)
def test_durations_have_three_digits(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_without_a_terminal_a_round_is_a_line() -> None:
    assert round_line(*table_of(*SETTLED)) == (
        "macau-1 shoe 1 round 1: player 8H KS (8), banker 7C TD (7) -> player, natural;"
        " placed 0, returned 0, house 12,345.50 HKD"
    )
