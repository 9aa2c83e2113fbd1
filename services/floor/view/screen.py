"""The live view of the demo's tables. Pure: what the streams said and what the services measured, to a picture.

Three tables one below the other, six lines each for the six rows of a bead plate; below them the draw latencies. At
30 lines there is room for frames, at 24 for a title line each; a narrow terminal shows less of the bead plates.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.box import ROUNDED
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from schemas import facts
from schemas.cards import Result, is_pair, total
from services.floor.play_and_books import BEADS_MAX, Bead, Books, Play, betting_is_open, books_of_round, is_settled
from services.floor.view.latencies import STEPS, Latency

FRAMED_HEIGHT: Final = 29
TABLE_LINES: Final = 8
BEAD_ROWS: Final = 6
_SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_RED: Final = "DH"
_COLOURS: Final[dict[Result, str]] = {"player": "dodger_blue1", "banker": "red1", "tie": "green3"}
_BETS: Final = {"player": "Player", "banker": "Banker", "tie": "Tie", "player_pair": "P pair", "banker_pair": "B pair"}
_HANDS_WIDTH: Final = 36
_STAKES_WIDTH: Final = 28
_SHOE_WIDTH: Final = 10
_STEPS: Final = {
    "card_to_call": "card → call",
    "read_to_call": "read → call",
    "decide": "decide",
    "ended_to_settled": "settles",
}


def picture(
    tables: Sequence[tuple[Play, Books]], latencies: Mapping[str, Latency], *, width: int, height: int
) -> RenderableType:
    """Everything, for a terminal of this size."""
    framed = height >= FRAMED_HEIGHT
    parts: list[RenderableType] = []
    for play, books in tables:
        inside = _table(play, books, width - (4 if framed else 0))
        title = _title(play)
        if framed:
            parts.append(
                Panel(inside, title=title, title_align="left", box=ROUNDED, border_style="grey42", height=TABLE_LINES)
            )
        else:
            parts += (Rule(title, align="left", style="grey42"), inside)
    footer = _footer(latencies)
    parts.append(Panel(footer, title=" draw latency ", title_align="left", border_style="grey42") if framed else footer)
    return Group(*parts)


def money(amount_minor: int) -> str:
    """An amount in the currency's main unit (hundredths are the minor one), cents only where there are some."""
    units, cents = divmod(abs(amount_minor), 100)
    return f"{'-' if amount_minor < 0 else ''}{units:,}" + (f".{cents:02d}" if cents else "")


def card(name: str) -> Text:
    """A card as a small white rectangle."""
    colour = "red3" if name[1] in _RED else "black"
    rank = "10" if name[0] == "T" else f" {name[0]}"
    return Text(f"{rank}{_SUITS[name[1]]} ", style=f"bold {colour} on grey93")


def round_line(play: Play, books: Books) -> str:
    """A settled round in one line of plain text, for an output that is no terminal."""
    settled = books.settled
    assert settled is not None
    return (
        f"{play.table} shoe {settled.shoe_number} round {settled.round_number}:"
        f" player {' '.join(play.player) or '-'} ({play.player_total}),"
        f" banker {' '.join(play.banker) or '-'} ({play.banker_total})"
        f" -> {settled.result or 'void'}{', natural' if play.natural else ''};"
        f" placed {money(settled.placed_minor)}, returned {money(settled.returned_minor)},"
        f" house {money(settled.house_minor)} {play.currency}"
    )


def _title(play: Play) -> Text:
    title = Text(f" {play.table} ", style="bold gold1").append(f"{play.house_rules or 'closed'} ", style="grey62")
    results = [bead.result for bead in play.beads]
    if len(results) == BEADS_MAX:
        title.append(f" last {BEADS_MAX}:", style="grey62")
    for result, colour in _COLOURS.items():
        title.append(f" {result[0].upper()} {results.count(result)}", style=colour)
    return title.append(" ")


