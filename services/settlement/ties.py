"""What a bettor may do with a stake that a tie left on the layout (article 12): what the house's tie options offer.

The options bind the carried amount alone. What was added since is free, and so is any new stake.
"""

from collections.abc import Iterator

from schemas.house_rules import TieOption
from schemas.requests import BetCancel, BetChange
from services.decider.refusal import Refusal
from services.settlement.records import Stake, Terms


def refusal_of_option(wager: BetChange | BetCancel, stake: Stake, terms: Terms) -> Refusal | None:
    """Why this may not be done with this stake, or None: nothing was carried, or the house offers it."""
    if not stake.carried_minor:
        return None
    if isinstance(wager, BetChange) and wager.bet != stake.bet and wager.bet not in ("player", "banker"):
        return Refusal("not_offered", "a carried stake may change sides and nothing else")
    offered = terms.house_rules.tie_options
    lacking = [option for option in _options(wager, stake) if option not in offered]
    return (
        Refusal("not_offered", f"{' and '.join(lacking)}: the house offers {', '.join(offered)}") if lacking else None
    )


def _options(wager: BetChange | BetCancel, stake: Stake) -> Iterator[TieOption]:
    """The options that a wager makes use of: a stake may change sides and amount at once."""
    if isinstance(wager, BetCancel):
        yield "withdraw"
        return
    if wager.bet != stake.bet:
        yield "switch"
    if wager.amount_minor > stake.amount_minor:
        yield "increase"
    if wager.amount_minor < stake.carried_minor:
        yield "reduce"
