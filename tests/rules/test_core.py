"""The rules core from the shoe's facts to calls: order, `through`, the mistakes that others made, reloads, repeats."""

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.cards import CARDS, RANKS
from schemas.codec import Entry
from schemas.events import Event, Fact
from schemas.facts import (
    CardDealt,
    CardFoundFaceUp,
    CutCardReached,
    DrawCalled,
    MisdealDetected,
    RequestRefused,
    RequestRepeated,
    RoundDecided,
    RoundEnded,
    RoundOpened,
    RoundVoided,
    ScanMissed,
    ShoeEnded,
    ShoeStarted,
    TableClosed,
    TableOpened,
)
from schemas.streams import EVENTS
from services.rules.core import State, decide, evolve
from tests.rules.drive import ROUND, SHOE, TABLE, deal_order, dealt, ended, first_four, opened, play, step, steps

SIX_CARDS = st.lists(st.sampled_from(CARDS), min_size=6, max_size=6)


def face_up() -> CardFoundFaceUp:
    return CardFoundFaceUp(table=TABLE, shoe_number=SHOE, round_number=ROUND, card_number=30)


def voided(*, round_number: int = ROUND) -> RoundVoided:
    return RoundVoided(table=TABLE, shoe_number=SHOE, round_number=round_number, revision=0, reason="misdeal")


def a_decision() -> RoundDecided:
    """Player 9 against Banker 7."""
    return play(["9S", "7S", "KH", "QH"])[1]


# --- what a call says ----------------------------------------------------------------------------------------------


def test_a_draw_of_players_names_the_totals_and_no_third_card() -> None:
    _, calls = steps(first_four(["2S", "3S"], ["3H", "4D"]))
    assert calls == [
        DrawCalled(
            table=TABLE,
            shoe_number=SHOE,
            round_number=ROUND,
            through=4,
            side="player",
            player_total=5,
            banker_total=7,
            player_third_points=None,
        )
    ]


def test_a_draw_of_bankers_names_the_points_of_players_third_card() -> None:
    _, calls = steps([*first_four(["2S", "3S"], ["3H", "3D"]), dealt("player", 3, "6C")])
    assert calls[1:] == [
        DrawCalled(
            table=TABLE,
            shoe_number=SHOE,
            round_number=ROUND,
            through=5,
            side="banker",
            player_total=1,
            banker_total=6,
            player_third_points=6,
        )
    ]


def test_a_draw_of_bankers_after_a_player_that_stood_names_no_third_card() -> None:
    _, calls = steps(first_four(["KS", "6S"], ["2H", "3D"]))
    (call,) = calls
    assert isinstance(call, DrawCalled)
    assert (call.side, call.player_third_points, call.through) == ("banker", None, 4)


def test_a_decision_says_everything_that_the_end_of_the_round_will_say() -> None:
    _, calls = steps([*first_four(["2S", "2H"], ["KH", "7D"]), dealt("player", 3, "5C")])
    assert calls[1:] == [
        RoundDecided(
            table=TABLE,
            shoe_number=SHOE,
            round_number=ROUND,
            revision=0,
            through=5,
            result="player",
            player_cards=("2S", "2H", "5C"),
            banker_cards=("KH", "7D"),
            player_total=9,
            banker_total=7,
            natural=False,
            player_pair=True,
            banker_pair=False,
            demonstration=False,
        )
    ]
    assert set(RoundEnded.__struct_fields__) == set(RoundDecided.__struct_fields__) - {"through"}


def test_a_demonstration_round_is_called_like_any_other_and_says_so() -> None:
    opening, *cards = first_four(["9S", "KH"], ["7S", "QH"])
    _, calls = steps([opened(demonstration=True), *cards])
    assert [(call.natural, call.demonstration) for call in calls if isinstance(call, RoundDecided)] == [(True, True)]
    _, calls = steps([opening, *cards])
    assert [call.demonstration for call in calls if isinstance(call, RoundDecided)] == [False]


