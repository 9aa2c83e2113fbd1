"""A table that deals recorded rounds again, one after the other: its console and its electronic shoe.

    round.open → round.opened → betting.close, four scans → draw.called → a third card … → round.ended → round.settled
                     the record lacks a card → round.void, as soon as every scanned card is dealt → round.settled

A third card is scanned only after it was called. So no card is left over when the round is decided.
"""

from typing import Final

import msgspec

from schemas.cards import Composition, full_composition, without
from schemas.events import Request
from schemas.facts import (
    BettingClosed,
    CardDealt,
    DrawCalled,
    MisdealDetected,
    RoundEnded,
    RoundOpened,
    RoundSettled,
    ScanMissed,
    TableClosed,
    TableOpened,
)
from schemas.limits import BetLimits, Limits
from schemas.requests import (
    BettingClose,
    CardScan,
    RoundOpen,
    RoundVoid,
    ShoeEnd,
    ShoeLoad,
    TableClose,
    TableOpen,
)
from services.floor.pit_client import PitClient
from services.floor.replay.recorded_rounds import Hands, Record, cards_of, first_cards

HOUSE_RULES: Final = "macau"
# Nobody bets: any limits that the house rules allow would do.
LIMITS: Final = Limits(
    currency="HKD",
    unit_minor=500,
    bets={
        "player": BetLimits(minimum_minor=30_000, maximum_minor=30_000_000),
        "banker": BetLimits(minimum_minor=30_000, maximum_minor=30_000_000),
    },
)
OPERATOR: Final = "replay"
SOURCE: Final = "/floor/replay"
FIRST_CARDS: Final = 4
ROUND_CARDS_MAX: Final = 6


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What the services made of one record.

    `parted`: where the record and the services part, if they do. `new_shoe`: why the record needed one, if it did.
    """

    ended: RoundEnded | None
    settled: RoundSettled
    parted: str | None
    new_shoe: str | None


class ReplayTable:
    """The console and the electronic shoe of one table: their numbers, and the cards that are still in the shoe."""

    def __init__(self, client: PitClient, table: str, decks: int) -> None:
        self._client = client
        self._table = table
        self._full = full_composition(decks)
        self._left: Composition = self._full
        self._label: int | str | None = None
        self._shoe_number = 0
        self._round_number = 0
        self._ordinal = 0

    @classmethod
    async def opened(cls, client: PitClient, table: str) -> "ReplayTable":
        """Open the table. Raises PitError, as do all other methods."""
        client.ask(TableOpen(table=table, operator=OPERATOR, house_rules=HOUSE_RULES, limits=LIMITS), source=SOURCE)
        while not isinstance(fact := await client.next_fact(table), TableOpened):
            pass
        return cls(client, table, fact.house_rules.decks)

    async def leave(self) -> None:
        """Close the table, and its shoe with it."""
        self._ask(TableClose(table=self._table, operator=OPERATOR))
        while not isinstance(await self._client.next_fact(self._table), TableClosed):
            pass

    async def play(self, record: Record) -> Played:
        """Play one record until its round is settled."""
        hands, new_shoe = self._cards_of(record)
        self._open_round()
        closed = voided = False
        undealt = 0
        ended: RoundEnded | None = None
        parted: str | None = None
        while True:
            match await self._client.next_fact(self._table):
                case RoundOpened():
                    self._close_betting()
                    first = first_cards(hands)
                    undealt += self._scan(*first)
                    if len(first) < FIRST_CARDS:
                        parted = "the record lacks one of the first four cards"
                case BettingClosed():
                    closed = True
                case CardDealt():
                    undealt -= 1
                case DrawCalled(side=side) if len(hands.of(side)) > 2:
                    undealt += self._scan(hands.of(side)[2])
                case DrawCalled(side=side):
                    parted = f"the record has no third card for the {side.capitalize()}, who was called to draw"
                case MisdealDetected(reason=reason):
                    parted, undealt = f"misdeal.detected: {reason}", 0
                case ScanMissed(ordinal=ordinal):
                    parted, undealt = f"scan.missed at ordinal {ordinal}", 0
                case RoundEnded() as ended:
                    pass
                case RoundSettled() as settled:
                    return Played(ended=ended, settled=settled, parted=parted, new_shoe=new_shoe)
                case _:
                    pass  # the other facts need nothing done
            # A void that is taken before a scan would make that scan's card a surplus card after the round.
            if parted and closed and undealt == 0 and not (ended or voided):
                self._void(parted)
                voided = True

    def _cards_of(self, record: Record) -> tuple[Hands, str | None]:
        """The cards for a record, and why they needed a new shoe, if the shoe in play could not give them.

        A record with another shoe label, or with none, starts a new shoe too. That needs no reason.
        """
        if self._shoe_number == 0 or record.shoe is None or record.shoe != self._label:
            self._load_shoe(record)
        hands = cards_of(record, self._left) if self._can_start_round() else None
        if hands is not None:
            return hands, None
        reason = "no copy of a card was left" if self._can_start_round() else "fewer than six cards were left"
        self._load_shoe(record)
        hands = cards_of(record, self._left)
        assert hands is not None, "a full shoe has any six cards"
        return hands, reason

    def _can_start_round(self) -> bool:
        return sum(self._left) >= ROUND_CARDS_MAX

    def _load_shoe(self, record: Record) -> None:
        # A shoe with too few cards for another round was ended by the shoe service.
        if self._shoe_number and self._can_start_round():
            self._ask(
                ShoeEnd(
                    table=self._table,
                    operator=OPERATOR,
                    shoe_number=self._shoe_number,
                    reason="the record goes on with another shoe",
                )
            )
        self._label = record.shoe
        self._left = self._full
        self._shoe_number += 1
        self._round_number = self._ordinal = 0
        self._ask(
            ShoeLoad(
                table=self._table,
                operator=OPERATOR,
                shoe_number=self._shoe_number,
                kind="physical",
                shuffled_by=OPERATOR,
                cut_by=OPERATOR,
                cut_at=None,
            )
        )

    def _open_round(self) -> None:
        self._round_number += 1
        self._ask(
            RoundOpen(
                table=self._table,
                operator=OPERATOR,
                shoe_number=self._shoe_number,
                round_number=self._round_number,
            )
        )

    def _close_betting(self) -> None:
        self._ask(
            BettingClose(
                table=self._table,
                operator=OPERATOR,
                shoe_number=self._shoe_number,
                round_number=self._round_number,
                wagers_through="0-0",
            )
        )

    def _scan(self, *cards: str) -> int:
        """Scan cards as they leave the shoe. Returns how many they are."""
        for card in cards:
            self._ordinal += 1
            self._left = without(self._left, card)
            self._ask(CardScan(table=self._table, shoe_number=self._shoe_number, ordinal=self._ordinal, card=card))
        return len(cards)

    def _void(self, reason: str) -> None:
        self._ask(
            RoundVoid(
                table=self._table,
                operator=OPERATOR,
                shoe_number=self._shoe_number,
                round_number=self._round_number,
                reason=reason,
            )
        )

    def _ask(self, request: Request) -> None:
        self._client.ask(request, source=SOURCE)
