"""The demo's pit, its tables, and the limits that it opens them with."""

from typing import Final

from schemas.limits import BetLimits, Limits

PIT: Final = "demo"
# Each table's house rules.
TABLES: Final = {"macau-1": "macau", "sjm-1": "macau-sjm", "online-1": "six-deck-online"}

# Hong Kong dollars in cents: payable in 5 dollars, main bets from 300 to 300,000, the others from 100 to 20,000.
_MAIN: Final = BetLimits(minimum_minor=30_000, maximum_minor=30_000_000)
_OTHER: Final = BetLimits(minimum_minor=10_000, maximum_minor=2_000_000)
_PAIRS: Final = {"player_pair": _OTHER, "banker_pair": _OTHER}


def limits_of(table: str) -> Limits:
    """The limits that the demo opens a table with."""
    pairs = {} if TABLES[table] == "six-deck-online" else _PAIRS
    bets = {"player": _MAIN, "banker": _MAIN, "tie": _OTHER, **pairs}
    return Limits(currency="HKD", unit_minor=500, bets=bets)
