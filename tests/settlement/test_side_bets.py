"""Side bets are data: conditions and odds in a house file, settled by the same code as every other bet."""

from pathlib import Path
from typing import Final

import pytest

from schemas.cards import is_pair, total
from schemas.facts import BetRejected, BetsSettled, RoundEnded
from schemas.house_rules import Bet, Condition, read_house_file
from schemas.limits import BetLimits
from services.settlement.money import HandFacts, OutcomeClass, facts_of, outcome_class, possible_return_minor
from tests.settlement.drive import LIMITS, TABLE, Table, house, limits, opened, reason
from tests.settlement.reading import rows

HOUSE: Final = read_house_file(Path("tests/data/house/side-bets.toml"))[0]
SIDE_BETS: Final = {bet.name for bet in HOUSE.bets} - LIMITS.bets.keys()
BOUNDS: Final = limits(bets=LIMITS.bets | dict.fromkeys(SIDE_BETS, BetLimits(minimum_minor=10, maximum_minor=1_000)))
LOST: Final = OutcomeClass("lost")


def dealt(player: str, banker: str) -> RoundEnded:
    """The round's end with these cards, as the shoe would write it."""
    hands = tuple(player.split()), tuple(banker.split())
    player_total, banker_total = total(hands[0]), total(hands[1])
    return RoundEnded(
        table=TABLE,
        shoe_number=1,
        round_number=1,
        revision=0,
        result="tie" if player_total == banker_total else "player" if player_total > banker_total else "banker",
        player_cards=hands[0],
        banker_cards=hands[1],
        player_total=player_total,
        banker_total=banker_total,
        natural=False,
        player_pair=is_pair(hands[0]),
        banker_pair=is_pair(hands[1]),
        demonstration=False,
    )


# One hand a line: the cards, and every side bet that wins with its odds. All others lose.
HANDS: Final = [
    ("2C 3D KH", "4C 2H", {"lucky_6": 12, "small_6": 22}),
    ("2C 3D KH", "AC 2H 3S", {"lucky_6": 20, "big_6": 50}),
    ("4C 2D", "KC 6H", {}),  # six against six is a tie
    ("KC 6D", "2C 3H", {}),  # Player wins with six
    ("KC 7D", "2C 3H", {"lucky_7": 6}),
    ("2C 3D 2H", "KC 4H", {"lucky_7": 15}),
    ("KC 7D", "KD 6H", {"lucky_7": 6, "super_lucky_7": 30}),
    ("2C 3D 2H", "KC 6H", {"lucky_7": 15, "super_lucky_7": 40}),
    ("KC 7D", "2C 3H AS", {"lucky_7": 6, "super_lucky_7": 40}),
    ("2C 3D 2H", "4C AH AS", {"lucky_7": 15, "super_lucky_7": 100}),
    ("KC 6D", "KD 7H", {}),  # the other way round, and only two cards
    ("KC 6D", "2C 3H 2S", {"dragon_7": 40}),
    ("2C 3D 2H", "2D 3H 2S", {}),  # seven against seven
    ("2C 3D 3H", "KC 7H", {"panda_8": 25}),
    ("KC 8D", "KD 7H", {}),  # a natural is no panda
    ("2C 3D 3H", "4C 3H AS", {}),  # eight against eight
    ("8C 8C", "KD 7H", {"player_perfect_pair": 25}),
    ("KD 5H", "9C 9C", {"banker_perfect_pair": 25}),
    ("8C 8D", "KD KH", {}),  # pairs, and none is perfect
    ("2C KD KD", "9C 9D", {}),  # the third card makes no pair
    ("AC AC", "AD AD 2S", {"player_perfect_pair": 25, "banker_perfect_pair": 25}),
    ("AC AC", "AD AD", {"player_perfect_pair": 25, "banker_perfect_pair": 25}),  # a tie, and the condition holds
]


@pytest.mark.parametrize(("player", "banker", "winners"), HANDS)
def test_a_side_bet_wins_on_its_condition_and_loses_otherwise(
    player: str, banker: str, winners: dict[str, int]
) -> None:
    facts = facts_of(dealt(player, banker))
    found = {name: outcome_class(name, facts, HOUSE) for name in SIDE_BETS}
    assert found == dict.fromkeys(SIDE_BETS, LOST) | {
        name: OutcomeClass("won", odds, 1, 0) for name, odds in winners.items()
    }


