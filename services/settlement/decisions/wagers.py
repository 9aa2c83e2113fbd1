"""Wagers: a bettor makes a stake, changes it or cancels it while the books are open (articles 12 to 14, 17, 18)."""

from typing import NamedTuple

from schemas.facts import BetAccepted, BetCancelled, BetChanged, BetRejected
from schemas.house_rules import ODDS_MAX
from schemas.limits import AMOUNT_MINOR_MAX, ROUND_RETURNS_MINOR_MAX
from schemas.requests import BetCancel, BetChange, BetPlace
from services.decider.refusal import Refusal
from services.settlement.books.layout import Layout
from services.settlement.books.stakes import Stake
from services.settlement.books.state import State
from services.settlement.books.terms import OTHER_SIDE, PAIR_BETS, Terms
from services.settlement.decisions.open_books import refusal_of_books
from services.settlement.decisions.seats import refusal_of_seat
from services.settlement.decisions.tie_options import refusal_of_option
from services.settlement.money import largest_amount_minor, possible_return_minor

Wager = BetPlace | BetChange | BetCancel


class Asked(NamedTuple):
    """The stake that a wager asks for. The bettor has `before_minor` of it on this bet already."""

    bettor_id: str
    bet_name: str
    amount_minor: int
    before_minor: int


def answer_wager(state: State, wager: Wager) -> BetAccepted | BetChanged | BetCancelled | Refusal:
    """What a wager does to the stakes on the layout, or why it does nothing."""
    terms, layout = state.terms.in_force, state.layout
    if isinstance(wager, BetPlace):
        return _refusal_of_new_stake(state, wager) or _accepted(wager, terms, layout)
    if refusal := refusal_of_books(state, wager):
        return refusal
    stake = layout.get(wager.bet_id)
    if stake is None:
        return Refusal("no_such_bet", "no such stake is on the layout")
    if wager.revision != stake.revision:
        return Refusal("wrong_revision", f"expected {stake.revision}")
    if refusal := refusal_of_option(wager, stake, terms):
        return refusal
    if isinstance(wager, BetChange):
        return _changed(wager, stake, terms, layout)
    return _cancelled(wager, stake)


def rejected(wager: Wager, refusal: Refusal) -> BetRejected:
    """The fact that a wager changed nothing. A field that this kind of wager does not have is null."""
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


# --- what a wager does ---


def _accepted(wager: BetPlace, terms: Terms, layout: Layout) -> BetAccepted | Refusal:
    if wager.currency != terms.limits.currency:
        return Refusal("wrong_currency", f"expected {terms.limits.currency}")
    if len(layout) >= terms.limits.max_stakes:
        return Refusal("round_full", f"at most {terms.limits.max_stakes} stakes")
    asked = Asked(wager.bettor_id, wager.bet, wager.amount_minor, before_minor=0)
    taken_minor = _taken_minor(asked, layout, terms)
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


def _changed(wager: BetChange, stake: Stake, terms: Terms, layout: Layout) -> BetChanged | Refusal:
    """A changed stake is checked as a whole, like a new one beside all other stakes."""
    before_minor = stake.amount_minor if wager.bet == stake.bet else 0
    asked = Asked(stake.bettor_id, wager.bet, wager.amount_minor, before_minor=before_minor)
    taken_minor = _taken_minor(asked, layout.without(wager.bet_id), terms)
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


def _cancelled(wager: BetCancel, stake: Stake) -> BetCancelled:
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


# --- what it is checked against ---


def _refusal_of_new_stake(state: State, wager: BetPlace) -> Refusal | None:
    """Why no stake can be made in this round, under this bet_id, at this seat.

    That a round is long over is told before anything else, whether its bet_ids are still known or not.
    """
    refusal = refusal_of_books(state, wager)
    expired = refusal is not None and refusal.reason == "expired"
    if not expired and (wager.bet_id in state.layout or wager.bet_id in state.settled):
        return Refusal("id_reused", "this bet_id is another stake's")
    if refusal or wager.seat is None:
        return refusal
    return refusal_of_seat(state, wager.seat, wager.bettor_id)


def _taken_minor(asked: Asked, others: Layout, terms: Terms) -> int | Refusal:
    """How much of the stake is taken beside the `others` on the layout, or why nothing is."""
    if asked.bet_name not in terms.limits.bets or asked.bet_name not in terms.exact_steps_minor:
        return Refusal("bet_not_offered", f"offered: {', '.join(terms.offered())}")
    return (
        _refusal_of_amount(asked.amount_minor, asked.bet_name, terms)
        or _refusal_beside_own(asked, others, terms)
        or _refusal_of_sums(asked, others, terms)
        or _within_differential_minor(asked, others, terms)
    )


