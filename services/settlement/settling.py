"""Where stakes end: what becomes of every one on the layout, and the balance of the round's books."""

from collections.abc import Mapping
from typing import Final

import msgspec

from schemas.cards import Result
from schemas.events import Fact
from schemas.facts import BetsSettled, RoundEnded, RoundSettled, RoundVoided, SettledBet, StakeReturned
from services.settlement.money import outcome_of
from services.settlement.records import Stake, Terms

BETS_PER_FACT_MAX: Final = 128  # keeps a fact of the largest round readable in one piece


class Sums(msgspec.Struct, frozen=True, omit_defaults=True):
    """The round's money so far; what is handed back here was cancelled or taken off before any result."""

    placed_minor: int = 0
    carried_in_minor: int = 0
    handed_back_minor: int = 0


def settled_bets(ended: RoundEnded, stakes: Mapping[str, Stake], terms: Terms) -> list[SettledBet]:
    """Every stake on the layout by the round's result."""
    bets = {bet.name: bet for bet in terms.house_rules.bets}
    settled = []
    for bet_id, stake in stakes.items():
        outcome = outcome_of(stake.amount_minor, bets[stake.bet], ended, terms)
        settled.append(
            SettledBet(
                bet_id=bet_id,
                bettor_id=stake.bettor_id,
                bet=stake.bet,
                stake_minor=stake.amount_minor,
                outcome=outcome.outcome,
                carried=outcome.carried,
                commission_minor=outcome.commission_minor,
                return_minor=outcome.return_minor,
            )
        )
    return settled


def returned_bets(stakes: Mapping[str, Stake]) -> list[SettledBet]:
    """Every stake on the layout of a void round: given back whole, carried ones too (article 10)."""
    return [
        SettledBet(
            bet_id=bet_id,
            bettor_id=stake.bettor_id,
            bet=stake.bet,
            stake_minor=stake.amount_minor,
            outcome="returned",
            carried=False,
            commission_minor=0,
            return_minor=stake.amount_minor,
        )
        for bet_id, stake in stakes.items()
    ]


def returned_stakes(table: str, carried_by: tuple[int, int], stakes: Mapping[str, Stake]) -> list[StakeReturned]:
    """What a closing table gives back: it closes between rounds, so its layout holds carried stakes (article 12)."""
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
            reason="table_closed",
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
