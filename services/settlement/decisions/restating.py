"""Restating (article 10): when the shoe tells a settled round's result anew, settlement tells the round's books anew.

The new revision says all that each stake brings now. A reader books the difference to the revision before.
A correction may turn a stake into a push. Then it is carried only if no later betting round has been opened.
"""

from schemas.facts import RoundVoided
from services.settlement.books.stakes import in_order
from services.settlement.books.state import State, Sums, generation_of
from services.settlement.decisions.settling import End, SettlingFact, settled_bets, settling_facts


def restate(state: State, end: End) -> list[SettlingFact]:
    """The books of a settled round by its new result. A demonstration round has none, corrected or not."""
    generation = generation_of(state, end)
    if generation is None:
        assert isinstance(end, RoundVoided) or end.demonstration, "only the last rounds' books are restated"
        return settling_facts(end, [], Sums())
    known = state.settled_rounds[str(generation)]
    assert end.revision == known.revision + 1, "each revision is told once and in order"
    may_carry = _may_carry(state, generation)
    carried = dict(state.layout) if may_carry else {}
    carried_minor = sum([stake.amount_minor for stake in carried.values()])
    assert carried_minor == known.carried_out_minor, "stakes that were carried out and have moved on stay as they are"
    ended = {
        bet_id: ended.stake
        for bet_id, ended in state.settled.items()
        if ended.ended_in == generation and ended.stake.amount_minor
    }
    bets = settled_bets(end, in_order({**ended, **carried}), state.terms.of(generation), may_carry=may_carry)
    return settling_facts(end, bets, known.sums)


def _may_carry(state: State, generation: int) -> bool:
    """Whether pushes of this round may still be carried. They may until a later betting round is opened."""
    in_play = state.round.phase != "settled" and not state.round.demonstration
    return generation == state.generation - 1 and not in_play
