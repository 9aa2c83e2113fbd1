"""Names: the keys of a pit, the event types of each stream, who writes it and who answers for it.

All keys of a pit share one hash tag, hence one slot, one server, one atomic function.
"""

from typing import Final, Literal

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
    ),
    "scans": (requests.CardScan, requests.CutCardScan),
    "wagers": (requests.BetPlace, requests.BetChange, requests.BetCancel),
    "cards": (
        facts.TableOpened,
        facts.TableClosed,
        facts.ShoeStarted,
        facts.RoundOpened,
        facts.CardDealt,
        facts.CutCardReached,
        facts.ScanMissed,
        facts.CardFoundFaceUp,
        facts.MisdealDetected,
        facts.RoundVoided,
        facts.RoundEnded,
        facts.ShoeEnded,
        facts.LimitsChanged,
        facts.HouseRulesChanged,
        facts.CardOpened,
        facts.CardCorrected,
        facts.CardDamaged,
        facts.HolderPassed,
        facts.TableHeld,
        facts.TableReleased,
        facts.ShoeSuspect,
        facts.RequestRefused,
        facts.RequestRepeated,
    ),
    "calls": (facts.DrawCalled, facts.RoundDecided),
    "bets": (
        facts.BetAccepted,
        facts.BetChanged,
        facts.BetCancelled,
        facts.BetRejected,
        facts.BettingClosed,
        facts.StakeReduced,
        facts.StakeReturned,
        facts.BetsSettled,
        facts.RoundSettled,
        facts.SeatTaken,
        facts.SeatLeft,
        facts.SettlementAdjusted,
        facts.RequestRefused,
        facts.RequestRepeated,
    ),
}
REQUEST_STREAMS: Final = ("console", "scans", "wagers")
FACT_STREAMS: Final[dict[Service, Stream]] = {"shoe": "cards", "rules": "calls", "settlement": "bets"}

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


def replicas_key(service: str) -> str:
    """The sorted set of a service's live replicas."""
    return f"baccarat:replicas:{service}"
