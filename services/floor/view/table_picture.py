"""The picture of one table. Pure.

It has six lines, because a bead plate has six rows. The hands come first, then the stakes, then the bead plate with the
results of the shoe. In a narrow terminal the bead plate has fewer columns.
"""

from collections.abc import Sequence
from typing import Final

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from schemas import facts
from schemas.cards import Result, is_pair, total
from services.floor.books_of_table import Books, betting_is_open, books_of_round, is_settled
from services.floor.play_of_table import BEADS_MAX, Bead, Play
from services.floor.view.texts import BET_NAMES, currency, money

BEAD_ROWS: Final = 6
COLOURS: Final[dict[Result, str]] = {"player": "dodger_blue1", "banker": "red1", "tie": "green3"}
_BEAD_STYLES: Final[dict[Result, str]] = {
    "player": "bold white on dodger_blue2",
    "banker": "bold white on red3",
    "tie": "bold black on green3",
}
_SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_RED: Final = "DH"
_BET_LINES: Final = BEAD_ROWS - 1
_HANDS_WIDTH: Final = 36
_STAKES_WIDTHS: Final = (6, 9, 11)
_STAKES_WIDTH: Final = sum(_STAKES_WIDTHS) + 2
_SHOE_WIDTH: Final = 10


def table_title(play: Play) -> Text:
    """The table's name, its house rules, and how often each result came in this shoe."""
    title = Text(f" {play.table} ", style="bold gold1")
    title.append(f"{play.rules.name if play.rules else 'closed'} ", style="grey62")
    results = [bead.result for bead in play.beads]
    if len(results) == BEADS_MAX:
        title.append(f" last {BEADS_MAX}:", style="grey62")
    for result, colour in COLOURS.items():
        title.append(f" {result[0].upper()} {results.count(result)}", style=colour)
    return title.append(" ")


def table_picture(play: Play, books: Books, width: int) -> RenderableType:
    """The table's hands, stakes and bead plate, side by side."""
    grid = Grid.grid(padding=(0, 1), expand=False)
    grid.add_column(width=min(width, _HANDS_WIDTH), no_wrap=True, overflow="crop")
    parts: list[RenderableType] = [_hands(play, books)]
    left = width - _HANDS_WIDTH - 1
    if left >= sum(_STAKES_WIDTHS[:2]) + 1:
        grid.add_column(no_wrap=True, overflow="crop")
        parts.append(_stakes(play, books, with_returns=left >= _STAKES_WIDTH))
    columns = (left - _STAKES_WIDTH - 2) // 2
    if columns > 0:
        grid.add_column(no_wrap=True, overflow="crop")
        parts.append(_bead_plate(play.beads, columns))
    grid.add_row(*parts)
    return grid


def table_line(play: Play, books: Books) -> Text:
    """The table in one line, for a terminal that has no room for its picture."""
    line = table_title(play).append(f" round {play.round_number}  ", style="grey74")
    return line.append_text(_state(play, books))


def card(name: str) -> Text:
    """A card as a small white rectangle."""
    colour = "red3" if name[1] in _RED else "black"
    rank = "10" if name[0] == "T" else f" {name[0]}"
    return Text(f"{rank}{_SUITS[name[1]]} ", style=f"bold {colour} on grey93")


def _hands(play: Play, books: Books) -> Text:
    lines = [
        _hand("閒 Player", play.player, COLOURS["player"]),
        Text(),
        _hand("莊 Banker", play.banker, COLOURS["banker"]),
        Text(),
        _state(play, books),
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


def _state(play: Play, books: Books) -> Text:
    """What the round waits for, or the call, or the result."""
    if play.round_is == "voided":
        return Text("void: every stake is returned", style="bold yellow")
    if play.result is not None:
        words = "Tie" if play.result == "tie" else f"{play.result.title()} wins"
        line = Text(
            f" {words} {play.player_total} – {play.banker_total} ", style=f"bold white on {COLOURS[play.result]}"
        )
        return line.append_text(Text(" natural" if play.natural else "", style="italic"))
    match play.call:
        case facts.DrawCalled(side=side):
            return Text(f"call: {side.title()} draws", style=f"bold {COLOURS[side]}")
        case facts.RoundDecided():
            return Text("call: no more cards", style="bold white")
        case None:
            pass
    if betting_is_open(play, books):
        return Text("place your bets", style="green3")
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


def _stakes(play: Play, books: Books, *, with_returns: bool) -> RenderableType:
    if books.round < play.round:
        # Nobody has bet in this round yet. What lies on the layout was carried.
        books = books_of_round(books, *play.round)
    grid = Grid.grid(padding=(0, 1))
    name_width, *widths = _STAKES_WIDTHS if with_returns else _STAKES_WIDTHS[:2]
    grid.add_column(width=name_width, no_wrap=True, overflow="crop")
    for width in widths:
        grid.add_column(width=width, justify="right", no_wrap=True, overflow="crop")
    for name, bets in _bet_lines(play.bets).items():
        staked = sum(books.totals_minor.get(bet, 0) for bet in bets)
        returns = [books.returns_minor[bet] for bet in bets if bet in books.returns_minor]
        row = (
            Text(name, style=_colour(bets[0])),
            Text(money(staked), style="white") if staked else Text("·", style="grey42"),
            Text(f"→ {money(sum(returns))}" if returns else "", style="bold green3" if sum(returns) else "grey50"),
        )
        grid.add_row(*row[: len(grid.columns)])
    grid.add_row(*(Text(currency(play), style="grey50"), *_sums(books))[: len(grid.columns)])
    return grid


def _bet_lines(bets: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Which bets stand in each line. The bets that have no line of their own share the last one."""
    ordered = sorted(bets, key=lambda bet: list(BET_NAMES).index(bet) if bet in BET_NAMES else len(BET_NAMES))
    own = ordered if len(ordered) <= _BET_LINES else ordered[: _BET_LINES - 1]
    lines = {BET_NAMES.get(bet, bet): (bet,) for bet in own}
    rest = tuple(ordered[len(own) :])
    return lines | ({"others": rest} if rest else {})


def _colour(bet: str) -> str:
    return COLOURS["player" if bet.startswith("player") else "banker" if bet.startswith("banker") else "tie"]


def _sums(books: Books) -> tuple[Text, Text]:
    settled = books.settled
    if settled is None:
        return Text(money(sum(books.totals_minor.values())), style="grey74"), Text()
    if books.carried:
        return Text("carried", style="yellow"), Text(money(settled.carried_out_minor), style="yellow")
    style = "green3" if settled.house_minor >= 0 else "red1"
    return Text("house", style="grey74"), Text(money(settled.house_minor), style=style)


def _bead_plate(beads: Sequence[Bead], columns: int) -> Text:
    """Results from top to bottom, then to the right: a letter each, and a dot for a pair.

    When not all fit, the newest columns are shown.
    """
    filled = -(-len(beads) // BEAD_ROWS)
    first = max(0, filled - columns)
    lines = []
    for row in range(BEAD_ROWS):
        line = Text()
        for column in range(first, first + columns):
            place = column * BEAD_ROWS + row
            line.append_text(_bead(beads[place]) if place < len(beads) else Text("· ", style="grey27"))
        lines.append(line)
    return Text("\n").join(lines)


def _bead(bead: Bead) -> Text:
    letter = Text(bead.result[0].upper(), style=_BEAD_STYLES[bead.result])
    return letter.append("•" if bead.player_pair or bead.banker_pair else " ", style="bold yellow")
