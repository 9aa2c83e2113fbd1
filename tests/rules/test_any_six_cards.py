"""Whatever six cards come: one decision as article 9 has it; a reload or a repeated fact makes no second call."""

from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import CARDS, RANKS
from schemas.codec import Entry
from schemas.events import Fact
from services.rules.core import State, decide, evolve
from tests.rules.drive import TABLE, dealt, ended, first_four, play, step, steps
from tests.stored import Stored

SIX_CARDS = st.lists(st.sampled_from(CARDS), min_size=6, max_size=6)
VALUES = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))


def last_digit(hand: Sequence[str]) -> int:
    return int(str(sum(VALUES[card[0]] for card in hand))[-1])


def finished_hands(cards: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The two hands as article 9 puts it in words: a reading of its own, with no table."""
    player, banker, rest = [cards[0], cards[2]], [cards[1], cards[3]], list(cards[4:])
    if {last_digit(player), last_digit(banker)} & {8, 9}:
        return tuple(player), tuple(banker)
    if last_digit(player) < 6:
        player.append(rest.pop(0))
        third, has = VALUES[player[2][0]], last_digit(banker)
        draws = has < 3 or (third, has) in {(n, 3) for n in range(10) if n != 8}
        draws = draws or (has == 4 and 2 <= third <= 7) or (has == 5 and 4 <= third <= 7)
        draws = draws or (has == 6 and third in (6, 7))
    else:
        draws = last_digit(banker) < 6
    if draws:
        banker.append(rest.pop(0))
    return tuple(player), tuple(banker)


@given(SIX_CARDS)
def test_any_six_cards_end_in_one_decision_with_at_most_three_a_side(cards: list[str]) -> None:
    draws, decided = play(cards)
    player, banker = finished_hands(cards)
    assert (decided.player_cards, decided.banker_cards) == (player, banker)
    assert (decided.player_total, decided.banker_total) == (last_digit(player), last_digit(banker))
    assert decided.result == (
        "player"
        if last_digit(player) > last_digit(banker)
        else "banker"
        if last_digit(banker) > last_digit(player)
        else "tie"
    )
    assert decided.natural is (len(draws) == 0 and not {last_digit(player), last_digit(banker)}.isdisjoint({8, 9}))
    assert (decided.player_pair, decided.banker_pair) == (cards[0][0] == cards[2][0], cards[1][0] == cards[3][0])
    assert decided.through == 4 + len(draws) == len(player) + len(banker)


def facts_of_a_round(cards: Sequence[str]) -> list[Fact]:
    """A whole round as the shoe writes it."""
    _, decided = play(cards)
    facts = first_four(decided.player_cards, decided.banker_cards)
    facts += [dealt("player", 3, card) for card in decided.player_cards[2:]]
    facts += [dealt("banker", 3, card) for card in decided.banker_cards[2:]]
    return [*facts, ended(decided)]


@given(SIX_CARDS)
def test_a_reload_at_any_place_changes_no_call(cards: list[str]) -> None:
    facts = facts_of_a_round(cards)
    without_reload, expected = steps(facts)
    state, calls, stored = State(table=TABLE), [], Stored(State, TABLE)
    for fact in facts:
        after, new = step(state, fact)
        state = stored.reloaded(state, after)
        calls += new
    assert (state, calls) == (without_reload, expected)


@given(SIX_CARDS)
def test_a_repeated_fact_is_an_assertion_and_never_a_second_call(cards: list[str]) -> None:
    state = State(table=TABLE)
    for fact in facts_of_a_round(cards):
        state, _ = step(state, fact)
        assert state.round.expects != "call", "no stored state waits for a call of ours"
        with pytest.raises(AssertionError):
            step(state, fact)


@given(SIX_CARDS)
def test_deciding_twice_calls_once(cards: list[str]) -> None:
    state = State(table=TABLE)
    for fact in facts_of_a_round(cards):
        entry = Entry(stream="cards", entry_id="1-0", source="s", id="x", type=fact.type, event=fact)
        state = evolve(state, cast(Any, fact))
        for call in decide(state, entry):
            state = evolve(state, call)
        assert decide(state, entry) == []
