"""What is handed back when betting closes: what the limits have no room for, and pairs left without their main bet.

An untouched carried stake is not held against minimum, multiple and commission again, but maximum, total and
differential hold for all (articles 12, 14).
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from schemas.facts import StakeReduced, StakeReturned
from schemas.requests import BettingClose
from services.settlement.cuts import Cut, LastFirst
from services.settlement.differential import OTHER_SIDE, differential_cuts
from services.settlement.parts import reduced
from services.settlement.records import Stake, Terms

PAIR_BETS: Final = ("player_pair", "banker_pair")


def cut_at_closing(stakes: Mapping[str, Stake], terms: Terms) -> tuple[dict[str, Stake], list[Cut]]:
    """The stakes that the round is played for, in their order, and each cut on the way there."""
    left, cuts = dict(stakes), []
    for cuts_for_a_reason in (_above_maximum, _above_total, differential_cuts, _pairs_without_main):
        for cut in cuts_for_a_reason(left, terms):
            left[cut.bet_id] = reduced(left[cut.bet_id], cut.after_minor)
            cuts.append(cut)
        left = {bet_id: stake for bet_id, stake in left.items() if stake.amount_minor}
    return left, cuts


def handed_back(request: BettingClose, cut: Cut, stake: Stake) -> StakeReduced | StakeReturned:
    """The fact of a cut: part of a stake, or all that was left of it, goes back to its bettor."""
    fact = StakeReduced if cut.after_minor else StakeReturned
    return fact(
        table=request.table,
        shoe_number=request.shoe_number,
        round_number=request.round_number,
        bet_id=cut.bet_id,
        bettor_id=stake.bettor_id,
        before_minor=cut.before_minor,
        after_minor=cut.after_minor,
        reason=cut.reason,
    )


def _above_maximum(stakes: Mapping[str, Stake], terms: Terms) -> list[Cut]:
    """One bettor's stakes on one bet, over all seats: above only when the limits changed under a carried stake."""
    of_bettor: dict[tuple[str, str], dict[str, Stake]] = defaultdict(dict)
    for bet_id, stake in stakes.items():
        of_bettor[stake.bettor_id, stake.bet][bet_id] = stake
    bounds = terms.limits.bets
    return [
        cut
        for (_, bet_name), theirs in of_bettor.items()
        if bet_name in bounds
        for cut in _down_to(bounds[bet_name].maximum_minor, theirs, terms, "above_maximum")
    ]


def _above_total(stakes: Mapping[str, Stake], terms: Terms) -> list[Cut]:
    return [
        cut
        for bet_name, bounds in terms.limits.bets.items()
        if bounds.total_minor
        for cut in _down_to(
            bounds.total_minor,
            {bet_id: stake for bet_id, stake in stakes.items() if stake.bet == bet_name},
            terms,
            "above_total",
        )
    ]


def _down_to(bound_minor: int, stakes: Mapping[str, Stake], terms: Terms, reason: str) -> list[Cut]:
    if sum([stake.amount_minor for stake in stakes.values()]) <= bound_minor:
        return []
    last_first, cuts = LastFirst(stakes), []
    while last_first.sum_minor > bound_minor:
        cuts.append(last_first.cut(last_first.sum_minor - bound_minor, terms, reason))
    return cuts


def _pairs_without_main(stakes: Mapping[str, Stake], terms: Terms) -> list[Cut]:
    """A pair is bet in addition to Player or Banker (article 13): it goes back when nothing of those is left."""
    if not terms.house_rules.pair_requires_main:
        return []
    with_main = {stake.bettor_id for stake in stakes.values() if stake.bet in OTHER_SIDE}
    return [
        Cut(bet_id, stake.amount_minor, 0, "pair_without_main")
        for bet_id, stake in stakes.items()
        if stake.bet in PAIR_BETS and stake.bettor_id not in with_main
    ]