def test_a_condition_can_name_everything_that_a_round_is_told_by() -> None:
    assert Condition.__struct_fields__ == HandFacts._fields


@pytest.mark.parametrize(
    ("condition", "wins"),
    [
        (Condition(banker_pair=False, player_pair=True), ("8C 8D", "KD 7H")),
        (Condition(result="tie", player_total=9), ("4C 5D", "KD 9H")),
        (Condition(player_cards=3, banker_cards=3), ("2C 3D KH", "2D 3H KS")),
    ],
)
def test_a_new_bet_of_the_same_conditions_needs_no_code(condition: Condition, wins: tuple[str, str]) -> None:
    rules = house(bets=(*HOUSE.bets, Bet(name="of_our_own", condition=condition, odds="7:2")))
    assert outcome_class("of_our_own", facts_of(dealt(*wins)), rules) == OutcomeClass("won", 7, 2, 0)
    assert outcome_class("of_our_own", facts_of(dealt("2C 4D AH", "KD 6H")), rules) == LOST


def test_of_several_odds_the_first_whose_condition_holds_counts() -> None:
    bets = (
        Bet(name="six", condition=Condition(banker_total=6, banker_cards=3), odds="20:1"),
        Bet(name="six", condition=Condition(banker_total=6), odds="12:1"),
    )
    rules = house(bets=bets)
    assert outcome_class("six", facts_of(dealt("2C 3D KH", "AC 2H 3S")), rules).won == 20
    assert outcome_class("six", facts_of(dealt("2C 3D KH", "4C 2H")), rules).won == 12
    assert possible_return_minor(100, "six", rules) == 2_100


def test_side_bets_have_limits_of_their_own_and_are_settled_beside_the_others() -> None:
    table = opened(HOUSE, BOUNDS)
    assert reason(table.place("low", "lucky_6", 5)) == "below_minimum"
    assert reason(table.place("high", "lucky_6", 1_005)) == "above_maximum"
    for bet_id, bet in (("l", "lucky_6"), ("s", "small_6"), ("b", "big_6"), ("d", "dragon_7")):
        table.place(bet_id, bet, 10)
    table.place("m", "banker", 100)
    table.close_betting()
    assert rows(table.tell(dealt("2C 3D KH", "AC 2H 3S"))) == [
        ("l", 10, "won", False, 0, 210),
        ("s", 10, "lost", False, 0, 0),
        ("b", 10, "won", False, 0, 510),
        ("d", 10, "lost", False, 0, 0),
        ("m", 100, "won", False, 5, 195),
    ]


def test_a_tie_loses_a_side_bet_and_a_void_returns_it() -> None:
    for void in (False, True):
        table = opened(HOUSE, BOUNDS)
        table.place("l", "lucky_6", 10)
        table.close_betting()
        facts = table.void_round() if void else table.tell(dealt("KC 6D", "4C 2H"))
        expected = ("l", 10, "returned", False, 0, 10) if void else ("l", 10, "lost", False, 0, 0)
        assert isinstance(facts[0], BetsSettled)
        assert rows(facts) == [expected]


def test_a_side_bet_that_the_limits_do_not_name_is_not_offered() -> None:
    answer = opened(HOUSE, LIMITS).place("l", "lucky_6", 10)
    assert isinstance(answer, BetRejected)
    assert answer.reason == "bet_not_offered"


def test_half_winnings_are_refused_where_only_exact_ones_are_paid() -> None:
    rules = house(bets=(*HOUSE.bets, Bet(name="half", condition=Condition(player_cards=3), odds="1:2")))
    bounds = limits(bets=BOUNDS.bets | {"half": BetLimits(minimum_minor=10, maximum_minor=1_000)})
    table = Table(rules, bounds)
    table.open_round()
    assert reason(table.place("n", "half", 15)) == "commission_not_whole"
    assert reason(table.place("n", "half", 20)) is None
