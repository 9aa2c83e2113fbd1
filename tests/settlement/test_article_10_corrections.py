"""Article 10: a round whose result is told anew has its books told anew, and nothing is paid twice.

Round 1 has ann's Banker 200, bob's Player 300 and cid's Tie 50. Banker 200 brings 200 + 190 - 10 of commission.
"""

from typing import Final

import pytest

from schemas.cards import Result
from schemas.facts import BetsSettled, BettingClosed, RoundSettled
from tests.settlement.drive import NO_COMMISSION, ONLINE, house, limits, reason
from tests.settlement.reading import rows
from tests.settlement.stored import known_stakes
from tests.settlement.verbs import Floor, books, playing

# bet_id, stake, outcome, carried, commission, return
BANKER_WINS: Final = [
    ("b", 200, "won", False, 10, 390),
    ("p", 300, "lost", False, 0, 0),
    ("t", 50, "lost", False, 0, 0),
]
PLAYER_WINS: Final = [("b", 200, "lost", False, 0, 0), ("p", 300, "won", False, 0, 600), ("t", 50, "lost", False, 0, 0)]
TIE_CARRIED: Final = [("b", 200, "push", True, 0, 0), ("p", 300, "push", True, 0, 0), ("t", 50, "won", False, 0, 450)]
TIE_RETURNED: Final = [
    ("b", 200, "push", False, 0, 200),
    ("p", 300, "push", False, 0, 300),
    ("t", 50, "won", False, 0, 450),
]
VOID: Final = [
    ("b", 200, "returned", False, 0, 200),
    ("p", 300, "returned", False, 0, 300),
    ("t", 50, "returned", False, 0, 50),
]


def settled(result: Result, floor: Floor | None = None) -> Floor:
    """Round 1 is settled with this result."""
    floor = floor or playing()
    floor.place("b", "banker", 200, bettor_id="ann")
    floor.place("p", "player", 300, bettor_id="bob")
    floor.place("t", "tie", 50, bettor_id="cid")
    floor.play(result)
    return floor


@pytest.mark.parametrize(
    ("first", "then", "told", "sums"),
    [
        ("player", "banker", BANKER_WINS, (550, 0, 390, 0, 160)),
        ("banker", "player", PLAYER_WINS, (550, 0, 600, 0, -50)),
        ("banker", "tie", TIE_CARRIED, (550, 0, 450, 500, -400)),
        ("tie", "banker", BANKER_WINS, (550, 0, 390, 0, 160)),
        ("tie", "tie", TIE_CARRIED, (550, 0, 450, 500, -400)),
        ("player", "player", PLAYER_WINS, (550, 0, 600, 0, -50)),
    ],
)
def test_a_corrected_result_states_every_stake_anew(
    first: Result, then: Result, told: list[object], sums: tuple[int, ...]
) -> None:
    floor = settled(first)
    facts = floor.correct(1, 1, then)
    assert [(type(fact), getattr(fact, "revision", None)) for fact in facts] == [(BetsSettled, 1), (RoundSettled, 1)]
    assert rows(facts) == told
    assert books(facts) == sums
    last = facts[-1]
    assert isinstance(last, RoundSettled)
    assert (last.round_number, last.result, last.stakes) == (1, then, 3)


def test_commission_follows_the_corrected_result() -> None:
    floor = settled("banker")
    facts = [floor.correct(1, 1, "player")[-1], floor.correct(1, 2, "banker")[-1]]
    assert [fact.commission_minor for fact in facts if isinstance(fact, RoundSettled)] == [0, 10]


def test_pairs_and_the_banker_exception_follow_the_corrected_cards() -> None:
    floor = playing(house(NO_COMMISSION, demonstration_rounds=0))
    floor.place("b", "banker", 200)
    floor.place("pp", "player_pair", 20)
    floor.play("banker", 3, 7)
    assert rows(floor.correct(1, 1, "banker", player_total=3, banker_total=6, pairs="player")) == [
        ("b", 200, "won", False, 0, 300),
        ("pp", 20, "won", False, 0, 240),
    ]


