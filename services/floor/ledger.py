"""The books of a pit, summed from every single fact about a stake and never from a round's own sums.

placed = returned + house + on the layout must hold with each term counted by itself: `returned` and `house` from what
ended, `on the layout` from the stakes that still live. `round.settled` only serves to be checked. A correction states
a settled round's stakes anew: what each was booked as is taken back, and it is booked as it is told now. Memory holds
the living stakes and the last rounds that a correction may reach, so that any number of pages can be folded.
"""

from typing import Final

import msgspec

from schemas import facts
from schemas.events import Event, RoundFact
from schemas.house_rules import CORRECTABLE_ROUNDS_MAX

PROBLEMS_MAX: Final = 20


class RoundSums(msgspec.Struct):
    """What one round has moved so far, for the comparison with its `round.settled`."""

    placed_minor: int = 0
    carried_in_minor: int = 0
    returned_minor: int = 0
    carried_out_minor: int = 0
    house_minor: int = 0
    commission_minor: int = 0
    stakes: int = 0


class RoundBooks(msgspec.Struct):
    """One round: its sums, what each stake was settled as, and which of them the revision under way has named."""

    sums: RoundSums = msgspec.field(default_factory=RoundSums)
    bets: dict[str, facts.SettledBet] = {}
    closed: bool = False
    revision: int = 0
    restated: set[str] = set()


class TableBooks(msgspec.Struct):
    """One table: the stakes on its layout, the round in play (or to come), and the last rounds, oldest first."""

    living: dict[str, int] = {}
    present: RoundBooks = msgspec.field(default_factory=RoundBooks)
    settled: dict[tuple[int, int], RoundBooks] = {}


class Ledger:
    """Folds the facts of `bets`, in their order, into sums. `problems` says in words what did not add up."""

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
        """What still lies on the layouts: stakes of rounds in play, and carried ones."""
        return sum(sum(table.living.values()) for table in self._tables.values())

    @property
    def balanced(self) -> bool:
        """Whether the books balance, each stake ended at most once and every round says the same of itself."""
        known = self.returned_minor + self.house_minor + self.on_layout_minor
        return not self.problems and self.placed_minor == known

    def add(self, event: Event) -> None:
        """Book one fact of `bets`; facts that move no money pass."""
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
        if event.bet_id in table.living:
            self._problem(event, f"stake {event.bet_id} was accepted while it is on the layout")
        table.living[event.bet_id] = event.amount_minor
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
            # A carried stake given back between rounds is in no round's sums: it just is not carried in.
            self.returned_minor += returned_minor
            table.present.sums.carried_in_minor -= returned_minor
        else:
            self._return(table.present.sums, returned_minor)

    def _settled(self, table: TableBooks, event: facts.BetsSettled, bet: facts.SettledBet) -> None:
        amount_minor = table.living.get(bet.bet_id)
        if amount_minor is None:
            self._problem(event, f"stake {bet.bet_id} ended without being on the layout")
        elif amount_minor != bet.stake_minor:
            self._problem(
                event, f"stake {bet.bet_id} was settled as {bet.stake_minor}, on the layout lay {amount_minor}"
            )
        if not bet.carried:
            table.living.pop(bet.bet_id, None)
        self._book(table.present, event, bet)

    def _book(self, books: RoundBooks, event: facts.BetsSettled, bet: facts.SettledBet) -> None:
        """What a stake of this round came to; what it came to by an earlier revision is taken back."""
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
        if carried_more_minor < 0 and table.living.pop(bet.bet_id, 0) != bet.stake_minor:
            self._problem(event, f"stake {bet.bet_id} is not on the layout any more and cannot end otherwise")
        if carried_more_minor > 0:
            table.living[bet.bet_id] = bet.stake_minor
        table.present.sums.carried_in_minor += carried_more_minor
        self._book(books, event, bet)

    def _end_round(self, table: TableBooks, event: facts.RoundSettled) -> None:
        self.rounds[event.table] = self.rounds.get(event.table, 0) + 1
        books = table.present
        if not books.closed and books.sums == RoundSums(carried_in_minor=books.sums.carried_in_minor):
            books = RoundBooks()  # a demonstration round: no books, and carried stakes pass over it
        self._check(event, books.sums)
        table.settled[event.shoe_number, event.round_number] = books
        if len(table.settled) > CORRECTABLE_ROUNDS_MAX:
            del table.settled[next(iter(table.settled))]
        # What is on the layout now is carried into the round that comes.
        table.present = RoundBooks(RoundSums(carried_in_minor=sum(table.living.values())))

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
        found_minor = table.living.get(event.bet_id, 0)
        if found_minor != said_minor:
            self._problem(event, f"{event.type} of stake {event.bet_id} says {said_minor}, was {found_minor}")

    def _place(self, table: TableBooks, amount_minor: int) -> None:
        self.placed_minor += amount_minor
        table.present.sums.placed_minor += amount_minor

    def _return(self, sums: RoundSums, amount_minor: int) -> None:
        self.returned_minor += amount_minor
        sums.returned_minor += amount_minor

    def _problem(self, event: RoundFact, text: str) -> None:
        # The first ones tell the cause; a broken stream must not fill the memory with the rest.
        if len(self.problems) < PROBLEMS_MAX:
            self.problems.append(f"{event.table}: shoe {event.shoe_number} round {event.round_number}: {text}")


def _keep(table: TableBooks, bet_id: str, amount_minor: int) -> None:
    if amount_minor:
        table.living[bet_id] = amount_minor
    else:
        table.living.pop(bet_id, None)
