"""Wagers while the books are open: what is offered and within which bounds (articles 12 to 14, 18; limits)."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from schemas.facts import BetAccepted, BetCancelled, BetChanged, BetRejected
from schemas.house_rules import ODDS_MAX
from schemas.limits import ROUND_RETURNS_MINOR_MAX
from schemas.requests import BetCancel, BetChange, BetPlace
from services.decider.refusal import Refusal
from services.settlement.amounts import refusal_of_amount
from services.settlement.closing import PAIR_BETS
from services.settlement.differential import OTHER_SIDE, fitting_minor
from services.settlement.money import possible_return_minor
from services.settlement.records import Stake, Terms
from services.settlement.ties import refusal_of_option

Wager = BetPlace | BetChange | BetCancel


class Asked(NamedTuple):
    """The stake that a wager asks for; `before_minor` of it lie on this bet already."""

    bettor_id: str
    bet_name: str
    amount_minor: int
    before_minor: int


def answer(
    wager: Wager, terms: Terms, layout: Mapping[str, Stake]
) -> BetAccepted | BetChanged | BetCancelled | Refusal:
    """What a wager about the open round does to the stakes on the layout, or why it may not."""
    if isinstance(wager, BetPlace):
        return _place(wager, terms, layout)
    stake = layout.get(wager.bet_id)
    if stake is None:
        return Refusal("no_such_bet", "no such stake is on the layout")
    if wager.revision != stake.revision:
        return Refusal("wrong_revision", f"expected {stake.revision}")
    if refusal := refusal_of_option(wager, stake, terms):
        return refusal
    if isinstance(wager, BetChange):
        return _change(wager, stake, terms, layout)
    return BetCancelled(
        table=wager.table,
        shoe_number=wager.shoe_number,
        round_number=wager.round_number,
        bet_id=wager.bet_id,
        bettor_id=stake.bettor_id,
        bet=stake.bet,
        seat=stake.seat,
        amount_minor=0,
        requested_minor=0,
        revision=stake.revision + 1,
        before_minor=stake.amount_minor,
    )


def rejected(wager: Wager, refusal: Refusal) -> BetRejected:
    """The fact that a wager changed nothing; what a kind of wager does not say is null."""
    return BetRejected(
        table=wager.table,
        shoe_number=wager.shoe_number,
        round_number=wager.round_number,
        bet_id=wager.bet_id,
        bettor_id=wager.bettor_id if isinstance(wager, BetPlace) else None,
        bet=None if isinstance(wager, BetCancel) else wager.bet,
        amount_minor=None if isinstance(wager, BetCancel) else wager.amount_minor,
        revision=None if isinstance(wager, BetPlace) else wager.revision,
        reason=refusal.reason,
        detail=refusal.detail,
    )


def totals_by_bet(stakes: Collection[Stake]) -> dict[str, int]:
    """The sums of the stakes on each bet that has any."""
    totals: dict[str, int] = {}
    for stake in stakes:
        totals[stake.bet] = totals.get(stake.bet, 0) + stake.amount_minor
    return totals


def _place(wager: BetPlace, terms: Terms, layout: Mapping[str, Stake]) -> BetAccepted | Refusal:
    if wager.currency != terms.limits.currency:
        return Refusal("wrong_currency", f"expected {terms.limits.currency}")
    if len(layout) >= terms.limits.max_stakes:
        return Refusal("round_full", f"at most {terms.limits.max_stakes} stakes")
    taken_minor = _taken_minor(
        Asked(wager.bettor_id, wager.bet, wager.amount_minor, before_minor=0), layout.values(), terms
    )
    if isinstance(taken_minor, Refusal):
        return taken_minor
    return BetAccepted(
        table=wager.table,
        shoe_number=wager.shoe_number,
        round_number=wager.round_number,
        bet_id=wager.bet_id,
        bettor_id=wager.bettor_id,
        bet=wager.bet,
        seat=wager.seat,
        amount_minor=taken_minor,
        requested_minor=wager.amount_minor,
        revision=0,
    )


def _change(wager: BetChange, stake: Stake, terms: Terms, layout: Mapping[str, Stake]) -> BetChanged | Refusal:
    """Checked as a whole new stake beside the others."""
    others = [other for bet_id, other in layout.items() if bet_id != wager.bet_id]
    before_minor = stake.amount_minor if wager.bet == stake.bet else 0
    taken_minor = _taken_minor(
        Asked(stake.bettor_id, wager.bet, wager.amount_minor, before_minor=before_minor), others, terms
    )
    if isinstance(taken_minor, Refusal):
        return taken_minor
    return BetChanged(
        table=wager.table,
        shoe_number=wager.shoe_number,
        round_number=wager.round_number,
        bet_id=wager.bet_id,
        bettor_id=stake.bettor_id,
        bet=wager.bet,
        seat=stake.seat,
        amount_minor=taken_minor,
        requested_minor=wager.amount_minor,
        revision=stake.revision + 1,
        before_minor=stake.amount_minor,
    )


def _taken_minor(asked: Asked, others: Collection[Stake], terms: Terms) -> int | Refusal:
    """How much of a stake is taken beside the `others` on the layout, or why it may not stand there."""
    if asked.bet_name not in terms.limits.bets or asked.bet_name not in terms.exact_steps_minor:
        offered = [name for name in terms.limits.bets if name in terms.exact_steps_minor]
        return Refusal("bet_not_offered", f"offered: {', '.join(offered)}")
    return (
        refusal_of_amount(asked.amount_minor, asked.bet_name, terms)
        or _refusal_beside_own(asked, others, terms)
        or _refusal_of_sums(asked, others, terms)
        or fitting_minor(asked.amount_minor, asked.bet_name, others, terms, before_minor=asked.before_minor)
    )


def _refusal_beside_own(asked: Asked, others: Collection[Stake], terms: Terms) -> Refusal | None:
    """What one bettor's bets say of one another (article 13), and the maximum of his sum on one bet."""
    rules, bounds = terms.house_rules, terms.limits.bets[asked.bet_name]
    own = [stake for stake in others if stake.bettor_id == asked.bettor_id]
    if not rules.both_sides and any(stake.bet == OTHER_SIDE.get(asked.bet_name) for stake in own):
        return Refusal("other_side_staked", "one bettor stakes on one side")
    if rules.pair_requires_main and asked.bet_name in PAIR_BETS and all(stake.bet not in OTHER_SIDE for stake in own):
        return Refusal("pair_without_main", "a pair is bet in addition to Player or Banker")
    own_minor = asked.amount_minor + sum([stake.amount_minor for stake in own if stake.bet == asked.bet_name])
    if own_minor > bounds.maximum_minor:
        return Refusal("above_maximum", f"one bettor's maximum is {bounds.maximum_minor}, this makes it {own_minor}")
    return None


def _refusal_of_sums(asked: Asked, others: Collection[Stake], terms: Terms) -> Refusal | None:
    """What all bettors together may stake; a stake that grows less is not refused for what the others have."""
    if asked.amount_minor <= asked.before_minor:
        return None
    most_minor = terms.limits.bets[asked.bet_name].total_minor
    everything_minor = asked.amount_minor + sum([stake.amount_minor for stake in others])
    if not most_minor and everything_minor * (ODDS_MAX + 1) <= ROUND_RETURNS_MINOR_MAX:
        return None  # no bet could bring more, and every wager at a table of ordinary stakes ends here
    totals = totals_by_bet(others)
    totals[asked.bet_name] = totals.get(asked.bet_name, 0) + asked.amount_minor
    if 0 < most_minor < totals[asked.bet_name]:
        return Refusal("above_total", f"the total is {most_minor}, this makes it {totals[asked.bet_name]}")
    possible_minor = sum(
        [possible_return_minor(total_minor, name, terms.house_rules) for name, total_minor in totals.items()]
    )
    if possible_minor > ROUND_RETURNS_MINOR_MAX:
        return Refusal("amount_too_large", f"the round could bring more than {ROUND_RETURNS_MINOR_MAX}")
    return None
