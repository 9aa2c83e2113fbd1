"""Settling: what becomes of each stake when a round ends, and whether the round's books balance."""

from collections.abc import Mapping
from typing import Final

from schemas.cards import Result
from schemas.facts import BetsSettled, RoundEnded, RoundSettled, RoundVoided, SettledBet, StakeReturned
from schemas.house_rules import Condition, HouseRules
from services.settlement.books.stakes import Stake, in_order
from services.settlement.books.state import State, Sums
from services.settlement.books.terms import Terms
from services.settlement.money import HandFacts, OutcomeClass, Payout, facts_of, outcome_class, payout_of

BETS_PER_FACT_MAX: Final = 128  # keeps a fact of the largest round readable in one piece

End = RoundEnded | RoundVoided
SettlingFact = BetsSettled | RoundSettled


def settle(state: State, end: End) -> list[SettlingFact]:
    """The books of the round in play, which has just ended.

    A demonstration round has no books. Its sums are zero, and carried stakes wait for the next round (article 2).
    """
    assert (end.shoe_number, end.round_number) == (state.round.shoe_number, state.round.round_number)
    assert state.round.phase != "settled", "a round is settled once"
    if state.round.demonstration:
        return settling_facts(end, [], Sums())
    if isinstance(end, RoundEnded):
        assert state.round.phase == "books_closed", "no card of a betting round before its books are closed"
    return settling_facts(end, settled_bets(end, in_order(state.layout), state.terms.in_force), state.sums)


def returned_stakes(state: State, reason: str) -> list[StakeReturned]:
    """All carried stakes are returned. Between rounds no other stakes lie on the layout (article 12)."""
    shoe_number, round_number = state.carried_by
    return [
        StakeReturned(
            table=state.table,
            shoe_number=shoe_number,
            round_number=round_number,
            bet_id=bet_id,
            bettor_id=stake.bettor_id,
            before_minor=stake.amount_minor,
            after_minor=0,
            reason=reason,
        )
        for bet_id, stake in in_order(state.layout).items()
    ]


def settled_bets(end: End, stakes: Mapping[str, Stake], terms: Terms, *, may_carry: bool = True) -> list[SettledBet]:
    """What becomes of each of these stakes. Where nothing may be carried, a push is returned."""
    if isinstance(end, RoundVoided):
        return _void_bets(end, stakes, terms)
    facts = facts_of(end)
    classes = {name: outcome_class(name, facts, terms.house_rules) for name in {stake.bet for stake in stakes.values()}}
    settled = []
    for bet_id, stake in stakes.items():
        payout = payout_of(stake.amount_minor, classes[stake.bet], terms)
        if payout.carried and not may_carry:
            payout = payout._replace(carried=False, return_minor=stake.amount_minor)
        settled.append(_settled(bet_id, stake, payout))
    return settled


def settling_facts(end: End, bets: list[SettledBet], sums: Sums) -> list[SettlingFact]:
    """The facts that end a round's books. The house's part is summed stake by stake, so that the balance is a check."""
    result: Result | None = end.result if isinstance(end, RoundEnded) else None
    returned_minor = sums.handed_back_minor + sum(bet.return_minor for bet in bets)
    carried_out_minor = sum(bet.stake_minor for bet in bets if bet.carried)
    house_minor = sum(bet.stake_minor - bet.return_minor for bet in bets if not bet.carried)
    assert sums.placed_minor + sums.carried_in_minor == returned_minor + carried_out_minor + house_minor
    facts: list[SettlingFact] = [
        BetsSettled(
            table=end.table,
            shoe_number=end.shoe_number,
            round_number=end.round_number,
            revision=end.revision,
            bets=tuple(bets[start : start + BETS_PER_FACT_MAX]),
        )
        for start in range(0, len(bets), BETS_PER_FACT_MAX)
    ]
    facts.append(
        RoundSettled(
            table=end.table,
            shoe_number=end.shoe_number,
            round_number=end.round_number,
            revision=end.revision,
            result=result,
            stakes=len(bets),
            placed_minor=sums.placed_minor,
            carried_in_minor=sums.carried_in_minor,
            returned_minor=returned_minor,
            carried_out_minor=carried_out_minor,
            house_minor=house_minor,
            commission_minor=sum(bet.commission_minor for bet in bets),
        )
    )
    return facts


def _void_bets(voided: RoundVoided, stakes: Mapping[str, Stake], terms: Terms) -> list[SettledBet]:
    """Each stake of a void round is returned whole, carried ones too (article 10). Bets on pairs that stand are not.

    Such a bet wins or loses. It is a bet on nothing but the pair of a hand whose first two cards were dealt rightly.
    """
    classes = _pair_classes(voided, terms.house_rules)
    return [
        _settled(bet_id, stake, payout_of(stake.amount_minor, classes[stake.bet], terms))
        if stake.bet in classes
        else _settled(bet_id, stake, Payout("returned", False, 0, stake.amount_minor))
        for bet_id, stake in stakes.items()
    ]


def _pair_classes(voided: RoundVoided, rules: HouseRules) -> dict[str, OutcomeClass]:
    standing = {
        Condition(player_pair=True): voided.player_pair,
        Condition(banker_pair=True): voided.banker_pair,
    }
    # Only the pairs of the hands are known. That is enough, because nothing else decides these bets.
    facts = HandFacts("tie", 0, 0, 2, 2, player_pair=bool(voided.player_pair), banker_pair=bool(voided.banker_pair))
    conditions: dict[str, set[Condition]] = {}
    for bet in rules.bets:
        conditions.setdefault(bet.name, set()).add(bet.condition)
    return {
        name: outcome_class(name, facts, rules)
        for name, named in conditions.items()
        if len(named) == 1 and standing.get(*named) is not None
    }


def _settled(bet_id: str, stake: Stake, payout: Payout) -> SettledBet:
    return SettledBet(
        bet_id=bet_id,
        bettor_id=stake.bettor_id,
        bet=stake.bet,
        stake_minor=stake.amount_minor,
        outcome=payout.outcome,
        carried=payout.carried,
        commission_minor=payout.commission_minor,
        return_minor=payout.return_minor,
    )