@pytest.mark.parametrize("later", ["open", "closed", "settled", "void"])
def test_a_stake_that_a_correction_makes_a_push_is_returned_once_a_later_betting_round_was_opened(later: str) -> None:
    floor = settled("player")
    floor.open_round()
    floor.place("n", "player", 100, bettor_id="dee")
    if later == "void":
        floor.void(2)
    if later in ("closed", "settled"):
        floor.close_betting()
    if later == "settled":
        floor.end_round("banker")
    facts = floor.correct(1, 1, "tie")
    assert rows(facts) == TIE_RETURNED
    assert books(facts) == (550, 0, 950, 0, -400)
    if later == "open":
        floor.close_betting()
    if later in ("open", "closed"):
        assert books(floor.end_round("player")) == (100, 0, 200, 0, -100)


def test_a_demonstration_round_is_no_later_betting_round() -> None:
    floor = settled("player")
    floor.open_round(demonstration=True)
    assert rows(floor.correct(1, 1, "tie")) == TIE_CARRIED
    floor.end_round("banker", demonstration=True)
    floor.open_round()
    assert books(floor.play("player")) == (0, 500, 600, 0, -100)


def test_a_house_that_returns_pushes_returns_corrected_ones_too() -> None:
    bounds = limits(bets={name: limits().bets[name] for name in ("player", "banker", "tie")})
    floor = Floor(ONLINE, bounds)
    floor.open_round()
    assert rows(settled("player", floor).correct(1, 1, "tie")) == TIE_RETURNED


def test_a_correction_to_a_tie_carries_into_the_next_round_with_revisions_that_bind() -> None:
    floor = settled("player")
    floor.correct(1, 1, "tie")
    floor.open_round()
    assert reason(floor.change("b", 1, "banker", 300)) == "wrong_revision"
    closed = floor.close_betting()
    assert isinstance(closed, BettingClosed)
    assert (closed.stakes, closed.totals) == (2, {"banker": 200, "player": 300})
    facts = floor.end_round("banker")
    assert rows(facts) == BANKER_WINS[:2]
    assert books(facts) == (0, 500, 390, 0, 110)


def test_a_correction_takes_carried_stakes_off_the_layout_again() -> None:
    floor = settled("tie")
    floor.correct(1, 1, "player")
    floor.open_round()
    assert reason(floor.cancel("b", 0)) == "no_such_bet"
    closed = floor.close_betting()
    assert isinstance(closed, BettingClosed)
    assert (closed.stakes, closed.totals) == (0, {})
    assert books(floor.end_round("player")) == (0, 0, 0, 0, 0)


def test_a_round_may_be_corrected_again_and_again() -> None:
    floor = settled("player")
    for revision, (result, told) in enumerate(
        [("tie", TIE_CARRIED), ("banker", BANKER_WINS), ("tie", TIE_CARRIED), ("player", PLAYER_WINS)], 1
    ):
        assert rows(floor.correct(1, revision, result)) == told  # type: ignore[arg-type] # mypy widens the literals
    floor.open_round()
    assert books(floor.play("tie")) == (0, 0, 0, 0, 0)


def test_a_stake_carried_into_the_corrected_round_is_in_its_books_as_carried_in() -> None:
    floor = settled("tie")
    floor.open_round()
    floor.place("n", "player", 100, bettor_id="dee")
    floor.play("player")
    facts = floor.correct(2, 1, "banker")
    assert rows(facts) == [*BANKER_WINS[:2], ("n", 100, "lost", False, 0, 0)]
    assert books(facts) == (100, 500, 390, 0, 210)


def test_what_was_cancelled_and_taken_off_stays_handed_back() -> None:
    floor = playing()
    floor.place("p", "player", 1_000)
    floor.change("p", 0, "player", 400)
    floor.place("x", "tie", 20)
    floor.cancel("x", 0)
    floor.play("banker")
    facts = floor.correct(1, 1, "player")
    assert rows(facts) == [("p", 400, "won", False, 0, 800)]
    assert books(facts) == (1_020, 0, 1_420, 0, -400)


