"""What a table's books are made of. Each struct is stored as a record of its own."""

from typing import NamedTuple

import msgspec

from schemas.house_rules import HouseRules
from schemas.limits import Limits, exact_step_minor


class Terms(msgspec.Struct, frozen=True):
    """What is offered, within which bounds, and how it is paid. `exact_steps_minor`: of each of the house's bets."""

    house_rules: HouseRules
    limits: Limits
    exact_steps_minor: dict[str, int]


def make_terms(house_rules: HouseRules, limits: Limits) -> Terms:
    """The terms of a table. Every wager asks for the steps, and working one out costs it a quarter of its time."""
    steps_minor = {bet.name: exact_step_minor(bet.name, limits.unit_minor, house_rules) for bet in house_rules.bets}
    return Terms(house_rules, limits, steps_minor)


class Increase(NamedTuple):
    """What was added to a stake at once, and its place among the wagers that the table had taken."""

    order: int
    amount_minor: int


class Stake(msgspec.Struct, frozen=True, omit_defaults=True):
    """One stake, stored under its bet_id.

    It is on the layout while `generation` is the count of settled betting rounds; carrying moves it on to the next.
    Nothing is written when it ends: the count passes it by, and it stays known while its round can be corrected.
    `amount_minor` 0: taken back. `order`: how many wagers the table had taken before it; `moved`: the same of a change
    that brought it to this bet; its `increases` are later. `carried_minor`: what a tie left, bound by the tie options.
    `accepted_in`: the generation of its first round. `adjusted_minor`: what adjustments by hand brought its bettor.
    """

    bettor_id: str
    bet: str
    amount_minor: int
    order: int
    generation: int
    revision: int = 0
    seat: int | None = None
    moved: int | None = None
    carried_minor: int = 0
    increases: tuple[Increase, ...] = ()
    accepted_in: int = 0
    adjusted_minor: int = 0


class Seat(msgspec.Struct, frozen=True):
    """A taken seat, stored under its number."""

    bettor_id: str


class Sums(msgspec.Struct, frozen=True, omit_defaults=True):
    """The round's money so far; what is handed back here was cancelled or taken off before any result."""

    placed_minor: int = 0
    carried_in_minor: int = 0
    handed_back_minor: int = 0


class SettledRound(msgspec.Struct, frozen=True, omit_defaults=True):
    """A settled betting round that may still be corrected, stored under its generation; its stakes are kept as long."""

    shoe_number: int
    round_number: int
    sums: Sums
    carried_out_minor: int = 0
    revision: int = 0


class Seen(msgspec.Struct, frozen=True):
    """A request that was answered, stored under its identity: what it said and where its first copy stands.

    `kept_since`: for wagers the count of settled betting rounds, for the console the number of the request.
    """

    digest: str
    place: str
    kept_since: int
