"""Terms: which bets a table offers, within which limits, and how they are paid."""

from typing import Final

from msgspec import Struct

from schemas.cards import Side
from schemas.house_rules import HouseRules
from schemas.limits import Limits, exact_step_minor

IN_FORCE: Final = "in_force"
OTHER_SIDE: Final[dict[str, Side]] = {"player": "banker", "banker": "player"}
PAIR_BETS: Final = ("player_pair", "banker_pair")


class Terms(Struct, frozen=True):
    """House rules and limits that are in force together.

    `exact_steps_minor`: for each bet of the house, stakes in multiples of this are paid in whole units. They stand here
    because every wager asks for one, and to work one out would cost a quarter of the wager's time.
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
