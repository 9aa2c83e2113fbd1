"""The odds of a rule set as tables in a terminal."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from schemas.house_rules import HouseRules
from services.odds.bets import BetOdds
from services.odds.document import percent

_EVENTS: Final = {
    "banker": ("莊 Banker wins", "red1"),
    "player": ("閒 Player wins", "dodger_blue1"),
    "tie": ("Tie", "green3"),
    "four_cards": ("Four cards", ""),
    "five_cards": ("Five cards", ""),
    "six_cards": ("Six cards", ""),
    "natural": ("A natural", ""),
    "player_pair": ("Player Pair", "dodger_blue1"),
    "banker_pair": ("Banker Pair", "red1"),
    "both_pairs": ("Both pairs", ""),
}
_LAST_OF_A_GROUP: Final = ("tie", "six_cards")
_NAME_WIDTH: Final = 12
_QUIET: Final = "grey62"


def picture(
    rules: HouseRules, decks: int, total: int, events: Mapping[str, int], bets: Sequence[BetOdds]
) -> RenderableType:
    """The tables of the rounds and of the bets. With names of usual length they fit into 80 columns."""
    title = Text(f" {rules.name}", style="bold gold1")
    title.append(f" version {rules.version}, {decks} deck{'s' if decks > 1 else ''}\n", _QUIET)
    title.append(f" {total:,} ordered sequences of six cards, all equally likely", _QUIET)
    return Group(title, _rounds(total, events), _bets(total, bets))


def _rounds(total: int, events: Mapping[str, int]) -> Table:
    table = _table("Rounds", "ways", "chance %", "one in")
    for event, ways in events.items():
        name, colour = _EVENTS[event]
        table.add_row(
            Text(name, style=colour),
            Text(f"{ways:,}", style=_QUIET),
            _chance(ways, total),
            f"{total / ways:,.2f}",
            end_section=event in _LAST_OF_A_GROUP,
        )
    return table


def _bets(total: int, bets: Sequence[BetOdds]) -> Table:
    """The table of the bets. A bet that can win at several net odds has a row for each."""
    table = _table("Bets", "net odds", "wins %", "pushes %", "loses %", "house edge %")
    for bet in bets:
        outcomes = (_chance(bet.push_ways, total), _chance(bet.lose_ways, total), _edge(bet.house_edge))
        for row, (net_odds, ways) in enumerate(bet.win_ways.items()):
            name = Text("" if row else bet.name, style="bold")
            table.add_row(name, _to_one(net_odds), _chance(ways, total), *(() if row else outcomes))
        if not bet.win_ways:
            table.add_row(Text(bet.name, style="bold"), "–", "–", *outcomes)
    return table


def _table(name: str, *columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, header_style="bold gold1")
    table.add_column(name, overflow="fold", min_width=_NAME_WIDTH)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _chance(ways: int, total: int) -> Text:
    return Text(percent(Fraction(ways, total)) if ways else "–", style="" if ways else _QUIET)


def _to_one(net_odds: Fraction) -> str:
    return f"{net_odds.numerator}:{net_odds.denominator}"


def _edge(house_edge: Fraction) -> Text:
    return Text(percent(house_edge), style="bold green3" if house_edge >= 0 else "bold red1")
