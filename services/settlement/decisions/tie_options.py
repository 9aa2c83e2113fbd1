"""Tie options (article 12): what a bettor may do with a stake that a tie left on the layout.

The options bind the carried amount alone. What the bettor added since is free, and so is a new stake.
"""

from collections.abc import Iterator

from schemas.house_rules import TieOption
from schemas.requests import BetCancel, BetChange
from services.decider.refusal import Refusal
from services.settlement.books.stakes import Stake
from services.settlement.books.terms import OTHER_SIDE, Terms


def refusal_of_option(wager: BetChange | BetCancel, stake: Stake, terms: Terms) -> Refusal | None:
    """Why the bettor may not do this with his stake. None: nothing of it was carried, or the house offers it."""
    if not stake.carried_minor:
        return None
    if isinstance(wager, BetChange) and wager.bet != stake.bet and wager.bet not in OTHER_SIDE:
        return Refusal("not_offered", "a carried stake may change sides and nothing else")
    offered = terms.house_rules.tie_options
    lacking = [option for option in _options(wager, stake) if option not in offered]
    if not lacking:
        return None
    return Refusal("not_offered", f"{' and '.join(lacking)}: the house offers {', '.join(offered)}")


def _options(wager: BetChange | BetCancel, stake: Stake) -> Iterator[TieOption]:
    """The options that this wager needs. One change may need two: another side and another amount."""
    if isinstance(wager, BetCancel):
        yield "withdraw"
        return
    if wager.bet != stake.bet:
        yield "switch"
    if wager.amount_minor > stake.amount_minor:
        yield "increase"
    if wager.amount_minor < stake.carried_minor:
        yield "reduce"
