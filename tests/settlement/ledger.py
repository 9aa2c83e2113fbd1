"""Books kept from single facts, for the properties: it asks the core nothing."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final

from schemas.events import Fact
from schemas.facts import (
    BetAccepted,
    BetCancelled,
    BetChanged,
    BetsSettled,
    BettingClosed,
    RoundSettled,
    StakeReduced,
    StakeReturned,
)
from schemas.house_rules import HouseRules
from schemas.limits import Limits

# To one, as the shipped house rules print them (article 17); for one is one more.
RETURN_MAX: Final = {"player": 2, "banker": 2, "tie": 9, "player_pair": 12, "banker_pair": 12}
UNIT_MINOR: Final = 5


class Ledger:
    """Books kept from single facts alone: what lies on the layout, and each round's money in and out."""

    def __init__(self, rules: HouseRules) -> None:
        self.rules = rules
        self.layout: dict[str, int] = {}
        self.bets: dict[str, str] = {}
        self.bettors: dict[str, str] = {}
        self.ended: Counter[str] = Counter()
        self.paid: dict[str, int] = defaultdict(int)
        self.staked_max: dict[str, int] = {}
        self.placed = self.returned = self.house = self.given_back_outside = self._carried = 0
        self._round: Counter[str] = Counter()

    def read(self, fact: Fact, limits: Limits, phase: str) -> None:
        """One fact, by the limits and the phase of the step that wrote it."""
        match fact:
            case BetAccepted():
                assert fact.bet_id not in self.bets
                self.bettors[fact.bet_id] = fact.bettor_id
                self._round["placed"] += fact.amount_minor
                self._check_amount(fact.bet, fact.amount_minor, limits)
                assert fact.amount_minor <= fact.requested_minor
                self._lay(fact.bet_id, fact.bet, fact.amount_minor)
                self._check_room(fact.bet, limits)
            case BetChanged():
                assert fact.before_minor == self.layout[fact.bet_id]
                self._check_amount(fact.bet, fact.amount_minor, limits)
                assert fact.amount_minor <= fact.requested_minor
                self._round["placed"] += max(0, fact.amount_minor - fact.before_minor)
                self._round["returned"] += max(0, fact.before_minor - fact.amount_minor)
                more = fact.bet != self.bets[fact.bet_id] or fact.amount_minor > fact.before_minor
                self._lay(fact.bet_id, fact.bet, fact.amount_minor)
                if more:
                    self._check_room(fact.bet, limits)
            case BetCancelled():
                self._round["returned"] += self._end(fact.bet_id, fact.before_minor)
            case StakeReduced():
                assert phase == "open"
                assert 0 < fact.after_minor < fact.before_minor == self.layout[fact.bet_id]
                self._check_amount(self.bets[fact.bet_id], fact.after_minor, limits)
                self._round["returned"] += fact.before_minor - fact.after_minor
                self.layout[fact.bet_id] = fact.after_minor
            case StakeReturned() if phase == "open":
                assert fact.after_minor == 0
                self._round["returned"] += self._end(fact.bet_id, fact.before_minor)
            case StakeReturned():
                returned = self._end(fact.bet_id, fact.before_minor)
                self.given_back_outside += returned
                self._carried -= returned
            case BetsSettled():
                self._read_bets(fact)
            case RoundSettled() if phase == "demonstration":
                zeros = (fact.stakes, fact.placed_minor, fact.carried_in_minor, fact.returned_minor, fact.house_minor)
                assert zeros == (0, 0, 0, 0, 0)
            case RoundSettled():
                self._check_round(fact)
            case BettingClosed():
                totals: Counter[str] = Counter()
                for bet_id, amount_minor in self.layout.items():
                    totals[self.bets[bet_id]] += amount_minor
                assert (fact.stakes, fact.totals) == (len(self.layout), dict(totals))
                self._check_layout(totals, limits)
            case _:
                pass

    def _check_amount(self, bet: str, amount_minor: int, limits: Limits) -> None:
        minimum_minor = limits.bets[bet].minimum_minor
        assert amount_minor >= minimum_minor
        assert amount_minor % limits.unit_minor == 0
        if bet == "banker" and self.rules.banker_multiple_of_minimum:
            assert amount_minor % minimum_minor == 0

    def _check_room(self, bet: str, limits: Limits) -> None:
        """What was taken last keeps the differential limit, unless the house cuts at closing alone."""
        if self.rules.differential_policy == "at_close" or not limits.differential_limit_minor:
            return
        sides: Counter[str] = Counter()
        for bet_id, amount_minor in self.layout.items():
            sides[self.bets[bet_id]] += amount_minor
        if bet in ("player", "banker"):
            assert 2 * sides[bet] - sides["player"] - sides["banker"] <= limits.differential_limit_minor

    def _check_layout(self, totals: Mapping[str, int], limits: Limits) -> None:
        """What a round is played for keeps the bounds that hold for all, carried stakes too."""
        if limits.differential_limit_minor:
            assert abs(totals.get("banker", 0) - totals.get("player", 0)) <= limits.differential_limit_minor
        of_bettor: Counter[tuple[str, str]] = Counter()
        for bet_id, amount_minor in self.layout.items():
            of_bettor[self.bettors[bet_id], self.bets[bet_id]] += amount_minor
        for (bettor_id, bet), amount_minor in of_bettor.items():
            assert amount_minor <= limits.bets[bet].maximum_minor
            sides = {side for side in ("player", "banker") if of_bettor[bettor_id, side]}
            assert self.rules.both_sides or len(sides) < 2
            assert not (self.rules.pair_requires_main and bet.endswith("_pair")) or sides
        for bet, total_minor in totals.items():
            assert not 0 < limits.bets[bet].total_minor < total_minor

    def _read_bets(self, fact: BetsSettled) -> None:
        assert 1 <= len(fact.bets) <= 128
        for bet in fact.bets:
            assert bet.bet == self.bets[bet.bet_id]
            assert bet.stake_minor == self.layout[bet.bet_id]
            assert 0 <= bet.return_minor <= bet.stake_minor * RETURN_MAX[bet.bet]
            assert bet.return_minor % UNIT_MINOR == bet.commission_minor % UNIT_MINOR == 0
            self._round["stakes"] += 1
            self._round["returned"] += bet.return_minor
            self._round["commission"] += bet.commission_minor
            self.paid[bet.bet_id] += bet.return_minor
            if bet.carried:
                assert (bet.outcome, bet.return_minor) == ("push", 0)
                self._round["carried out"] += bet.stake_minor
            else:
                self._round["house"] += self._end(bet.bet_id, bet.stake_minor) - bet.return_minor

    def _check_round(self, fact: RoundSettled) -> None:
        """Every stake on the layout was named once, and the round's sums are the sums of its facts."""
        found = self._round
        assert fact.stakes == found["stakes"]
        assert fact.placed_minor == found["placed"]
        assert fact.carried_in_minor == self._carried
        assert fact.returned_minor == found["returned"]
        assert fact.carried_out_minor == found["carried out"] == sum(self.layout.values())
        assert fact.house_minor == found["house"]
        assert fact.commission_minor == found["commission"]
        assert fact.placed_minor + fact.carried_in_minor == (
            fact.returned_minor + fact.carried_out_minor + fact.house_minor
        )
        self.placed += found["placed"]
        self.returned += found["returned"]
        self.house += found["house"]
        self._carried = found["carried out"]
        self._round = Counter()

    def check(self) -> None:
        """For ever: what was placed was handed back, is the house's, or lies on the layout; each stake ends once."""
        placed = self.placed + self._round["placed"]
        returned = self.returned + self._round["returned"] + self.given_back_outside
        assert placed == returned + self.house + sum(self.layout.values())
        assert set(self.ended.values()) <= {1}
        assert self.bets.keys() == self.ended.keys() | self.layout.keys()
        assert not self.ended.keys() & self.layout.keys()
        for bet_id, paid_minor in self.paid.items():
            assert paid_minor <= self.staked_max[bet_id] * RETURN_MAX[self.bets[bet_id]]

    def _lay(self, bet_id: str, bet: str, amount_minor: int) -> None:
        self.layout[bet_id], self.bets[bet_id] = amount_minor, bet
        self.staked_max[bet_id] = amount_minor

    def _end(self, bet_id: str, amount_minor: int) -> int:
        self.ended[bet_id] += 1
        assert self.layout.pop(bet_id) == amount_minor
        return amount_minor
