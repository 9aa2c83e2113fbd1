"""Facts: what the shoe writes to `cards`, rules to `calls`, settlement to `bets`, each alone."""

from schemas.facts.answers import RequestRefused, RequestRepeated
from schemas.facts.results import RoundResult
from schemas.facts.rules import DrawCalled, RoundDecided
from schemas.facts.settlement import (
    BetAccepted,
    BetCancelled,
    BetChanged,
    BetRejected,
    BetsSettled,
    BettingClosed,
    RoundSettled,
    SeatLeft,
    SeatTaken,
    SettledBet,
    SettlementAdjusted,
    StakedSeat,
    StakeFact,
    StakeHandedBack,
    StakeReduced,
    StakeReturned,
    WagerTaken,
)
from schemas.facts.shoe import (
    CardCorrected,
    CardDamaged,
    CardDealt,
    CardFoundFaceUp,
    CardOpened,
    CutCardReached,
    HolderPassed,
    HouseRulesChanged,
    LimitsChanged,
    MisdealDetected,
    RoundEnded,
    RoundOpened,
    RoundVoided,
    ScanMissed,
    ShoeEnded,
    ShoeStarted,
    ShoeSuspect,
    TableClosed,
    TableHeld,
    TableOpened,
    TableReleased,
)

# Every fact that may stand on a stream. Where one is forgotten in a `match` over them, mypy says so.
CardsFact = (
    TableOpened
    | TableClosed
    | ShoeStarted
    | RoundOpened
    | CardDealt
    | CutCardReached
    | ScanMissed
    | CardFoundFaceUp
    | MisdealDetected
    | RoundVoided
    | RoundEnded
    | ShoeEnded
    | LimitsChanged
    | HouseRulesChanged
    | CardOpened
    | CardCorrected
    | CardDamaged
    | HolderPassed
    | TableHeld
    | TableReleased
    | ShoeSuspect
    | RequestRefused
    | RequestRepeated
)
CallsFact = DrawCalled | RoundDecided
BetsFact = (
    BetAccepted
    | BetChanged
    | BetCancelled
    | BetRejected
    | BettingClosed
    | StakeReduced
    | StakeReturned
    | BetsSettled
    | RoundSettled
    | SeatTaken
    | SeatLeft
    | SettlementAdjusted
    | RequestRefused
    | RequestRepeated
)

__all__ = [
    "BetAccepted",
    "BetCancelled",
    "BetChanged",
    "BetRejected",
    "BetsFact",
    "BetsSettled",
    "BettingClosed",
    "CallsFact",
    "CardCorrected",
    "CardDamaged",
    "CardDealt",
    "CardFoundFaceUp",
    "CardOpened",
    "CardsFact",
    "CutCardReached",
    "DrawCalled",
    "HolderPassed",
    "HouseRulesChanged",
    "LimitsChanged",
    "MisdealDetected",
    "RequestRefused",
    "RequestRepeated",
    "RoundDecided",
    "RoundEnded",
    "RoundOpened",
    "RoundResult",
    "RoundSettled",
    "RoundVoided",
    "ScanMissed",
    "SeatLeft",
    "SeatTaken",
    "SettledBet",
    "SettlementAdjusted",
    "ShoeEnded",
    "ShoeStarted",
    "ShoeSuspect",
    "StakeFact",
    "StakeHandedBack",
    "StakeReduced",
    "StakeReturned",
    "StakedSeat",
    "TableClosed",
    "TableHeld",
    "TableOpened",
    "TableReleased",
    "WagerTaken",
]
