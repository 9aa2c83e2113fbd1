"""Article 16: on each side the bettor with the largest seated stake holds the cards; nobody seated: the dealer."""

from typing import Final

import pytest

from schemas.facts import BettingClosed, StakedSeat
from tests.settlement.drive import MACAU, house
from tests.settlement.verbs import Floor

SEATED: Final = {"ann": (1, 4), "bob": (2,), "cid": (3,)}
Placed = tuple[str, str, int | None, int]  # bettor, bet, seat, amount


def closed(*placed: Placed, holding: bool = True, lowest_seat: bool = False) -> BettingClosed:
    """`betting.closed` behind these stakes, b0, b1, … in their order."""
    return close(table_with(*placed, holding=holding, lowest_seat=lowest_seat))


def table_with(*placed: Placed, holding: bool = True, lowest_seat: bool = False) -> Floor:
    rules = house(MACAU, holding=holding, holder_tie_break="lowest_seat" if lowest_seat else "first_bet")
    floor = Floor(rules)
    for bettor_id, seats in SEATED.items():
        for seat in seats:
            floor.seat(bettor_id, seat)
    floor.open_round()
    for number, (bettor_id, bet, place, amount_minor) in enumerate(placed):
        floor.place(f"b{number}", bet, amount_minor, bettor_id=bettor_id, seat=place)
    return floor


def close(floor: Floor) -> BettingClosed:
    fact = floor.close_betting()
    assert isinstance(fact, BettingClosed)
    return fact


@pytest.mark.parametrize(
    ("why", "player", "banker", "placed"),
    [
        ("nobody bets", None, None, []),
        ("the only one on each side", "ann", "bob", [("ann", "player", 1, 100), ("bob", "banker", 2, 100)]),
        ("the largest", "bob", None, [("ann", "player", 1, 100), ("bob", "player", 2, 200), ("cid", "player", 3, 100)]),
        ("a standing one never", "ann", None, [("ann", "player", 1, 100), ("eve", "player", None, 900)]),
        ("only standing ones", None, None, [("eve", "player", None, 900), ("bob", "banker", None, 900)]),
        ("tie and pairs do not count", None, "cid", [("ann", "tie", 1, 900), ("bob", "player_pair", 2, 900),
                                                     ("bob", "banker_pair", 2, 900), ("cid", "banker", 3, 100)]),
        ("a seat's stakes add up", "bob", None, [("ann", "player", 1, 300), ("bob", "player", 2, 200),
                                                 ("bob", "player", 2, 200)]),
        ("two seats do not", "bob", None, [("ann", "player", 1, 200), ("ann", "player", 4, 200),
                                           ("bob", "player", 2, 300)]),
        ("one bettor on both sides", "ann", "ann", [("ann", "player", 1, 100), ("ann", "banker", 1, 200)]),
        ("each side by itself", "ann", "bob", [("ann", "player", 1, 200), ("bob", "player", 2, 100),
                                               ("ann", "banker", 1, 100), ("bob", "banker", 2, 200)]),
    ],
)  # fmt: skip
def test_the_largest_seated_stake_holds(why: str, player: str | None, banker: str | None, placed: list[Placed]) -> None:
    fact = closed(*placed)
    assert (fact.player_holder, fact.banker_holder) == (player, banker), why


def test_the_staked_seats_of_each_side_are_listed_lowest_first() -> None:
    fact = closed(
        ("cid", "player", 3, 100),
        ("ann", "player", 4, 100),
        ("ann", "player", 1, 100),
        ("ann", "player", 1, 100),
        ("eve", "player", None, 100),
        ("bob", "banker", 2, 100),
        ("cid", "tie", 3, 100),
    )
    assert fact.player_seats == (
        StakedSeat(seat=1, bettor_id="ann"),
        StakedSeat(seat=3, bettor_id="cid"),
        StakedSeat(seat=4, bettor_id="ann"),
    )
    assert fact.banker_seats == (StakedSeat(seat=2, bettor_id="bob"),)


@pytest.mark.parametrize(("lowest_seat", "holder"), [(False, "cid"), (True, "bob")])
def test_equal_stakes_go_by_who_was_first_or_sits_lowest(lowest_seat: bool, holder: str) -> None:
    fact = closed(("cid", "player", 3, 200), ("bob", "player", 2, 200), lowest_seat=lowest_seat)
    assert fact.player_holder == holder


def test_the_lowest_of_equal_seats_and_not_of_all() -> None:
    fact = closed(("ann", "player", 1, 100), ("cid", "player", 3, 200), ("bob", "player", 2, 200), lowest_seat=True)
    assert fact.player_holder == "bob"


def test_first_is_who_first_reached_the_amount_and_not_who_first_bet() -> None:
    floor = table_with(("ann", "player", 1, 100), ("bob", "player", 2, 300))
    floor.change("b0", 0, "player", 300)
    assert close(floor).player_holder == "bob"


def test_a_second_stake_reaches_the_amount_when_it_is_added() -> None:
    fact = closed(("ann", "player", 1, 100), ("bob", "player", 2, 300), ("ann", "player", 1, 200))
    assert fact.player_holder == "bob"


def test_who_came_over_from_the_other_side_came_then() -> None:
    floor = table_with(("ann", "banker", 1, 300), ("bob", "player", 2, 300))
    floor.change("b0", 0, "player", 300)
    assert close(floor).player_holder == "bob"


def test_who_took_something_off_had_reached_what_is_left_before() -> None:
    floor = table_with(("ann", "player", 1, 500), ("bob", "player", 2, 300))
    floor.change("b0", 0, "player", 300)
    assert close(floor).player_holder == "ann"


def test_a_carried_stake_was_first() -> None:
    floor = table_with(("bob", "player", 2, 300))
    floor.play("tie")
    floor.open_round()
    floor.place("n", "player", 300, bettor_id="ann", seat=1)
    assert close(floor).player_holder == "bob"


def test_a_house_without_holding_names_nobody() -> None:
    fact = closed(("ann", "player", 1, 100), holding=False)
    assert (fact.player_holder, fact.banker_holder, fact.player_seats, fact.banker_seats) == (None, None, (), ())
