"""A toy settlement for tests of the runtime: takes every bet, closes when asked, and breaks when told to."""

import itertools
from collections.abc import Sequence
from typing import Any

import msgspec

from schemas.codec import CHAIN_START, ChainHead, Entry, encode_request, seal
from schemas.events import Event, Fact, Request
from schemas.facts import BetAccepted, BettingClosed, RoundOpened
from schemas.requests import BetCancel, BetPlace, BettingClose
from schemas.streams import Stream
from services.decider.outcome import Outcome
from services.decider.part import Part
from services.runtime.cursor import read_cursor
from services.runtime.records import Records
from services.runtime.service import Definition
from services.runtime.step import Stepper

BREAKS = 666


class Item(msgspec.Struct, frozen=True):
    """A stake of the toy's."""

    amount_minor: int


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table of the toy's."""

    table: str
    rounds: int = 0
    closed: bool = False
    items: Part[Item] = Part()


def decide(state: State, entry: Entry) -> list[Outcome]:
    """One fact a bet, one a close; nothing for a late bet."""
    match entry.event:
        case BetPlace(amount_minor=amount):
            assert amount != BREAKS, "told to break"
            return [] if state.closed else [_accepted(entry.event)]
        case BettingClose() as close:
            total = sum(item.amount_minor for item in state.items.values())
            return [
                BettingClosed(
                    table=close.table,
                    shoe_number=1,
                    round_number=1,
                    stakes=len(state.items),
                    totals={"player": total},
                    player_holder=None,
                    banker_holder=None,
                )
            ]
        case _:
            return []


def _accepted(bet: BetPlace) -> BetAccepted:
    return BetAccepted(
        table=bet.table,
        shoe_number=1,
        round_number=1,
        bet_id=bet.bet_id,
        bettor_id=bet.bettor_id,
        bet=bet.bet,
        seat=None,
        amount_minor=bet.amount_minor,
        requested_minor=bet.amount_minor,
        revision=0,
    )


def evolve(state: State, event: Any) -> State:
    """Rounds are counted, bets kept, a close remembered."""
    match event:
        case RoundOpened():
            return msgspec.structs.replace(state, rounds=state.rounds + 1)
        case BetAccepted():
            return msgspec.structs.replace(state, items=state.items.with_item(event.bet_id, Item(event.amount_minor)))
        case BettingClosed():
            return msgspec.structs.replace(state, closed=True)
        case _:
            return state


class NoMeter:
    """Measures nothing."""

    def read(self, pit: str, entry: Entry, read_at: float) -> None:
        """Nothing."""

    def committed(self, pit: str, facts: Sequence[Fact], read_at: float, committed_at: float) -> None:
        """Nothing."""


def wagers_first(event: Event) -> tuple[Stream, str] | None:
    """As settlement does."""
    return ("wagers", event.wagers_through) if isinstance(event, BettingClose) else None


DEFINITION = Definition(
    name="settlement",
    state=State,
    decide=decide,
    evolve=evolve,
    meter=NoMeter(),
    waits_for=wagers_first,
)


def new_stepper(quarantined: frozenset[str] = frozenset()) -> Stepper[State]:
    """The steps of a pit where nothing has happened."""
    cursor = read_cursor({}, DEFINITION.inputs)
    return Stepper(DEFINITION, Records(State), "p", cursor=cursor, states={}, quarantined=quarantined)


_ids = itertools.count(1)


def packed(request: Request) -> list[bytes]:
    """A request's entry, with an identity of its own."""
    return encode_request(request, id=f"r-{next(_ids)}", source="/test", time="2026-01-01T00:00:00.000000Z")


def bet(table: str = "t", amount_minor: int = 100, bet_id: str | None = None) -> BetPlace:
    """A bet on Player."""
    return BetPlace(
        table=table,
        shoe_number=1,
        round_number=1,
        bet_id=bet_id or f"bet-{next(_ids)}",
        bettor_id="b",
        bet="player",
        amount_minor=amount_minor,
        currency="HKD",
    )


def close(wagers_through: str, table: str = "t") -> BettingClose:
    """A close of the books."""
    return BettingClose(table=table, shoe_number=1, round_number=1, wagers_through=wagers_through, operator="d")


def cancel() -> BetCancel:
    """A request that the toy passes over."""
    return BetCancel(table="t", shoe_number=1, round_number=1, bet_id="x", revision=0)


def opened(count: int, first: int = 1) -> list[list[bytes]]:
    """So many `round.opened` of the shoe's, sealed one behind the other from sequence `first`."""
    head = ChainHead(first - 1, CHAIN_START)
    entries = []
    for number in range(count):
        fact = RoundOpened(
            table="t",
            shoe_number=1,
            round_number=number + 1,
            demonstration=False,
            burned=0,
            cards_left=400,
            last_round=False,
            limits_version=1,
        )
        values, head = seal(
            fact,
            head,
            source="/baccarat/p/shoe",
            time="2026-01-01T00:00:00.000000Z",
            causation="console/1-0",
            traceparent=None,
        )
        entries.append(values)
    return entries


def numbered(*entries: list[bytes], first: int = 1) -> list[tuple[str, list[bytes]]]:
    """Entries as a read gives them, with ids `first-0`, …"""
    return [(f"{number}-0", entry) for number, entry in enumerate(entries, start=first)]
