"""The money of a pit, summed from the facts about each single stake.

    placed = returned + house + on the layout

Each of these four is counted by itself. `returned` and `house` are summed from the stakes that have ended, `on the
layout` from the stakes that have not. The sums in `round.settled` are not used for this. They are only compared.

A correction states the stakes of a settled round again. What was booked for a stake is then taken back, and what the
correction says is booked instead.

The memory holds the stakes on the layouts and the last rounds, which a correction may still change. So it does not grow
with the length of the stream.
"""

from typing import Final

import msgspec

from schemas import facts
from schemas.events import Event, RoundFact
from schemas.house_rules import CORRECTABLE_ROUNDS_MAX

PROBLEMS_MAX: Final = 20


class RoundSums(msgspec.Struct):
    """The money that one round has moved so far, to be compared with its `round.settled`."""

    placed_minor: int = 0
    carried_in_minor: int = 0
    returned_minor: int = 0
    carried_out_minor: int = 0
    house_minor: int = 0
    commission_minor: int = 0
    stakes: int = 0


class RoundBooks(msgspec.Struct):
    """One round: its sums, and what each stake was settled as.

    `revision`: the last correction that is complete. `restated`: the stakes that the next one has named so far.
    """

    sums: RoundSums = msgspec.field(default_factory=RoundSums)
    bets: dict[str, facts.SettledBet] = {}
    closed: bool = False
    revision: int = 0
    restated: set[str] = set()


class TableBooks(msgspec.Struct):
    """One table: the stakes on its layout, the present or next round, and the last settled rounds, oldest first."""

    on_layout: dict[str, int] = {}
    present: RoundBooks = msgspec.field(default_factory=RoundBooks)
    settled: dict[tuple[int, int], RoundBooks] = {}


