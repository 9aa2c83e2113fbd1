"""Terms: which bets a table offers, within which limits, and how they are paid."""

from typing import Final, Self

from msgspec import Struct

from schemas.cards import Side
from schemas.house_rules import HouseRules
from schemas.limits import Limits, exact_step_minor
from services.decider.part import Part

OTHER_SIDE: Final[dict[str, Side]] = {"player": "banker", "banker": "player"}
PAIR_BETS: Final = ("player_pair", "banker_pair")
_IN_FORCE: Final = "in_force"


class Terms(Struct, frozen=True):
    """House rules and limits that are in force together.

    `exact_steps_minor`: for each bet of the house, stakes in multiples of this are paid in whole units. These steps are
    worked out once, because every wager asks for one, and working it out took a quarter of the wager's time.
    """

    house_rules: HouseRules
    limits: Limits
    exact_steps_minor: dict[str, int]

    def offered(self) -> list[str]:
        """The bets that both the limits and the house rules have."""
        return [name for name in self.limits.bets if name in self.exact_steps_minor]

    def is_exact(self, amount_minor: int, bet_name: str) -> bool:
        """Whether all that a stake can win, and the commission on it, is whole in payable units."""
        return amount_minor % self.exact_steps_minor[bet_name] == 0

    def is_in_multiples(self, bet_name: str) -> bool:
        """Whether a stake on this bet must be a multiple of the bet's minimum."""
        return bet_name == "banker" and self.house_rules.banker_multiple_of_minimum


def make_terms(house_rules: HouseRules, limits: Limits) -> Terms:
    """The terms of a table with these house rules and limits."""
    steps_minor = {bet.name: exact_step_minor(bet.name, limits.unit_minor, house_rules) for bet in house_rules.bets}
    return Terms(house_rules, limits, steps_minor)


class TermsByRound(Part[Terms]):
    """The terms in force, and those of settled rounds under the generation in which they went out of force."""

    @property
    def in_force(self) -> Terms:
        """The terms of the round in play. Between rounds: of the next one, unless other limits wait for it."""
        return self[_IN_FORCE]

    def of(self, generation: int) -> Terms:
        """The terms under which the betting round of this generation was played."""
        later = [int(key) for key in self if key != _IN_FORCE and int(key) > generation]
        return self[str(min(later))] if later else self.in_force

    def with_in_force(self, terms: Terms, *, replaced_in: int | None) -> Self:
        """Other terms are in force. The ones before are kept under the generation `replaced_in`, unless it is None.

        When terms are replaced twice in one generation, only the first were in force for a round. Only they are kept.
        """
        if replaced_in is None or str(replaced_in) in self:
            return self.with_item(_IN_FORCE, terms)
        return self.with_changes({str(replaced_in): self.in_force, _IN_FORCE: terms})

    def since(self, generation: int) -> Self:
        """Without the terms that went out of force by this generation."""
        return self.with_changes({key: None for key in self if key != _IN_FORCE and int(key) <= generation})
