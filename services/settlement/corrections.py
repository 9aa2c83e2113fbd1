"""A round's books restated (article 10): the shoe tells a round's result anew and everything of it is told anew.

What a stake brings now is the whole truth under the new revision; a reader books the difference to the one before. A
stake that a correction makes a push stays on the layout only while no later betting round has been opened.
"""

from schemas.events import Fact, RoundFact
from schemas.facts import RoundEnded, RoundVoided
from schemas.requests import SettlementAdjust
from services.settlement.records import Stake, Sums
from services.settlement.settling import closing_facts, settled_bets, void_bets
from services.settlement.state import State, live, terms_of


def generation_of(state: State, about: RoundFact | SettlementAdjust) -> int | None:
    """The generation of a settled betting round that can still be corrected; None: it is no such round."""
    for generation, known in state.settled_rounds.items():
        if (known.shoe_number, known.round_number) == (about.shoe_number, about.round_number):
            return int(generation)
    return None


def restated(state: State, end: RoundEnded | RoundVoided) -> list[Fact]:
    """The books of a settled round by its new result. A demonstration round has none, corrected or not."""
    generation = generation_of(state, end)
    if generation is None:
        assert isinstance(end, RoundVoided) or end.demonstration, "only the last rounds' books are restated"
        return closing_facts(end, [], Sums())
    known = state.settled_rounds[str(generation)]
    assert end.revision == known.revision + 1, "each revision is told once and in order"
    goes_on = _goes_on(state, generation)
    carried = live(state) if goes_on else {}
    carried_minor = sum([stake.amount_minor for stake in carried.values()])
    assert carried_minor == known.carried_out_minor, "stakes that were carried out and have moved on stay as they are"
    stakes, terms = _in_order({**_ended_in(state, generation), **carried}), terms_of(state, generation)
    if isinstance(end, RoundVoided):
        bets = void_bets(end, stakes, terms)
    else:
        bets = settled_bets(end, stakes, terms, may_carry=goes_on)
    return closing_facts(end, bets, known.sums)


def _goes_on(state: State, generation: int) -> bool:
    """Whether no later betting round has been opened, so that the round's pushes may still lie for the next."""
    in_play = state.round.phase != "settled" and not state.round.demonstration
    return generation == state.generation - 1 and not in_play


def _ended_in(state: State, generation: int) -> dict[str, Stake]:
    return {
        name: stake for name, stake in state.stakes.items() if stake.generation == generation and stake.amount_minor
    }


def _in_order(stakes: dict[str, Stake]) -> dict[str, Stake]:
    return dict(sorted(stakes.items(), key=lambda item: item[1].order))