def test_a_correction_may_void_a_settled_round_and_undo_that() -> None:
    floor = settled("tie")
    facts = floor.void(1, 1)
    assert rows(facts) == VOID
    assert books(facts) == (550, 0, 550, 0, 0)
    last = facts[-1]
    assert isinstance(last, RoundSettled)
    assert (last.result, last.revision) == (None, 1)
    assert rows(floor.correct(1, 2, "banker")) == BANKER_WINS
    floor.open_round()
    assert books(floor.play("tie")) == (0, 0, 0, 0, 0)


def test_a_round_is_restated_under_the_terms_it_was_played_under() -> None:
    floor = Floor(house(commission_rounding="up_to_unit", banker_multiple_of_minimum=False))
    floor.open_round()
    floor.place("b", "banker", 110)
    floor.play("player")
    floor.set_limits(unit_minor=20)  # 5.50 of commission is 10 in units of 5 and would be 20
    floor.change_rules(house(commission=50, tie_stakes="return", banker_multiple_of_minimum=False))
    assert rows(floor.correct(1, 1, "banker")) == [("b", 110, "won", False, 10, 210)]
    floor.open_round()
    floor.place("n", "banker", 200)
    floor.play("player")
    assert rows(floor.correct(1, 2, "tie")) == [("b", 110, "push", False, 0, 110)]
    assert rows(floor.correct(1, 3, "banker")) == [("b", 110, "won", False, 10, 210)]
    assert rows(floor.correct(2, 1, "banker")) == [("n", 200, "won", False, 100, 300)]


def test_each_round_keeps_its_own_terms_however_often_they_change() -> None:
    floor = Floor()
    for number, commission in enumerate((10, 20, 30), 1):
        floor.change_rules(house(commission=50))  # never in force for a round
        floor.change_rules(house(commission=commission))
        floor.open_round()
        floor.place(f"b{number}", "banker", 100)
        floor.play("player")
    for number, returned in ((1, 190), (2, 180), (3, 170)):
        assert rows(floor.correct(number, 1, "banker")) == [(f"b{number}", 100, "won", False, 200 - returned, returned)]


def test_a_tie_whose_carried_stakes_went_back_between_rounds_is_never_restated() -> None:
    """Their money went back as stake.returned, once."""
    floor = settled("tie")
    assert len(floor.change_rules(house())) == 2
    with pytest.raises(AssertionError, match="moved on"):
        floor.correct(1, 1, "player")


def test_a_demonstration_round_corrected_has_zero_books_as_before() -> None:
    floor = Floor()
    floor.open_round(demonstration=True)
    floor.end_round("player", demonstration=True)
    floor.open_round()
    floor.place("p", "player", 300)
    for facts in (floor.correct(1, 1, "banker", demonstration=True), floor.void(1, 2)):
        assert len(facts) == 1
        assert books(facts) == (0, 0, 0, 0, 0)
    assert books(floor.play("player")) == (300, 0, 600, 0, -300)


def test_the_round_in_play_goes_on_where_it_stood() -> None:
    floor = settled("player")
    floor.open_round()
    floor.place("n", "player", 100)
    before = floor.state
    floor.correct(1, 1, "banker")
    after = floor.state
    assert (after.round, after.sums, after.generation, after.wagers_seen) == (
        before.round,
        before.sums,
        before.generation,
        before.wagers_seen,
    )
    assert known_stakes(after) == known_stakes(before)


def test_a_revision_is_told_once_and_in_order() -> None:
    floor = settled("player")
    floor.correct(1, 1, "banker")
    for revision in (1, 3):
        with pytest.raises(AssertionError, match="once and in order"):
            floor.correct(1, revision, "banker")


def test_a_tie_whose_stakes_are_in_a_later_rounds_books_is_never_restated() -> None:
    floor = settled("tie")
    floor.open_round()
    with pytest.raises(AssertionError, match="moved on"):
        floor.correct(1, 1, "player")
