"""The whole screen of the live view. Pure: it depends on the scene and on the terminal's size alone.

When there is room for it, each table has a frame. Otherwise each has a title line. When there is no room left for a
table's picture, the table is one line.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from rich.box import ROUNDED
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from services.floor.books_of_table import Books
from services.floor.play_of_table import Play
from services.floor.view.latencies import STEPS, Latency
from services.floor.view.table_picture import BEAD_ROWS, table_line, table_picture, table_title
from services.floor.view.texts import duration, limits_of_stakes, restarts_line

_FRAMED_LINES: Final = BEAD_ROWS + 2
_TITLED_LINES: Final = BEAD_ROWS + 1
_LATENCY_LINES: Final = 3
_FRAMED_LATENCY_LINES: Final = _LATENCY_LINES + 2
_FRAME_STYLE: Final = "grey42"
_LIMITS_LABEL: Final = "limits: "
_STEP_NAMES: Final = {
    "card_to_call": "card → call",
    "read_to_call": "read → call",
    "decide": "decide",
    "ended_to_settled": "settles",
}


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """What the screen shows. `addresses`: the line that the run began with."""

    addresses: str
    tables: Sequence[tuple[Play, Books]]
    latencies: Mapping[str, Latency]
    restarts: Mapping[str, int]


def screen(scene: Scene, *, width: int, height: int) -> RenderableType:
    """The picture of a scene, for a terminal of this size."""
    addresses = _folded(scene.addresses, width)
    room = height - len(addresses) - 1
    framed = len(scene.tables) * _FRAMED_LINES + _FRAMED_LATENCY_LINES <= room
    return Group(
        Text("\n".join(addresses), style="grey62", no_wrap=True),
        *(_framed(scene, width) if framed else _titled(scene, width, room - _LATENCY_LINES)),
        _last_line(scene.restarts),
    )


def _framed(scene: Scene, width: int) -> list[RenderableType]:
    parts: list[RenderableType] = [
        _frame(
            table_picture(play, books, width - 4),
            title=table_title(play),
            subtitle=Text(f" {_LIMITS_LABEL}{limits_of_stakes(play)} ", style="grey62"),
        )
        for play, books in scene.tables
    ]
    return [*parts, *_no_table(scene), _frame(_latency(scene.latencies), title=Text(" draw latency "))]


def _titled(scene: Scene, width: int, room: int) -> list[RenderableType]:
    tables = scene.tables
    drawn = len(tables) if len(tables) * _TITLED_LINES <= room else max(0, (room - 1) // _TITLED_LINES)
    parts: list[RenderableType] = []
    for play, books in tables[:drawn]:
        title = table_title(play)
        texts = (f"{_LIMITS_LABEL}{limits_of_stakes(play)}", limits_of_stakes(play), limits_of_stakes(play, short=True))
        limits = next((text for text in texts if title.cell_len + len(text) < width - 2), texts[-1])
        title.append(f" {limits} ", style="grey62")
        parts += (Rule(title, align="left", style=_FRAME_STYLE), table_picture(play, books, width))
    rest, lines = tables[drawn:], max(0, room - drawn * _TITLED_LINES)
    told = rest if len(rest) <= lines else rest[: max(0, lines - 1)]
    for play, books in told:
        line = table_line(play, books).append(f"  {limits_of_stakes(play, short=True)}", style="grey62")
        line.no_wrap, line.overflow = True, "ellipsis"
        parts.append(line)
    if len(told) < len(rest):
        parts.append(Text(f" and {len(rest) - len(told)} more tables", style="grey62"))
    return [*parts, *_no_table(scene), _latency(scene.latencies)]


def _frame(inside: RenderableType, *, title: Text, subtitle: Text | None = None) -> Panel:
    return Panel(
        inside,
        title=title,
        title_align="left",
        subtitle=subtitle,
        subtitle_align="left",
        box=ROUNDED,
        border_style=_FRAME_STYLE,
    )


def _no_table(scene: Scene) -> list[RenderableType]:
    return [] if scene.tables else [Text(" no table is open", style="grey62")]


def _folded(line: str, width: int) -> list[str]:
    """A line of words, broken into several lines. A word is cut only when it is longer than a line."""
    lines = [""]
    for word in line.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if len(longer) <= width:
            lines[-1] = longer
            continue
        parts = [word[start : start + width] for start in range(0, len(word), width)]
        lines = [*filter(None, lines), *parts]
    return lines


def _latency(latencies: Mapping[str, Latency]) -> RenderableType:
    grid = Grid.grid(padding=(0, 1), expand=True)
    grid.add_column(width=3)
    for _ in STEPS:
        grid.add_column(ratio=1, justify="right", no_wrap=True, overflow="crop")
    grid.add_row("", *(Text(f"{service} {_STEP_NAMES[step]}", style="grey74") for step, service in STEPS.items()))
    found = [latencies.get(step, Latency(0, None, None)) for step in STEPS]
    grid.add_row(
        Text("p50", style="grey74"), *(Text(duration(each.p50_seconds), style="bold green3") for each in found)
    )
    grid.add_row(Text("p99", style="grey74"), *(Text(duration(each.p99_seconds), style="yellow") for each in found))
    return grid


def _last_line(restarts: Mapping[str, int]) -> RenderableType:
    grid = Grid.grid(expand=True)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right", no_wrap=True)
    grid.add_row(Text(f" {restarts_line(restarts)}", style="bold yellow"), Text("Ctrl-C ends", style="grey62"))
    return grid
