"""The odds of a rule set as a JSON document. Ways are strings: as numbers they are too large for many languages."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction

from services.odds.bets import BetOdds


def document(decks: int, total: int, events: Mapping[str, int], bets: Sequence[BetOdds]) -> str:
    """The whole document. `total`: the number of all sequences, to which the ways of each bet's outcomes add up."""
    return json.dumps(
        {
            "decks": decks,
            "total": str(total),
            "ways": {event: str(ways) for event, ways in events.items()},
            "bets": [
                {
                    "name": bet.name,
                    "win_ways": {str(net_odds): str(ways) for net_odds, ways in bet.win_ways.items()},
                    "push_ways": str(bet.push_ways),
                    "lose_ways": str(bet.lose_ways),
                    "house_edge": str(bet.house_edge),
                    "house_edge_percent": percent(bet.house_edge),
                }
                for bet in bets
            ],
        },
        indent=2,
    )


def percent(part: Fraction) -> str:
    """A fraction in per cent, with four decimals."""
    return f"{float(round(100 * part, 4)):.4f}"
