"""Wagers while the books are open: what the house offers and within which bounds (articles 13, 18; limits)."""

from collections.abc import Collection, Mapping

from schemas.facts import BetAccepted, BetCancelled, BetChanged, BetRejected
from schemas.house_rules import Bet
from schemas.limits import AMOUNT_MINOR_MAX, ROUND_RETURNS_MINOR_MAX
from schemas.requests import BetCancel, BetChange, BetPlace
from services.settlement.money import is_exact, possible_return_minor
from services.settlement.records import Stake, Terms
from services.settlement.rounds import Refusal

Wager = BetPlace | BetChange | BetCancel


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
    if stake.carried:
        return Refusal("not_offered", "a carried stake stays as it is")
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
    if wager.seat is not None:
        return Refusal("not_supported", "only standing bettors")
    if wager.currency != terms.limits.currency:
        return Refusal("wrong_currency", f"expected {terms.limits.currency}")
    refusal = _refusal_of_stake(
        terms, layout.values(), bettor_id=wager.bettor_id, bet_name=wager.bet, amount_minor=wager.amount_minor
    )
    return refusal or BetAccepted(
        table=wager.table,
        shoe_number=wager.shoe_number,
        round_number=wager.round_number,
        bet_id=wager.bet_id,
        bettor_id=wager.bettor_id,
        bet=wager.bet,
        seat=wager.seat,
        amount_minor=wager.amount_minor,
        requested_minor=wager.amount_minor,
        revision=0,
    )


def _change(wager: BetChange, stake: Stake, terms: Terms, layout: Mapping[str, Stake]) -> BetChanged | Refusal:
    """Checked as a whole new stake: the amount before does not count."""
    others = [other for bet_id, other in layout.items() if bet_id != wager.bet_id]
    refusal = _refusal_of_stake(
        terms, others, bettor_id=stake.bettor_id, bet_name=wager.bet, amount_minor=wager.amount_minor
    )
    return refusal or BetChanged(
        table=wager.table,
        shoe_number=wager.shoe_number,
        round_number=wager.round_number,
        bet_id=wager.bet_id,
        bettor_id=stake.bettor_id,
        bet=wager.bet,
        seat=stake.seat,
        amount_minor=wager.amount_minor,
        requested_minor=wager.amount_minor,
        revision=stake.revision + 1,
        before_minor=stake.amount_minor,
    )


def _refusal_of_stake(
    terms: Terms, others: Collection[Stake], *, bettor_id: str, bet_name: str, amount_minor: int
) -> Refusal | None:
    """Why this stake may not stand beside the `others` on the layout, or None when it may."""
    limits = terms.limits
    bet = next((bet for bet in terms.house_rules.bets if bet.name == bet_name), None)
    if bet is None or bet_name not in limits.bets:
        return Refusal("bet_not_offered", f"offered: {', '.join(limits.bets)}")
    if amount_minor <= 0:
        return Refusal("amount_not_positive", "the least is 1")
    if amount_minor > AMOUNT_MINOR_MAX:
        return Refusal("amount_too_large", f"at most {AMOUNT_MINOR_MAX}")
    if amount_minor % limits.unit_minor:
        return Refusal("not_whole_units", f"the unit is {limits.unit_minor}")
    if amount_minor < limits.bets[bet_name].minimum_minor:
        return Refusal("below_minimum", f"the minimum is {limits.bets[bet_name].minimum_minor}")
    if terms.house_rules.commission_rounding == "exact_or_reject" and not is_exact(amount_minor, bet, terms):
        return Refusal("commission_not_whole", f"winnings or commission are not in units of {limits.unit_minor}")
    return _refusal_of_sums(terms, others, bettor_id=bettor_id, bet=bet, amount_minor=amount_minor)


def _refusal_of_sums(
    terms: Terms, others: Collection[Stake], *, bettor_id: str, bet: Bet, amount_minor: int
) -> Refusal | None:
    limits = terms.limits
    bounds = limits.bets[bet.name]
    if len(others) >= limits.max_stakes:
        return Refusal("round_full", f"at most {limits.max_stakes} stakes")
    own_minor = amount_minor
    for stake in others:
        if stake.bet == bet.name and stake.bettor_id == bettor_id:
            own_minor += stake.amount_minor
    if own_minor > bounds.maximum_minor:
        return Refusal("above_maximum", f"one bettor's maximum is {bounds.maximum_minor}, this makes it {own_minor}")
    totals = totals_by_bet(others)
    totals[bet.name] = totals.get(bet.name, 0) + amount_minor
    if 0 < bounds.total_minor < totals[bet.name]:
        return Refusal("above_total", f"the total is {bounds.total_minor}, this makes it {totals[bet.name]}")
    if _possible_returns_minor(totals, terms) > ROUND_RETURNS_MINOR_MAX:
        return Refusal("amount_too_large", f"the round could bring more than {ROUND_RETURNS_MINOR_MAX}")
    return None


def _possible_returns_minor(totals: Mapping[str, int], terms: Terms) -> int:
    rules = terms.house_rules
    return sum([possible_return_minor(totals[bet.name], bet, rules) for bet in rules.bets if bet.name in totals])