@pytest.mark.parametrize("number_of_cards", [0, 1, 2, 3])
def test_nothing_is_called_before_the_fourth_card(number_of_cards: int) -> None:
    _, calls = steps(first_four(["9S", "KH"], ["7S", "QH"])[: 1 + number_of_cards])
    assert calls == []


# --- mistakes that others made -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "banker", "draws", "result", "totals"),
    [
        # Banker 6 looks at Player's third card and not at its total.
        (["2S", "2H", "6C"], ["KH", "6D", "AS"], ["player", "banker"], "banker", (0, 7)),
        (["KS", "5H", "AC"], ["KH", "6D"], ["player"], "tie", (6, 6)),
        (["KS", "2H", "5C"], ["KH", "6D"], ["player"], "player", (7, 6)),
        # A ten as third card counts 0: Banker 4 stands.
        (["2S", "3H", "TC"], ["KH", "4D"], ["player"], "player", (5, 4)),
        (["2S", "3H", "KC"], ["KH", "4D"], ["player"], "player", (5, 4)),
        # Player 6 stands, Banker 5 draws.
        (["KS", "6H"], ["2H", "3D", "4C"], ["banker"], "banker", (6, 9)),
        # Banker 2 draws an ace: 3, and that is the end.
        (["KS", "6H"], ["KH", "2D", "AC"], ["banker"], "player", (6, 3)),
        (["2S", "3H", "8C"], ["KH", "2D", "AC"], ["player", "banker"], "tie", (3, 3)),
        # 4+4 against 2+3: nobody draws.
        (["4S", "4H"], ["2H", "3D"], [], "player", (8, 5)),
        (["2S", "3H"], ["4H", "4D"], [], "banker", (5, 8)),
        # Eight against eight: naturals, and a tie is no loss.
        (["KS", "8H"], ["AH", "7D"], [], "tie", (8, 8)),
        # Nine beats eight.
        (["KS", "8H"], ["AH", "8D"], [], "banker", (8, 9)),
        # Banker 3 draws against everything but an 8.
        (["2S", "2H", "8C"], ["KH", "3D"], ["player"], "banker", (2, 3)),
        (["2S", "2H", "9C"], ["KH", "3D", "AC"], ["player", "banker"], "banker", (3, 4)),
    ],
)
def test_rounds_that_others_played_wrong(
    player: list[str], banker: list[str], draws: list[str], result: str, totals: tuple[int, int]
) -> None:
    called, decided = play(deal_order(player, banker))
    assert [call.side for call in called] == draws
    assert decided.result == result
    assert (decided.player_total, decided.banker_total) == totals
    assert (decided.player_cards, decided.banker_cards) == (tuple(player), tuple(banker))
    assert decided.natural is (draws == [] and max(totals) > 7)


@pytest.mark.parametrize(
    ("player", "banker", "player_pair", "banker_pair"),
    [
        (["2S", "2H", "5C"], ["KH", "7D"], True, False),  # two, two, five against king, seven
        (["KS", "KH", "6C"], ["QH", "QD", "7C"], True, True),  # both
        (["JS", "QH", "6C"], ["TH", "JD", "7C"], False, False),  # one value, two ranks
        (["4S", "5H"], ["4H", "5D"], False, False),  # Player 4, Banker 4 is nobody's pair
        (["AS", "5H", "5C"], ["KH", "7D"], False, False),  # second and third card
        (["9S", "KH"], ["3H", "3H"], False, True),  # one rank and suit of two decks
    ],
)
def test_pairs_are_a_hands_first_two_cards_of_one_rank(
    player: list[str], banker: list[str], *, player_pair: bool, banker_pair: bool
) -> None:
    _, decided = play(deal_order(player, banker))
    assert (decided.player_pair, decided.banker_pair) == (player_pair, banker_pair)


