"""What the books of a round take, by where the round stands among the rounds of its table."""

import pytest

from services.decider.refusal import Refusal
from services.settlement.books.state import Round
from services.settlement.decisions.open_books import refusal_of_round

NO_SHOE = Round()
NEW_SHOE = Round(2)
OPEN_1 = Round(2, 1, "open")
SETTLED_1 = Round(2, 1, "settled")
OPEN = Round(2, 5, "open")
CLOSED = Round(2, 5, "books_closed")
SETTLED = Round(2, 5, "settled")
DEMONSTRATION = Round(2, 1, "open", demonstration=True)


@pytest.mark.parametrize(
    ("present", "shoe_number", "round_number", "reason", "named"),
    [
        (NO_SHOE, 1, 1, "books_not_open", ""),
        (NO_SHOE, 1, 2, "wrong_round", "expected 1"),
        (NO_SHOE, 2, 1, "wrong_shoe", "expected 1"),
        (NO_SHOE, 0, 0, "wrong_shoe", "expected 1"),
        (NEW_SHOE, 2, 1, "books_not_open", ""),
        (NEW_SHOE, 2, 0, "wrong_round", "expected 1"),
        (NEW_SHOE, 2, 2, "wrong_round", "expected 1"),
        (NEW_SHOE, 1, 60, "expired", "2"),
        (OPEN_1, 2, 0, "wrong_round", "expected 1"),
        (SETTLED_1, 2, 1, "round_over", ""),
        (SETTLED_1, 2, 2, "books_not_open", ""),
        (SETTLED_1, 2, 3, "wrong_round", "expected 2"),
        (OPEN, 1, 5, "expired", "2"),
        (OPEN, 0, 5, "wrong_shoe", "expected 2"),
        (OPEN, -1, 5, "wrong_shoe", "expected 2"),
        (OPEN, 3, 1, "wrong_shoe", "expected 2"),
        (OPEN, 2, -1, "wrong_round", "expected 5"),
        (OPEN, 2, 3, "expired", "4"),
        (OPEN, 2, 4, "round_over", ""),
        (OPEN, 2, 6, "wrong_round", "expected 5"),
        (CLOSED, 2, 3, "expired", "4"),
        (CLOSED, 2, 4, "round_over", ""),
        (CLOSED, 2, 5, "books_closed", ""),
        (CLOSED, 2, 6, "wrong_round", "expected 5"),
        (SETTLED, 2, 4, "expired", "5"),
        (SETTLED, 2, 5, "round_over", ""),
        (SETTLED, 2, 6, "books_not_open", ""),
        (SETTLED, 2, 7, "wrong_round", "expected 6"),
        (SETTLED, 2, 10**30, "wrong_round", "expected 6"),
        (DEMONSTRATION, 2, 1, "books_not_open", "demonstration"),
        (DEMONSTRATION, 2, 2, "wrong_round", "expected 1"),
    ],
)
def test_a_round_that_takes_nothing_says_why(
    present: Round, shoe_number: int, round_number: int, reason: str, named: str
) -> None:
    refusal = refusal_of_round(present, shoe_number, round_number)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == reason
    assert named in refusal.detail


def test_only_the_open_round_takes_wagers() -> None:
    taken = [
        (present, shoe, number)
        for present in (NO_SHOE, NEW_SHOE, OPEN_1, SETTLED_1, OPEN, CLOSED, SETTLED, DEMONSTRATION)
        for shoe in range(-1, 5)
        for number in range(-1, 9)
        if refusal_of_round(present, shoe, number) is None
    ]
    assert taken == [(OPEN_1, 2, 1), (OPEN, 2, 5)]
