"""The whole screen: whatever the tables and the terminal, the addresses stay and nothing is cut off below."""

import pytest
from msgspec.structs import replace

from services.floor.books_of_table import Books
from services.floor.play_of_table import Bead, Play
from tests.floor.view.drawing import ADDRESSES, SETTLED, drawn, scene_of, table_of

SIZES = [(40, 12), (60, 20), (80, 24), (100, 30), (110, 34), (220, 50)]


def tables_of(count: int) -> list[tuple[Play, Books]]:
    play, books = table_of(*SETTLED)
    beads = (Bead(1, "tie", player_pair=True, banker_pair=False),) * 240
    return [(replace(play, table=f"table-{number}", beads=beads), books) for number in range(count)]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("tables", [0, 1, 2, 3, 5, 40])
def test_the_view_fits_its_terminal(tables: int, width: int, height: int) -> None:
    lines = drawn(scene_of(*tables_of(tables), restarts={"shoe": 1}), width=width, height=height)
    assert len(lines) <= height
    assert max(len(line) for line in lines) <= width


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_addresses_stand_above_the_tables_whole(width: int, height: int) -> None:
    lines = drawn(scene_of(*tables_of(3)), width=width, height=height)
    assert "".join(ADDRESSES.split()) in "".join("".join(lines).split())
    assert lines[0].startswith("redis=redis://floor:")


def test_an_address_is_cut_only_where_it_is_longer_than_a_line() -> None:
    redis, metrics, pit = ADDRESSES.split()
    assert [line.rstrip() for line in drawn(scene_of(), width=110)[:2]] == [redis, f"{metrics} {pit}"]
    assert [line.rstrip() for line in drawn(scene_of(), width=80)[:3]] == [redis, metrics[:80], f"{metrics[80:]} {pit}"]


@pytest.mark.parametrize(
    ("width", "height", "pictures"), [(80, 24, 2), (100, 30, 3), (110, 34, 3), (110, 60, 5), (110, 12, 0)]
)
def test_tables_without_room_for_their_picture_are_a_line_each(width: int, height: int, pictures: int) -> None:
    text = "\n".join(drawn(scene_of(*tables_of(5)), width=width, height=height))
    assert text.count("閒 Player") == pictures
    assert [number for number in range(5) if f"table-{number} macau" not in text] == [] or "more tables" in text


def test_tables_without_room_for_a_line_are_counted() -> None:
    lines = drawn(scene_of(*tables_of(40)), width=110, height=34)
    told = [line for line in lines if "table-" in line]
    assert f" and {40 - len(told)} more tables" in [line.rstrip() for line in lines]


@pytest.mark.parametrize(
    ("width", "height", "limits"),
    [
        (80, 24, " P, B 300–300,000; others 100–20,000 "),
        (100, 30, " limits: Player, Banker 300–300,000; others 100–20,000 "),
        (110, 34, " limits: Player, Banker 300–300,000; others 100–20,000 "),
    ],
)
def test_every_table_shows_its_limits(width: int, height: int, limits: str) -> None:
    assert "\n".join(drawn(scene_of(*tables_of(3)), width=width, height=height)).count(limits) >= 2


def test_a_pit_without_an_open_table_says_so() -> None:
    assert "no table is open" in "\n".join(drawn(scene_of()))


def test_latencies_stand_below_the_tables() -> None:
    footer = " ".join(" ".join(drawn(scene_of(*tables_of(3)))[-6:]).split())
    assert "shoe card → call" in footer
    assert "p50 166 µs – – –" in footer
    assert "p99 2.71 ms – – –" in footer


def test_the_last_line_says_who_was_started_again_and_how_to_end() -> None:
    last = drawn(scene_of(*tables_of(3), restarts={"shoe": 1, "server": 2}))[-1]
    assert last.split("  ")[0] == " started again: shoe once, server 2 times"
    assert last.endswith("Ctrl-C ends")
