"""The books of a pit, summed from every single fact about a stake and never from a round's own sums.

placed = returned + house + on the layout must hold with each term counted by itself: `returned` and `house` from what
ended, `on the layout` from the stakes that still live. `round.settled` only serves to be checked. Memory holds the
living stakes and no past fact, so that any number of pages can be folded.
"""

import msgspec

from schemas import facts
from schemas.events import Event


class RoundSums(msgspec.Struct):
    """What one table's round has moved so far, for the comparison with its `round.settled`."""

    placed_minor: int = 0
    carried_in_minor: int = 0
    returned_minor: int = 0
    carried_out_minor: int = 0
    house_minor: int = 0
    commission_minor: int = 0
    stakes: int = 0


class Ledger:
    """Folds the facts of `bets`, in their order, into sums. `problems` says in words what did not add up."""

    PROBLEMS_MAX = 20

    def __init__(self) -> None:
        self.rounds: dict[str, int] = {}
        self.bets = 0
        self.placed_minor = 0
        self.returned_minor = 0
        self.house_minor = 0
        self.problems: list[str] = []
        self._living: dict[str, dict[str, int]] = {}
        self._sums: dict[str, RoundSums] = {}

    @property
    def on_layout_minor(self) -> int:
        """What still lies on the layouts: stakes of rounds in play, and carried ones."""
        return sum(sum(stakes.values()) for stakes in self._living.values())

    @property
    def balanced(self) -> bool:
        """Whether the books balance, each stake ended at most once and every round says the same of itself."""
        known = self.returned_minor + self.house_minor + self.on_layout_minor
        return not self.problems and self.placed_minor == known

    def add(self, event: Event) -> None:
        """Book one fact of `bets`; facts that move no money pass."""
        match event:
            case facts.BetAccepted():
                self._accepted(event)
            case facts.BetChanged() | facts.BetCancelled():
                self._changed(event)
            case facts.StakeReduced() | facts.StakeReturned():
                self._handed_back(event)
            case facts.BetsSettled():
                for bet in event.bets:
                    self._settled(event, bet)
            case facts.RoundSettled():
                self._check_round(event)
            case _:
                pass

    def _accepted(self, event: facts.BetAccepted) -> None:
        stakes = self._living.setdefault(event.table, {})
        if event.bet_id in stakes:
            self._problem(f"{event.table}: stake {event.bet_id} was accepted while it is on the layout")
        stakes[event.bet_id] = event.amount_minor
        self.bets += 1
        self._place(event.table, event.amount_minor)

    def _changed(self, event: facts.BetChanged | facts.BetCancelled) -> None:
        before_minor = self._before(event, event.before_minor)
        if event.amount_minor > before_minor:
            self._place(event.table, event.amount_minor - before_minor)
        else:
            self._return(event.table, before_minor - event.amount_minor)
        self._keep(event, event.amount_minor)

    def _handed_back(self, event: facts.StakeReduced | facts.StakeReturned) -> None:
        before_minor = self._before(event, event.before_minor)
        after_minor = 0 if isinstance(event, facts.StakeReturned) else event.after_minor
        self._keep(event, after_minor)
        self.returned_minor += before_minor - after_minor
        if isinstance(event, facts.StakeReduced):
            self._sum(event.table).returned_minor += before_minor - after_minor
        else:
            # A carried stake given back between rounds is in no round's sums: it just was not carried in.
            self._sum(event.table).carried_in_minor -= before_minor

    def _settled(self, event: facts.BetsSettled, bet: facts.SettledBet) -> None:
        if event.revision != 0:
            self._problem(f"{event.table}: a correction (revision {event.revision}) is not in these books")
            return
        stakes = self._living.setdefault(event.table, {})
        amount_minor = stakes.get(bet.bet_id)
        if amount_minor is None:
            self._problem(f"{event.table}: stake {bet.bet_id} ended without being on the layout")
        elif amount_minor != bet.stake_minor:
            self._problem(
                f"{event.table}: stake {bet.bet_id} was settled as {bet.stake_minor}, on the layout lay {amount_minor}"
            )
        sums = self._sum(event.table)
        sums.stakes += 1
        sums.commission_minor += bet.commission_minor
        if bet.carried:
            sums.carried_out_minor += bet.stake_minor
            if bet.return_minor:
                self._problem(f"{event.table}: stake {bet.bet_id} was carried and returned")
            return
        stakes.pop(bet.bet_id, None)
        house_minor = bet.stake_minor - bet.return_minor
        self.house_minor += house_minor
        sums.house_minor += house_minor
        self._return(event.table, bet.return_minor)

    def _check_round(self, event: facts.RoundSettled) -> None:
        if event.revision != 0:
            self._problem(f"{event.table}: a correction (revision {event.revision}) is not in these books")
            return
        self.rounds[event.table] = self.rounds.get(event.table, 0) + 1
        sums = self._sum(event.table)
        for field in RoundSums.__struct_fields__:
            said, found = getattr(event, field), getattr(sums, field)
            if said != found:
                self._problem(
                    f"{event.table}: shoe {event.shoe_number} round {event.round_number} says {field}={said}, "
                    f"its stakes say {found}"
                )
        # What is on the layout now is carried into the round that comes.
        self._sums[event.table] = RoundSums(carried_in_minor=sum(self._living.get(event.table, {}).values()))

    def _before(self, event: facts.StakeFact, said_minor: int) -> int:
        found_minor = self._living.get(event.table, {}).get(event.bet_id, 0)
        if found_minor != said_minor:
            self._problem(f"{event.table}: {event.type} of stake {event.bet_id} says {said_minor}, was {found_minor}")
        return said_minor

    def _keep(self, event: facts.StakeFact, amount_minor: int) -> None:
        stakes = self._living.setdefault(event.table, {})
        if amount_minor:
            stakes[event.bet_id] = amount_minor
        else:
            stakes.pop(event.bet_id, None)

    def _place(self, table: str, amount_minor: int) -> None:
        self.placed_minor += amount_minor
        self._sum(table).placed_minor += amount_minor

    def _return(self, table: str, amount_minor: int) -> None:
        self.returned_minor += amount_minor
        self._sum(table).returned_minor += amount_minor

    def _sum(self, table: str) -> RoundSums:
        return self._sums.setdefault(table, RoundSums())

    def _problem(self, text: str) -> None:
        # The first ones tell the cause; a broken stream must not fill the memory with the rest.
        if len(self.problems) < self.PROBLEMS_MAX:
            self.problems.append(text)
