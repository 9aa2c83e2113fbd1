"""Where stakes end: what becomes of every one on the layout, and the balance of the round's books."""

from collections.abc import Mapping
from typing import Final

from schemas.cards import Result
from schemas.events import Fact
from schemas.facts import BetsSettled, RoundEnded, RoundSettled, RoundVoided, SettledBet, StakeReturned
from schemas.house_rules import Condition, HouseRules
from services.settlement.money import HandFacts, Outcome, OutcomeClass, facts_of, outcome_class, outcome_of
from services.settlement.records import Stake, Sums, Terms

BETS_PER_FACT_MAX: Final = 128  # keeps a fact of the largest round readable in one piece


def settled_bets(
    ended: RoundEnded, stakes: Mapping[str, Stake], terms: Terms, *, may_carry: bool = True
) -> list[SettledBet]:
    """Every stake on the layout by the round's result; what may not be carried is given back at once."""
    facts = facts_of(ended)
    classes = {name: outcome_class(name, facts, terms.house_rules) for name in {stake.bet for stake in stakes.values()}}
    settled = []
    for bet_id, stake in stakes.items():
        outcome = outcome_of(stake.amount_minor, classes[stake.bet], terms)
        if outcome.carried and not may_carry:
            outcome = outcome._replace(carried=False, return_minor=stake.amount_minor)
        settled.append(_settled(bet_id, stake, outcome))
    return settled


def void_bets(voided: RoundVoided, stakes: Mapping[str, Stake], terms: Terms) -> list[SettledBet]:
    """Every stake of a void round is given back whole, carried ones too (article 10), but for bets on pairs that stand.

    Those win or lose: bets on nothing but the pair of a hand whose two first cards were rightly dealt.
    """
    classes = _pair_classes(voided, terms.house_rules)
    return [
        _settled(bet_id, stake, outcome_of(stake.amount_minor, classes[stake.bet], terms))
        if stake.bet in classes
        else _settled(bet_id, stake, Outcome("returned", False, 0, stake.amount_minor))
        for bet_id, stake in stakes.items()
    ]


def _pair_classes(voided: RoundVoided, rules: HouseRules) -> dict[str, OutcomeClass]:
    standing = {
        Condition(player_pair=True): voided.player_pair,
        Condition(banker_pair=True): voided.banker_pair,
    }
    # Of the hands only the pairs are known, and nothing else decides these bets.
    facts = HandFacts("tie", 0, 0, 2, 2, player_pair=bool(voided.player_pair), banker_pair=bool(voided.banker_pair))
    conditions: dict[str, set[Condition]] = {}
    for bet in rules.bets:
        conditions.setdefault(bet.name, set()).add(bet.condition)
    return {
        name: outcome_class(name, facts, rules)
        for name, named in conditions.items()
        if len(named) == 1 and standing.get(*named) is not None
    }


def _settled(bet_id: str, stake: Stake, outcome: Outcome) -> SettledBet:
    return SettledBet(
        bet_id=bet_id,
        bettor_id=stake.bettor_id,
        bet=stake.bet,
        stake_minor=stake.amount_minor,
        outcome=outcome.outcome,
        carried=outcome.carried,
        commission_minor=outcome.commission_minor,
        return_minor=outcome.return_minor,
    )


def returned_stakes(
    table: str, carried_by: tuple[int, int], stakes: Mapping[str, Stake], reason: str
) -> list[StakeReturned]:
    """What is given back between rounds, when the layout holds carried stakes and nothing else (article 12)."""
    shoe_number, round_number = carried_by
    return [
        StakeReturned(
            table=table,
            shoe_number=shoe_number,
            round_number=round_number,
            bet_id=bet_id,
            bettor_id=stake.bettor_id,
            before_minor=stake.amount_minor,
            after_minor=0,
            reason=reason,
        )
        for bet_id, stake in stakes.items()
    ]


def closing_facts(event: RoundEnded | RoundVoided, bets: list[SettledBet], sums: Sums) -> list[Fact]:
    """The facts that end a round's books. The house's part is summed stake by stake, so the balance is a check."""
    result: Result | None = event.result if isinstance(event, RoundEnded) else None
    returned_minor = sums.handed_back_minor + sum(bet.return_minor for bet in bets)
    carried_out_minor = sum(bet.stake_minor for bet in bets if bet.carried)
    house_minor = sum(bet.stake_minor - bet.return_minor for bet in bets if not bet.carried)
    assert sums.placed_minor + sums.carried_in_minor == returned_minor + carried_out_minor + house_minor
    facts: list[Fact] = [
        BetsSettled(
            table=event.table,
            shoe_number=event.shoe_number,
            round_number=event.round_number,
            revision=event.revision,
            bets=tuple(bets[start : start + BETS_PER_FACT_MAX]),
        )
        for start in range(0, len(bets), BETS_PER_FACT_MAX)
    ]
    facts.append(
        RoundSettled(
            table=event.table,
            shoe_number=event.shoe_number,
            round_number=event.round_number,
            revision=event.revision,
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
