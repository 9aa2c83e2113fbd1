"""Articles 12 and 19: other house rules are in force between rounds, and what the old ones carried is given back."""

from schemas.facts import StakeReturned
from tests.settlement.drive import NO_COMMISSION, TABLE, house, reason
from tests.settlement.reading import rows
from tests.settlement.verbs import Floor, books, playing


def test_carried_stakes_are_given_back_in_the_name_of_the_round_that_carried_them() -> None:
    floor = playing()
    floor.place("b", "banker", 200)
    floor.place("p", "player", 300, bettor_id="bob")
    floor.play("tie")
    assert floor.change_rules(house(commission=4)) == [
        StakeReturned(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            bet_id=bet_id,
            bettor_id=bettor_id,
            before_minor=amount_minor,
            after_minor=0,
            reason="house_rules_changed",
        )
        for bet_id, bettor_id, amount_minor in (("b", "ann", 200), ("p", "bob", 300))
    ]
    floor.open_round()
    assert reason(floor.cancel("b", 0)) == "no_such_bet"
    assert books(floor.play("player")) == (0, 0, 0, 0, 0)


def test_nothing_carried_nothing_given_back() -> None:
    assert Floor().change_rules(NO_COMMISSION) == []


def test_the_new_rules_pay_from_the_next_round_on() -> None:
    floor = playing()
    floor.place("a", "banker", 200)
    assert rows(floor.play("banker", 1, 6)) == [("a", 200, "won", False, 10, 390)]
    floor.change_rules(NO_COMMISSION)
    floor.open_round()
    floor.place("b", "banker", 200)
    assert rows(floor.play("banker", 1, 6)) == [("b", 200, "won", False, 0, 300)]


def test_limits_set_before_the_rules_change_come_with_the_next_round_all_the_same() -> None:
    floor = Floor()
    floor.set_limits(unit_minor=50)
    floor.change_rules(NO_COMMISSION)
    floor.open_round()
    assert reason(floor.place("n", "player", 110)) == "not_whole_units"
    assert reason(floor.place("n", "player", 150)) is None


def test_a_stake_given_back_is_given_back_once() -> None:
    floor = playing()
    floor.place("b", "banker", 200)
    floor.play("tie")
    assert len(floor.change_rules(house())) == 1
    assert floor.change_rules(house()) == []
    assert floor.close() == []