def _refusal_of_amount(amount_minor: int, bet_name: str, terms: Terms) -> Refusal | None:
    """Why no stake on this bet may have this amount: units, minimum, multiple, exact winnings (articles 17, 18)."""
    rules, limits = terms.house_rules, terms.limits
    unit_minor, minimum_minor = limits.unit_minor, limits.bets[bet_name].minimum_minor
    if amount_minor <= 0:
        return Refusal("amount_not_positive", "the least is 1")
    if amount_minor > AMOUNT_MINOR_MAX:
        return Refusal("amount_too_large", f"at most {AMOUNT_MINOR_MAX}")
    if amount_minor % unit_minor:
        return Refusal("not_whole_units", f"the unit is {unit_minor}")
    if amount_minor < minimum_minor:
        return Refusal("below_minimum", f"the minimum is {minimum_minor}")
    if terms.is_in_multiples(bet_name) and amount_minor % minimum_minor:
        return Refusal("not_a_multiple", f"a stake on {bet_name} is the minimum {minimum_minor} or a multiple of it")
    if rules.commission_rounding == "exact_or_reject" and not terms.is_exact(amount_minor, bet_name):
        return Refusal("commission_not_whole", f"winnings or commission are not in units of {unit_minor}")
    return None


def _refusal_beside_own(asked: Asked, others: Layout, terms: Terms) -> Refusal | None:
    """What the bettor's other stakes forbid (article 13), and the maximum of his sum on one bet."""
    rules, bounds = terms.house_rules, terms.limits.bets[asked.bet_name]
    other_side = OTHER_SIDE.get(asked.bet_name)
    if not rules.both_sides and other_side and others.own_minor(asked.bettor_id, other_side):
        return Refusal("other_side_staked", "one bettor stakes on one side")
    if rules.pair_requires_main and asked.bet_name in PAIR_BETS:
        main_minor = sum([others.own_minor(asked.bettor_id, side) for side in OTHER_SIDE])
        if not main_minor:
            return Refusal("pair_without_main", "a pair is bet in addition to Player or Banker")
    own_minor = asked.amount_minor + others.own_minor(asked.bettor_id, asked.bet_name)
    if own_minor > bounds.maximum_minor:
        return Refusal("above_maximum", f"one bettor's maximum is {bounds.maximum_minor}, this makes it {own_minor}")
    return None


def _refusal_of_sums(asked: Asked, others: Layout, terms: Terms) -> Refusal | None:
    """What all bettors together may stake. A stake that does not grow is never refused because of the others."""
    if asked.amount_minor <= asked.before_minor:
        return None
    most_minor = terms.limits.bets[asked.bet_name].total_minor
    total_minor = asked.amount_minor + others.total_minor(asked.bet_name)
    if 0 < most_minor < total_minor:
        return Refusal("above_total", f"the total is {most_minor}, this makes it {total_minor}")
    if (asked.amount_minor + others.sum_minor) * (ODDS_MAX + 1) <= ROUND_RETURNS_MINOR_MAX:
        return None  # even the highest odds could not bring more, and every ordinary wager ends here
    totals_minor = {**others.totals_minor, asked.bet_name: total_minor}
    possible_minor = sum(
        [possible_return_minor(sum_minor, name, terms.house_rules) for name, sum_minor in totals_minor.items()]
    )
    if possible_minor > ROUND_RETURNS_MINOR_MAX:
        return Refusal("amount_too_large", f"the round could bring more than {ROUND_RETURNS_MINOR_MAX}")
    return None


def _within_differential_minor(asked: Asked, others: Layout, terms: Terms) -> int | Refusal:
    """How much of the stake the table differential lets in (article 14).

    Under the policy `at_close` all of it is taken now. What is too much is cut when betting closes.
    """
    limit_minor, policy = terms.limits.differential_limit_minor, terms.house_rules.differential_policy
    other_side = OTHER_SIDE.get(asked.bet_name)
    if policy == "at_close" or not limit_minor or not other_side or asked.amount_minor <= asked.before_minor:
        return asked.amount_minor
    room_minor = limit_minor + others.total_minor(other_side) - others.total_minor(asked.bet_name)
    if asked.amount_minor <= room_minor:
        return asked.amount_minor
    largest_minor = largest_amount_minor(room_minor, asked.bet_name, terms) if policy == "at_bet" else 0
    if largest_minor > asked.before_minor:
        return largest_minor
    left_minor = max(room_minor - asked.before_minor, 0)
    return Refusal("differential_full", f"the limit {limit_minor} has room for {left_minor}")
