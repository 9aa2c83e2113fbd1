"""The whole evening: what is recorded, in which order, from which seeds."""

from tests.recording import books, edges, felt, hand, wire
from tests.recording.houses import evening_house
from tests.recording.phases import play_phases
from tests.recording.recorder import Recorder
from tests.recording.scenarios import play_scenarios
from tests.recording.store import Part
from tests.recording.tables import play_tables, play_whole_shoes


def play_evening() -> list[Part]:
    """All parts, each a pit of its own."""
    return [
        play_scenarios(seed=1),
        play_phases(seed=2),
        play_by_hand(seed=3),
        play_tables("tables", seed=4, actions=330),
        play_tables("any order", seed=5, actions=120, any_order=True),
    ]


def play_by_hand(seed: int) -> Part:
    """What was thought of one by one."""
    recorder = Recorder("by hand", evening_house(), seed)
    hand.play_between_steps(recorder)
    hand.play_ends_that_wait(recorder)
    hand.play_corrections(recorder)
    hand.play_demonstrations(recorder)
    hand.play_terms(recorder)
    hand.play_ties(recorder)
    hand.play_changes(recorder)
    books.play_side_bets(recorder)
    books.play_cut_amounts(recorder)
    books.play_cut_parts(recorder)
    books.play_free_rounds(recorder)
    books.play_limits_that_go(recorder)
    edges.play_card_numbers(recorder)
    edges.play_amounts(recorder)
    edges.play_bounded_stakes(recorder)
    edges.play_moved_stakes(recorder)
    edges.play_adjustments(recorder)
    edges.play_limits(recorder)
    felt.play_held_cards(recorder)
    felt.play_between_rounds(recorder)
    felt.play_leftovers(recorder)
    felt.play_too_many_cards(recorder)
    felt.play_most_cards(recorder)
    felt.play_wrong_sides(recorder)
    felt.play_unshuffled(recorder)
    felt.play_last_rounds(recorder)
    felt.play_counts(recorder)
    felt.play_overruled(recorder)
    felt.play_doubted_pairs(recorder)
    play_whole_shoes(recorder)
    wire.play_undecodable(recorder)
    wire.play_identities(recorder)
    wire.play_floods(recorder)
    hand.play_lost_keys(recorder)
    return recorder.part
