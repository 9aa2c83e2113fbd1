"""The table differential (article 14): Banker's stakes against Player's; ties, pairs and side bets do not count."""

from collections.abc import Collection, Mapping
from typing import Final

from schemas.cards import Side
from services.decider.refusal import Refusal
from services.settlement.amounts import largest_amount_minor
from services.settlement.cuts import Cut, LastFirst
from services.settlement.records import Stake, Terms

OTHER_SIDE: Final[dict[str, Side]] = {"player": "banker", "banker": "player"}


def fitting_minor(
    amount_minor: int, bet_name: str, others: Collection[Stake], terms: Terms, *, before_minor: int
) -> int | Refusal:
    """How much of a stake of this amount the house takes beside the others; `before_minor` of it lie there already.

    At `at_close` everything is taken for now, and what does not fit is handed back when betting closes.
    """
    limit_minor = terms.limits.differential_limit_minor
    policy = terms.house_rules.differential_policy
    if policy == "at_close" or not limit_minor or bet_name not in OTHER_SIDE or amount_minor <= before_minor:
        return amount_minor
    room_minor = limit_minor + _sum_minor(others, OTHER_SIDE[bet_name]) - _sum_minor(others, bet_name)
    if amount_minor <= room_minor:
        return amount_minor
    largest_minor = largest_amount_minor(room_minor, bet_name, terms) if policy == "at_bet" else 0
    if largest_minor > before_minor:
        return largest_minor
    return Refusal("differential_full", f"the limit {limit_minor} has room for {max(room_minor - before_minor, 0)}")


def differential_cuts(stakes: Mapping[str, Stake], terms: Terms) -> list[Cut]:
    """What is cut from the heavier side, last accepted first, until the limit holds.

    A cut that leaves less than the limit asks for may make the other side the heavier one: then that is cut.
    """
    limit_minor = terms.limits.differential_limit_minor
    if not limit_minor:
        return []
    sides = {
        side: LastFirst({name: stake for name, stake in stakes.items() if stake.bet == side}) for side in OTHER_SIDE
    }
    cuts: list[Cut] = []
    while True:
        heavier = max(sides.values(), key=lambda side: side.sum_minor)
        lighter = min(sides.values(), key=lambda side: side.sum_minor)
        excess_minor = heavier.sum_minor - lighter.sum_minor - limit_minor
        if excess_minor <= 0:
            return cuts
        cuts.append(heavier.cut(excess_minor, terms, "differential"))


def _sum_minor(stakes: Collection[Stake], bet_name: str) -> int:
    return sum([stake.amount_minor for stake in stakes if stake.bet == bet_name])
