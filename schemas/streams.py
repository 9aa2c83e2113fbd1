"""Names: the keys of a pit, the event types of each stream, who writes it and who answers for it.

All keys of a pit share one hash tag, hence one slot, one server, one atomic function.
"""

from typing import Final, Literal, get_args

from schemas import facts, requests
from schemas.events import Event

Service = Literal["shoe", "rules", "settlement"]
Stream = Literal["console", "scans", "wagers", "cards", "calls", "bets", "rejects"]

EVENTS: Final[dict[str, tuple[type[Event], ...]]] = {
    "console": (
        requests.TableOpen,
        requests.TableClose,
        requests.ShoeLoad,
        requests.ShoeEnd,
        requests.RoundOpen,
        requests.BettingClose,
        requests.RoundVoid,
        requests.CardOpen,
        requests.HolderPass,
        requests.SeatTake,
        requests.SeatLeave,
        requests.LimitsSet,
        requests.HouseRulesChange,
        requests.CardCorrect,
        requests.DamageReport,
        requests.SettlementAdjust,
        requests.TableHold,
        requests.TableRelease,
        requests.KeyLost,
    ),
    "scans": (requests.CardScan, requests.CutCardScan),
    "wagers": (requests.BetPlace, requests.BetChange, requests.BetCancel),
    "cards": get_args(facts.CardsFact),
    "calls": get_args(facts.CallsFact),
    "bets": get_args(facts.BetsFact),
}
REQUEST_STREAMS: Final = ("console", "scans", "wagers")
FACT_STREAMS: Final[dict[Service, Stream]] = {"shoe": "cards", "rules": "calls", "settlement": "bets"}
# What each service reads, the first ranked highest: of entries that it sees at one instant it takes those first.
READS: Final[dict[Service, tuple[Stream, ...]]] = {
    "shoe": ("calls", "bets", "console", "scans"),
    "rules": ("cards",),
    "settlement": ("cards", "console", "wagers"),
}

_SETTLEMENT_ON_CONSOLE: Final = frozenset({"betting.close", "seat.take", "seat.leave", "settlement.adjust"})


def decider(stream: str, event_type: str) -> Service:
    """The one service that answers a request of this type on this stream, known type or not."""
    if stream == "wagers" or (stream == "console" and event_type in _SETTLEMENT_ON_CONSOLE):
        return "settlement"
    return "shoe"


def pit_key(pit: str, name: str) -> str:
    """The key of one stream or record of a pit, such as `baccarat:{demo}:cards`."""
    return f"baccarat:{{{pit}}}:{name}"


def cursor_key(pit: str, service: str) -> str:
    """The hash with a service's version, cursors and chain head; every role may read it."""
    return pit_key(pit, f"cursor:{service}")


def state_key(pit: str, service: str) -> str:
    """The hash with a service's records, its alone."""
    return pit_key(pit, f"state:{service}")


def replicas_key(pit: str, service: str) -> str:
    """The sorted set of a service's replicas that are alive for a pit."""
    return pit_key(pit, f"replicas:{service}")