@pytest.mark.parametrize(
    "sides",
    [
        ["banker"],
        ["player", "player"],  # P, P, B, B is not how baccarat is dealt
        ["player", "banker", "banker"],
        ["player", "banker", "player", "player"],
    ],
)
def test_cards_come_player_banker_player_banker(sides: list[str]) -> None:
    state, _ = steps([opened()])
    *right, wrong = sides
    hands = {"player": 0, "banker": 0}
    for side in right:
        hands[side] += 1
        state, _ = step(state, dealt(side, hands[side], "2S"))
    with pytest.raises(AssertionError, match="is expected"):
        step(state, dealt(wrong, hands[wrong] + 1, "2S"))


# --- the course of a round -----------------------------------------------------------------------------------------


def test_through_counts_cards_dealt_and_cards_found_face_up() -> None:
    opening, *cards = first_four(["2S", "3S"], ["3H", "3D"])
    state, calls = steps([opening, face_up(), *cards, face_up(), face_up(), dealt("player", 3, "6C")])
    assert [call.through for call in calls if isinstance(call, DrawCalled)] == [5, 8]
    state, calls = steps([face_up(), dealt("banker", 3, "AC")], state)
    assert [call.through for call in calls if isinstance(call, RoundDecided)] == [10]


def test_through_goes_on_after_the_end_and_starts_anew_with_the_next_round() -> None:
    state, _ = steps([*first_four(["9S", "KH"], ["7S", "QH"]), ended(a_decision())])
    state, calls = steps([face_up()], state)
    assert (state.through, calls) == (5, [])
    state, calls = steps([opened(round_number=ROUND + 1)], state)
    assert (state.through, state.player, state.banker, calls) == (0, (), (), [])


def test_a_card_found_face_up_makes_no_call() -> None:
    state, calls = steps(first_four(["2S", "3S"], ["3H", "3D"]))
    assert len(calls) == 1
    assert step(state, face_up())[1] == []


@pytest.mark.parametrize("number_of_facts", [1, 2, 3, 4, 5])
def test_a_round_is_voided_at_any_place_and_the_next_one_starts_clean(number_of_facts: int) -> None:
    facts = [*first_four(["2S", "3S"], ["3H", "3D"])[:number_of_facts], voided()]
    state, _ = steps(facts)
    state, calls = steps([opened(round_number=ROUND + 1)], state)
    assert calls == []
    assert state == State(table=TABLE, shoe_number=SHOE, round_number=ROUND + 1, expects="player")


def test_a_decided_round_can_still_be_void() -> None:
    state, _ = steps([*first_four(["9S", "KH"], ["7S", "QH"]), voided()])
    assert state.expects == "round"


def test_a_new_shoe_starts_again_with_round_one() -> None:
    state, _ = steps([*first_four(["9S", "KH"], ["7S", "QH"]), ended(a_decision())])
    state, _ = steps([opened(shoe=SHOE + 1, round_number=1)], state)
    assert (state.shoe_number, state.round_number, state.expects) == (SHOE + 1, 1, "player")


OPENED = [opened()]
DEALT = first_four(["2S", "3S"], ["3H", "3D"])  # Player draws
DECIDED = first_four(["9S", "KH"], ["7S", "QH"])
ENDED = [*DECIDED, ended(a_decision())]


