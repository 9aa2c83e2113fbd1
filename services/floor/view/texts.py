"""What the view writes as plain text: amounts, durations, limits, restarts, and a round in one line."""

from collections.abc import Mapping
from typing import Final

from schemas.limits import BetLimits
from services.floor.books_of_table import Books
from services.floor.play_of_table import Play

BET_NAMES: Final = {
    "player": "Player",
    "banker": "Banker",
    "tie": "Tie",
    "player_pair": "P pair",
    "banker_pair": "B pair",
}
_LETTERS: Final = {"player": "P", "banker": "B", "tie": "T"}


def money(amount_minor: int) -> str:
    """An amount in the currency's main unit, which has a hundred minor ones. Cents are shown where there are some."""
    units, cents = divmod(abs(amount_minor), 100)
    return f"{'-' if amount_minor < 0 else ''}{units:,}" + (f".{cents:02d}" if cents else "")


def duration(seconds: float | None) -> str:
    """A latency with three digits, such as 166 µs or 2.71 ms; a dash while nothing was measured."""
    if seconds is None:
        return "–"
    if seconds < 0.001:
        return f"{seconds * 1e6:.3g} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.3g} s"


def limits_of_stakes(play: Play, *, short: bool = False) -> str:
    """The least and the most that a stake on each bet may be. Bets with the same limits stand together.

    `short`: Player, Banker and Tie are named by their letters.
    """
    if play.limits is None:
        return ""
    names_of = BET_NAMES | (_LETTERS if short else {})
    by_limits: dict[BetLimits, list[str]] = {}
    for bet in play.bets:
        by_limits.setdefault(play.limits.bets[bet], []).append(names_of.get(bet, bet))
    parts = []
    for number, (limits, names) in enumerate(by_limits.items()):
        is_rest = number > 0 and number == len(by_limits) - 1 and len(names) > 1
        said = "others" if is_rest else ", ".join(names)
        parts.append(f"{said} {money(limits.minimum_minor)}–{money(limits.maximum_minor)}")
    if play.limits.differential_limit_minor:
        parts.append(f"differential {money(play.limits.differential_limit_minor)}")
    return "; ".join(parts)


def restarts_line(restarts: Mapping[str, int]) -> str:
    """Which processes died and were started again, and how often. Empty when there are none."""
    if not restarts:
        return ""
    return "started again: " + ", ".join(
        f"{name} once" if times == 1 else f"{name} {times} times" for name, times in restarts.items()
    )


def round_line(play: Play, books: Books) -> str:
    """A settled round in one line."""
    settled = books.settled
    assert settled is not None
    return (
        f"{play.table} shoe {settled.shoe_number} round {settled.round_number}:"
        f" player {' '.join(play.player) or '-'} ({play.player_total}),"
        f" banker {' '.join(play.banker) or '-'} ({play.banker_total})"
        f" -> {settled.result or 'void'}{', natural' if play.natural else ''};"
        f" placed {money(settled.placed_minor)}, returned {money(settled.returned_minor)},"
        f" house {money(settled.house_minor)} {currency(play)}"
    )


def currency(play: Play) -> str:
    """The currency of the table's limits."""
    return play.limits.currency if play.limits else ""
