"""The regulation's bets against numbers known for long: eight decks to the last digit, others as they are published."""

from fractions import Fraction

import pytest

from schemas.house_rules import HouseRules
from services.odds.document import percent
from services.odds.enumeration import count_sequences
from services.odds.events import count_events
from tests.odds.houses import WITH_COMMISSION, WITHOUT_COMMISSION, classes_of, odds_of

TOTAL = 4_998_398_275_503_360

EIGHT_DECKS = [
    ("banker", 2_292_252_566_437_888),
    ("player", 2_230_518_282_592_256),
    ("tie", 475_627_426_473_216),
    ("four_cards", 1_893_735_611_458_560),
    ("five_cards", 1_516_734_808_780_800),
    ("six_cards", 1_587_927_855_264_000),
    ("natural", 1_714_696_016_515_584),
    ("player_pair", 373_374_329_013_504),
    ("banker_pair", 373_374_329_013_504),
    ("both_pairs", 27_894_653_699_328),
]


def test_eight_decks_hold_this_many_sequences_of_six_cards() -> None:
    assert count_sequences(8) == TOTAL == 416 * 415 * 414 * 413 * 412 * 411
    assert sum(classes_of(8).values()) == TOTAL


def test_of_eight_decks_each_event_is_dealt_in_exactly_the_known_number_of_ways() -> None:
    assert list(count_events(classes_of(8)).items()) == EIGHT_DECKS


WINS = [
    (WITH_COMMISSION, "player", {"1": 2_230_518_282_592_256}, 475_627_426_473_216, 2_292_252_566_437_888),
    (WITH_COMMISSION, "banker", {"19/20": 2_292_252_566_437_888}, 475_627_426_473_216, 2_230_518_282_592_256),
    (WITH_COMMISSION, "tie", {"8": 475_627_426_473_216}, 0, 4_522_770_849_030_144),
    (WITH_COMMISSION, "player_pair", {"11": 373_374_329_013_504}, 0, 4_625_023_946_489_856),
    (WITH_COMMISSION, "banker_pair", {"11": 373_374_329_013_504}, 0, 4_625_023_946_489_856),
    # Banker 6 wins on two cards in 186,173,936,904,192 ways, on three in 83,058,367,551,488.
    (
        WITHOUT_COMMISSION,
        "banker",
        {"1/2": 269_232_304_455_680, "1": 2_023_020_261_982_208},
        475_627_426_473_216,
        2_230_518_282_592_256,
    ),
]


@pytest.mark.parametrize(("rules", "bet", "win_ways", "push_ways", "lose_ways"), WINS)
def test_a_bet_wins_pushes_and_loses_in_exactly_the_known_number_of_ways(
    rules: HouseRules, bet: str, win_ways: dict[str, int], push_ways: int, lose_ways: int
) -> None:
    found = odds_of(rules, 8)[bet]
    assert {str(net_odds): ways for net_odds, ways in found.win_ways.items()} == win_ways
    assert (found.push_ways, found.lose_ways) == (push_ways, lose_ways)


EDGES = [
    (WITH_COMMISSION, "banker", "1.0579"),
    (WITH_COMMISSION, "player", "1.2351"),
    (WITH_COMMISSION, "tie", "14.3596"),
    (WITH_COMMISSION, "player_pair", "10.3614"),
    (WITH_COMMISSION, "banker_pair", "10.3614"),
    (WITHOUT_COMMISSION, "banker", "1.4581"),
    (WITHOUT_COMMISSION, "player", "1.2351"),
]


@pytest.mark.parametrize(("rules", "bet", "house_edge"), EDGES)
def test_with_eight_decks_the_house_keeps_the_known_part(rules: HouseRules, bet: str, house_edge: str) -> None:
    assert percent(odds_of(rules, 8)[bet].house_edge) == house_edge


def test_the_edge_on_a_pair_is_a_fraction_that_anyone_can_check() -> None:
    # Of 415 other cards 31 make the pair: (384 - 11 * 31) / 415.
    assert odds_of(WITH_COMMISSION, 8)["player_pair"].house_edge == Fraction(43, 415)


# Banker, Player and Tie in per cent, from Y.-B. Chen, "Casino Games - Mini Baccarat". (Its six decks don't add up.)
OTHER_DECKS = [
    (1, "45.9624", "44.6760", "9.3615"),
    (2, "45.9073", "44.6508", "9.4419"),
    (4, "45.8761", "44.6340", "9.4898"),
]


@pytest.mark.parametrize(("decks", "banker", "player", "tie"), OTHER_DECKS)
def test_other_numbers_of_decks_show_the_published_chances(decks: int, banker: str, player: str, tie: str) -> None:
    events = count_events(classes_of(decks))
    chances = [percent(Fraction(events[event], count_sequences(decks))) for event in ("banker", "player", "tie")]
    assert chances == [banker, player, tie]


def test_six_decks_show_the_published_number_of_ways() -> None:
    # M. Shackleford's tables of combinations.
    events = count_events(classes_of(6))
    assert events["banker"] == 403_095_751_234_560
    assert events["player"] == 392_220_492_728_832
    assert events["tie"] == 83_552_962_932_288