@pytest.mark.parametrize(
    ("before", "fact", "why"),
    [
        ([], dealt("player", 1, "2S"), "in 0/0"),
        ([], voided(), "in 0/0"),
        ([], face_up(), "in 0/0"),
        ([], ended(a_decision()), "in 0/0"),
        (OPENED, opened(), "in play"),
        (OPENED, opened(round_number=ROUND + 1), "in play"),
        (OPENED, voided(round_number=ROUND + 1), "3/8 in 3/7"),
        (OPENED, ended(a_decision()), "not decided"),
        (OPENED, dealt("player", 2, "2S"), "position"),
        (DEALT[:2], dealt("banker", 2, "2S"), "position"),
        (OPENED, dealt("player", 1, None), "held"),
        (DEALT, dealt("banker", 3, "2S"), "is expected"),
        (DEALT, ended(a_decision()), "not decided"),
        (DECIDED, dealt("player", 3, "2S"), "is expected"),
        (DECIDED, dealt("banker", 3, "2S"), "is expected"),
        (ENDED, dealt("player", 3, "2S"), "is expected"),
        (ENDED, ended(a_decision()), "not decided"),
        (ENDED, voided(), "after its end"),
        (ENDED, opened(), "opens again"),
        (ENDED, opened(round_number=ROUND - 1), "opens again"),
        (ENDED, opened(shoe=SHOE - 1, round_number=ROUND + 1), "opens again"),
    ],
)
def test_what_the_shoe_cannot_write_is_an_assertion(before: list[Fact], fact: Fact, why: str) -> None:
    state, _ = steps(before)
    with pytest.raises(AssertionError, match=why):
        step(state, fact)


COURSE: set[type[Event]] = {RoundOpened, CardDealt, CardFoundFaceUp, RoundEnded, RoundVoided}
NO_PART_OF_IT: set[type[Event]] = {
    TableOpened,
    TableClosed,
    ShoeStarted,
    ShoeEnded,
    CutCardReached,
    ScanMissed,
    MisdealDetected,
    RequestRefused,
    RequestRepeated,
}


def test_every_fact_of_the_shoe_is_known_here_as_part_of_a_round_or_not() -> None:
    assert set(EVENTS["cards"]) == COURSE | NO_PART_OF_IT


@pytest.mark.parametrize(
    "fact",
    [
        TableClosed(table=TABLE, reason="r"),
        ShoeEnded(
            table=TABLE,
            shoe_number=SHOE,
            reason="r",
            rounds=1,
            dealt=1,
            burned_seen=0,
            burned_unseen=0,
            surplus=0,
            left=1,
        ),
        CutCardReached(table=TABLE, shoe_number=SHOE, round_number=ROUND, card_number=9, last_round=8),
        ScanMissed(table=TABLE, shoe_number=SHOE, round_number=ROUND, ordinal=9),
        MisdealDetected(table=TABLE, shoe_number=SHOE, round_number=ROUND, ordinal=9, expected_ordinal=8, reason="gap"),
        RequestRefused(table=TABLE, request_id="i", request_type="t", reason="r", detail="d"),
        RequestRepeated(table=TABLE, request_id="i", request_type="t", first=None),
    ],
    ids=lambda fact: fact.type,
)
@pytest.mark.parametrize("before", [[], OPENED, DEALT[:3], DEALT, DECIDED, ENDED], ids=range(6))
def test_other_facts_have_no_effect(fact: Fact, before: list[Fact]) -> None:
    state, _ = steps(before)
    assert step(state, fact) == (state, [])


# --- properties ----------------------------------------------------------------------------------------------------


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
    state, calls = State(table=TABLE), []
    for fact in facts:
        stored = msgspec.json.encode(state)
        state, new = step(msgspec.json.decode(stored, type=State), fact)
        calls += new
    assert (state, calls) == (without_reload, expected)


@given(SIX_CARDS)
def test_a_repeated_fact_is_an_assertion_and_never_a_second_call(cards: list[str]) -> None:
    state = State(table=TABLE)
    for fact in facts_of_a_round(cards):
        state, _ = step(state, fact)
        assert state.expects != "call", "no stored state waits for a call of ours"
        with pytest.raises(AssertionError):
            step(state, fact)


@given(SIX_CARDS)
def test_deciding_twice_calls_once(cards: list[str]) -> None:
    state = State(table=TABLE)
    for fact in facts_of_a_round(cards):
        entry = Entry(stream="cards", entry_id="1-0", source="s", id="x", type=fact.type, event=fact)
        state = evolve(state, fact)
        for call in decide(state, entry):
            state = evolve(state, call)
        assert decide(state, entry) == []
