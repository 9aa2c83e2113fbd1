"""The picture of a table: what is seen of the facts, in colour and without."""

import io
import re

import pytest
from msgspec.structs import replace
from rich.console import Console

from schemas.cards import Result
from schemas.events import Event
from schemas.house_rules import read_house_rules
from schemas.limits import BetLimits, Limits
from services.floor.books_of_table import Books
from services.floor.play_of_table import Bead, Play
from services.floor.view.table_picture import table_line, table_picture, table_title
from tests.floor import made
from tests.floor.view.drawing import BETTING, CALLED, SETTLED, cells, lines_of, table_of
from tests.servers import ROOT


def picture_of(play: Play, books: Books, width: int = 100) -> list[str]:
    return lines_of(table_picture(play, books, width), width=width)


def bead(result: Result, *, player_pair: bool = False, banker_pair: bool = False) -> Bead:
    return Bead(1, result, player_pair, banker_pair)


@pytest.mark.parametrize(
    ("events", "seen"),
    [
        (BETTING[:1], ["the shoe is being changed"]),
        (BETTING, ["place your bets", "12,345.50", "415 left  round 1"]),
        (CALLED[:5], ["no more bets"]),
        (CALLED, ["10♥", " K♠", " 7♣", "10♦", "call: Player draws"]),
        (SETTLED, ["Player wins 8 – 7", "natural", "→ 0", "house   12,345.50"]),
    ],
    ids=["no-shoe", "betting", "closed-books", "called", "settled"],
)
def test_the_view_shows_what_is_on_the_table(events: tuple[Event, ...], seen: list[str]) -> None:
    lines = "\n".join(picture_of(*table_of(*events)))
    assert [text for text in seen if text not in lines] == []


def test_the_title_names_the_house_rules_and_counts_the_results() -> None:
    play, _ = table_of(*SETTLED)
    assert table_title(play).plain == " macau-1 macau  P 1 B 0 T 0 "


def test_a_table_without_room_for_its_picture_still_says_where_its_round_is() -> None:
    assert table_line(*table_of(*CALLED)).plain == " macau-1 macau  P 0 B 0 T 0  round 1  call: Player draws"


def test_a_result_is_told_by_its_letter_and_a_pair_by_a_dot() -> None:
    play, books = table_of(*SETTLED)
    beads = (bead("player"), bead("banker", player_pair=True), bead("tie", banker_pair=True), bead("banker"))
    lines = [cells(line)[66:68].rstrip() for line in picture_of(replace(play, beads=beads), books)]
    assert lines == ["P", "B•", "T•", "B", "·", "·"]


def test_a_result_is_told_by_its_colour_too() -> None:
    play, books = table_of(*SETTLED)
    beads = (bead("player"), bead("banker"), bead("tie"))
    output = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor")
    with output.capture() as captured:
        output.print(table_picture(replace(play, beads=beads), books, 100))
    style_of = {letter: style for style, letter in re.findall(r"\x1b\[([\d;]+)m([PBT])\x1b", captured.get())}
    assert set(style_of) == {"P", "B", "T"}
    assert len(set(style_of.values())) == 3


@pytest.mark.parametrize(("width", "columns"), [(80, 6), (96, 14)])
def test_a_full_bead_plate_shows_its_newest_columns(width: int, columns: int) -> None:
    play, books = table_of(*SETTLED)
    beads = (*(bead("tie"),) * 180, *(bead("banker", player_pair=True),) * 8)
    plates = [cells(line)[66:] for line in picture_of(replace(play, beads=beads), books, width)]
    assert [plate.count("B•") for plate in plates] == [2, 2, 1, 1, 1, 1]
    assert [plate.count("T ") + plate.count("T•") for plate in plates] == [columns - 2] * 6


@pytest.mark.parametrize("width", [10, 30, 36, 52, 53, 60, 66, 69, 70, 200])
@pytest.mark.parametrize("beads", [0, 1, 6, 7, 240])
def test_a_picture_has_six_lines_whatever_its_width(width: int, beads: int) -> None:
    play, books = table_of(*SETTLED)
    lines = picture_of(replace(play, beads=(bead("tie", player_pair=True),) * beads), books, width)
    assert len(lines) == 6
    assert max(len(line) for line in lines) <= width


def test_a_round_that_nobody_bet_on_yet_shows_only_what_was_carried() -> None:
    play, books = table_of(*SETTLED, made.round_opened(2))
    assert "12,345.50" not in "\n".join(picture_of(play, books))
    carried = (
        *CALLED,
        made.round_ended(1, "tie"),
        made.bets_settled(1, made.settled_bet("a", "banker", 1_234_550, 0, outcome="push", carried=True)),
        made.round_settled(1, result="tie", carried_out_minor=1_234_550),
    )
    assert "carried   12,345.50" in "\n".join(picture_of(*table_of(*carried)))
    assert "12,345.50" in "\n".join(picture_of(*table_of(*carried, made.round_opened(2))))


def test_bets_without_a_line_of_their_own_are_summed_in_the_last_one() -> None:
    rules, _ = read_house_rules(ROOT / "tests" / "data" / "house")["side-bets"]
    bounds = BetLimits(minimum_minor=100, maximum_minor=100_000)
    offered = dict.fromkeys((bet.name for bet in rules.bets), bounds)
    play, books = table_of(
        *BETTING,
        made.bet_accepted(1, "b", "player_pair", 20_000),
        made.bet_accepted(1, "c", "lucky_6", 30_000),
        made.bet_accepted(1, "d", "panda_8", 40_000),
    )
    play = replace(play, rules=rules, limits=Limits(currency="HKD", unit_minor=100, bets=offered))
    stakes = [cells(line)[37:53].split() for line in picture_of(play, books)]
    assert stakes == [
        ["Player", "·"],
        ["Banker", "12,345.50"],
        ["Tie", "·"],
        ["P", "pair", "200"],
        ["others", "700"],
        ["HKD", "13,245.50"],
    ]