def _table(play: Play, books: Books, width: int) -> RenderableType:
    grid = Grid.grid(padding=(0, 1), expand=False)
    grid.add_column(width=_HANDS_WIDTH, no_wrap=True, overflow="crop")
    grid.add_column(width=_STAKES_WIDTH, no_wrap=True, overflow="crop")
    grid.add_column(no_wrap=True, overflow="crop")
    columns = max(0, (width - _HANDS_WIDTH - _STAKES_WIDTH - 3) // 2)
    grid.add_row(_hands(play, books), _stakes(play, books), _bead_plate(play.beads, columns))
    return grid


def _hands(play: Play, books: Books) -> Text:
    lines = [
        _hand("閒 Player", play.player, _COLOURS["player"]),
        Text(),
        _hand("莊 Banker", play.banker, _COLOURS["banker"]),
        Text(),
        _said(play, books),
        _shoe(play),
    ]
    return Text("\n").join(lines)


def _hand(name: str, cards: tuple[str, ...], colour: str) -> Text:
    line = Text(f"{name}  ", style=f"bold {colour}")
    for position in range(3):
        line.append(card(cards[position]) if position < len(cards) else Text("    "))
        line.append(" ")
    if cards:
        line.append(f" {total(cards)}", style="bold white")
    if len(cards) >= 2 and is_pair(cards):
        line.append("  pair", style=colour)
    return line


def _said(play: Play, books: Books) -> Text:
    """One line: what the round waits for, the call, or the result."""
    if play.round_is == "voided":
        return Text("void: every stake is returned", style="bold yellow")
    if play.result is not None:
        words = "Tie" if play.result == "tie" else f"{play.result.title()} wins"
        line = Text(
            f" {words} {play.player_total} – {play.banker_total} ", style=f"bold white on {_COLOURS[play.result]}"
        )
        return line.append_text(Text(" natural" if play.natural else "", style="italic"))
    match play.call:
        case facts.DrawCalled(side=side):
            return Text(f"call: {side.title()} draws", style=f"bold {_COLOURS[side]}")
        case facts.RoundDecided():
            return Text("call: no more cards", style="bold white")
        case None:
            pass
    if betting_is_open(play, books):
        return Text("place your bets", style="green3")
    if not play.is_open:
        return Text("closed", style="grey62")
    if not play.shoe_runs:
        return Text("the shoe is being changed", style="yellow")
    return Text("" if is_settled(play, books) else "no more bets", style="grey62")


def _shoe(play: Play) -> Text:
    if play.shuffled_every_round:
        return Text(f"round {play.round_number}, shuffled every round", style="grey74")
    line = Text(f"shoe {play.shoe_number} ", style="grey74")
    whole = 52 * play.decks
    if whole:
        out = round(_SHOE_WIDTH * (whole - play.cards_left) / whole)
        cut = _SHOE_WIDTH - max(1, round(_SHOE_WIDTH * play.cut_card_depth / whole))
        bar = "".join("█" if place < out else "┊" if place == cut else "░" for place in range(_SHOE_WIDTH))
        line.append(bar, style="steel_blue1").append(f" {play.cards_left:3d}")
    if play.last_round:
        return line.append(f"  last round {play.round_number}", style="bold yellow")
    return line.append(f" left  round {play.round_number}")


def _stakes(play: Play, books: Books) -> RenderableType:
    if books.round < play.round:
        # A round that nobody has bet on yet: what lies there was carried.
        books = books_of_round(books, *play.round)
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(width=6)
    grid.add_column(width=9, justify="right")
    grid.add_column(width=11, justify="right")
    for bet, name in _BETS.items():
        staked, returned = books.totals_minor.get(bet, 0), books.returns_minor.get(bet)
        colour = _COLOURS["player" if bet.startswith("player") else "banker" if bet.startswith("banker") else "tie"]
        grid.add_row(
            Text(name, style=colour),
            Text(money(staked), style="white") if staked else Text("·", style="grey42"),
            Text("" if returned is None else f"→ {money(returned)}", style="bold green3" if returned else "grey50"),
        )
    grid.add_row(Text(play.currency, style="grey50"), *_sums(books))
    return grid


def _sums(books: Books) -> tuple[Text, Text]:
    settled = books.settled
    if settled is None:
        return Text(money(sum(books.totals_minor.values())), style="grey74"), Text()
    if books.carried:
        return Text("carried", style="yellow"), Text(money(settled.carried_out_minor), style="yellow")
    style = "green3" if settled.house_minor >= 0 else "red1"
    return Text("house", style="grey74"), Text(money(settled.house_minor), style=style)


def _bead_plate(beads: Sequence[Bead], columns: int) -> Text:
    """Results from top to bottom, then to the right; the newest columns when not all fit. A dot marks a pair."""
    if columns == 0:
        return Text()
    filled = -(-len(beads) // BEAD_ROWS)
    first = max(0, filled - columns)
    lines = []
    for row in range(BEAD_ROWS):
        line = Text()
        for column in range(first, first + columns):
            place = column * BEAD_ROWS + row
            if place < len(beads):
                bead = beads[place]
                line.append("◉" if bead.player_pair or bead.banker_pair else "●", style=_COLOURS[bead.result])
            else:
                line.append("·", style="grey27")
            line.append(" ")
        lines.append(line)
    return Text("\n").join(lines)


def _footer(latencies: Mapping[str, Latency]) -> RenderableType:
    grid = Grid.grid(padding=(0, 1), expand=True)
    grid.add_column(width=3)
    for _ in STEPS:
        grid.add_column(ratio=1, justify="right", no_wrap=True, overflow="crop")
    grid.add_row("", *(Text(f"{service} {_STEPS[step]}", style="grey74") for step, service in STEPS.items()))
    found = [latencies.get(step, Latency(0, None, None)) for step in STEPS]
    grid.add_row(
        Text("p50", style="grey74"), *(Text(duration(each.p50_seconds), style="bold green3") for each in found)
    )
    grid.add_row(Text("p99", style="grey74"), *(Text(duration(each.p99_seconds), style="yellow") for each in found))
    return grid


def duration(seconds: float | None) -> str:
    """A latency with three digits, such as 166 µs or 2.71 ms; a dash while nothing was measured."""
    if seconds is None:
        return "–"
    if seconds < 0.001:
        return f"{seconds * 1e6:.3g} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.3g} s"