class Ledger:
    """The sums of all facts of `bets`, added in their order. `problems`: what did not add up, in words."""

    def __init__(self) -> None:
        self.rounds: dict[str, int] = {}
        self.bets = 0
        self.placed_minor = 0
        self.returned_minor = 0
        self.house_minor = 0
        self.problems: list[str] = []
        self._tables: dict[str, TableBooks] = {}

    @property
    def on_layout_minor(self) -> int:
        """What lies on the layouts: the stakes of rounds in play, and carried stakes."""
        return sum(sum(table.on_layout.values()) for table in self._tables.values())

    @property
    def balanced(self) -> bool:
        """Whether the sums balance, and no fact contradicted another."""
        known = self.returned_minor + self.house_minor + self.on_layout_minor
        return not self.problems and self.placed_minor == known

    def add(self, event: Event) -> None:
        """Book one fact of `bets`. Facts that move no money change nothing."""
        table = self._tables.setdefault(event.table, TableBooks())
        match event:
            case facts.BetAccepted():
                self._accepted(table, event)
            case facts.BetChanged() | facts.BetCancelled():
                self._changed(table, event)
            case facts.BettingClosed():
                table.present.closed = True
            case facts.StakeReduced() | facts.StakeReturned():
                self._handed_back(table, event)
            case facts.BetsSettled(revision=0):
                for bet in event.bets:
                    self._settled(table, event, bet)
            case facts.BetsSettled():
                for bet in event.bets:
                    self._restated(table, event, bet)
            case facts.RoundSettled(revision=0):
                self._end_round(table, event)
            case facts.RoundSettled():
                self._end_revision(table, event)
            case facts.SettlementAdjusted():
                self.returned_minor += event.amount_minor
                self.house_minor -= event.amount_minor
            case _:
                pass

    def _accepted(self, table: TableBooks, event: facts.BetAccepted) -> None:
        if event.bet_id in table.on_layout:
            self._problem(event, f"stake {event.bet_id} was accepted while it is on the layout")
        table.on_layout[event.bet_id] = event.amount_minor
        self.bets += 1
        self._place(table, event.amount_minor)

    def _changed(self, table: TableBooks, event: facts.BetChanged | facts.BetCancelled) -> None:
        self._check_before(table, event, event.before_minor)
        added_minor = event.amount_minor - event.before_minor
        if added_minor > 0:
            self._place(table, added_minor)
        else:
            self._return(table.present.sums, -added_minor)
        _keep(table, event.bet_id, event.amount_minor)

    def _handed_back(self, table: TableBooks, event: facts.StakeReduced | facts.StakeReturned) -> None:
        self._check_before(table, event, event.before_minor)
        _keep(table, event.bet_id, event.after_minor)
        returned_minor = event.before_minor - event.after_minor
        if (event.shoe_number, event.round_number) in table.settled:
            # The sums of no round name a carried stake that is given back between rounds. The next round only has
            # less carried in.
            self.returned_minor += returned_minor
            table.present.sums.carried_in_minor -= returned_minor
        else:
            self._return(table.present.sums, returned_minor)

    def _settled(self, table: TableBooks, event: facts.BetsSettled, bet: facts.SettledBet) -> None:
        amount_minor = table.on_layout.get(bet.bet_id)
        if amount_minor is None:
            self._problem(event, f"stake {bet.bet_id} ended without being on the layout")
        elif amount_minor != bet.stake_minor:
            self._problem(
                event, f"stake {bet.bet_id} was settled as {bet.stake_minor}, on the layout lay {amount_minor}"
            )
        if not bet.carried:
            table.on_layout.pop(bet.bet_id, None)
        self._book(table.present, event, bet)

    def _book(self, books: RoundBooks, event: facts.BetsSettled, bet: facts.SettledBet) -> None:
        """Book what a stake was settled as. What an earlier revision booked for it is taken back."""
        before = books.bets.get(bet.bet_id)
        if before is not None:
            self._sum_up(books.sums, before, -1)
        if bet.carried and bet.return_minor:
            self._problem(event, f"stake {bet.bet_id} was carried and returned")
        self._sum_up(books.sums, bet, +1)
        books.bets[bet.bet_id] = bet

    def _sum_up(self, sums: RoundSums, bet: facts.SettledBet, sign: int) -> None:
        sums.stakes += sign
        sums.commission_minor += sign * bet.commission_minor
        if bet.carried:
            sums.carried_out_minor += sign * bet.stake_minor
            return
        house_minor = sign * (bet.stake_minor - bet.return_minor)
        self.house_minor += house_minor
        sums.house_minor += house_minor
        self._return(sums, sign * bet.return_minor)

    def _restated(self, table: TableBooks, event: facts.BetsSettled, bet: facts.SettledBet) -> None:
        books = table.settled.get((event.shoe_number, event.round_number), RoundBooks())
        before = books.bets.get(bet.bet_id)
        if before is None or bet.bet_id in books.restated or before.stake_minor != bet.stake_minor:
            self._problem(
                event, f"revision {event.revision} restates stake {bet.bet_id}, which this round did not settle"
            )
            return
        books.restated.add(bet.bet_id)
        carried_more_minor = (bet.carried - before.carried) * bet.stake_minor
        if carried_more_minor < 0 and table.on_layout.pop(bet.bet_id, 0) != bet.stake_minor:
            self._problem(event, f"stake {bet.bet_id} is not on the layout any more and cannot end otherwise")
        if carried_more_minor > 0:
            table.on_layout[bet.bet_id] = bet.stake_minor
        table.present.sums.carried_in_minor += carried_more_minor
        self._book(books, event, bet)

    def _end_round(self, table: TableBooks, event: facts.RoundSettled) -> None:
        self.rounds[event.table] = self.rounds.get(event.table, 0) + 1
        books = table.present
        if not books.closed and books.sums == RoundSums(carried_in_minor=books.sums.carried_in_minor):
            books = RoundBooks()  # a demonstration round, which takes no bets; carried stakes wait for the next round
        self._check(event, books.sums)
        table.settled[event.shoe_number, event.round_number] = books
        if len(table.settled) > CORRECTABLE_ROUNDS_MAX:
            del table.settled[next(iter(table.settled))]
        # What is on the layout now is carried into the next round.
        table.present = RoundBooks(RoundSums(carried_in_minor=sum(table.on_layout.values())))

    def _end_revision(self, table: TableBooks, event: facts.RoundSettled) -> None:
        books = table.settled.get((event.shoe_number, event.round_number))
        if books is None:
            self._problem(event, f"revision {event.revision} is of a round long over")
            return
        if event.revision != books.revision + 1:
            self._problem(event, f"revision {event.revision} follows revision {books.revision}")
        if books.restated != books.bets.keys():
            self._problem(
                event, f"revision {event.revision} restates {len(books.restated)} of {len(books.bets)} stakes"
            )
        books.revision, books.restated = event.revision, set()
        self._check(event, books.sums)

    def _check(self, event: facts.RoundSettled, sums: RoundSums) -> None:
        for field in RoundSums.__struct_fields__:
            said, found = getattr(event, field), getattr(sums, field)
            if said != found:
                self._problem(event, f"says {field}={said}, its stakes say {found}")

    def _check_before(self, table: TableBooks, event: facts.StakeFact, said_minor: int) -> None:
        found_minor = table.on_layout.get(event.bet_id, 0)
        if found_minor != said_minor:
            self._problem(event, f"{event.type} of stake {event.bet_id} says {said_minor}, was {found_minor}")

    def _place(self, table: TableBooks, amount_minor: int) -> None:
        self.placed_minor += amount_minor
        table.present.sums.placed_minor += amount_minor

    def _return(self, sums: RoundSums, amount_minor: int) -> None:
        self.returned_minor += amount_minor
        sums.returned_minor += amount_minor

    def _problem(self, event: RoundFact, text: str) -> None:
        # The first problems show the cause. A broken stream must not fill the memory with more of them.
        if len(self.problems) < PROBLEMS_MAX:
            self.problems.append(f"{event.table}: shoe {event.shoe_number} round {event.round_number}: {text}")


def _keep(table: TableBooks, bet_id: str, amount_minor: int) -> None:
    if amount_minor:
        table.on_layout[bet_id] = amount_minor
    else:
        table.on_layout.pop(bet_id, None)
