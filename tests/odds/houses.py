"""Rule sets of the tests: the regulation's bets, and side bets of casinos as their odds are published."""

from functools import cache

from schemas.house_rules import BankerException, Bet, Condition, HouseRules
from services.odds.bets import BetOdds, odds_of_bets
from services.odds.enumeration import count_classes

REGULATED = (
    Bet(name="player", condition=Condition(result="player"), odds="1:1"),
    Bet(name="banker", condition=Condition(result="banker"), odds="1:1"),
    Bet(name="tie", condition=Condition(result="tie"), odds="8:1"),
    Bet(name="player_pair", condition=Condition(player_pair=True), odds="11:1"),
    Bet(name="banker_pair", condition=Condition(banker_pair=True), odds="11:1"),
)


def house(*bets: Bet, commission: int = 5, banker_exceptions: tuple[BankerException, ...] = ()) -> HouseRules:
    """A rule set of these bets, or of the regulation's own."""
    return HouseRules(
        name="test",
        version=1,
        authorisation="",
        regulation="none",
        bets=bets or REGULATED,
        commission=commission,
        banker_exceptions=banker_exceptions,
    )


WITH_COMMISSION = house()
WITHOUT_COMMISSION = house(commission=0, banker_exceptions=(BankerException(total=6, odds="1:2"),))

_BANKER_6_ON_2 = Condition(result="banker", banker_total=6, banker_cards=2)
_BANKER_6_ON_3 = Condition(result="banker", banker_total=6, banker_cards=3)
_BOTH_PERFECT = Condition(player_perfect_pair=True, banker_perfect_pair=True)
_PLAYER_PERFECT = Condition(player_perfect_pair=True)
_BANKER_PERFECT = Condition(banker_perfect_pair=True)


def _cards(player: int, banker: int) -> Condition:
    return Condition(player_cards=player, banker_cards=banker)


SIDE_BETS = house(
    Bet(name="lucky_6", condition=_BANKER_6_ON_2, odds="12:1"),
    Bet(name="lucky_6", condition=_BANKER_6_ON_3, odds="20:1"),
    Bet(name="lucky_6_las_vegas", condition=_BANKER_6_ON_2, odds="12:1"),
    Bet(name="lucky_6_las_vegas", condition=_BANKER_6_ON_3, odds="23:1"),
    Bet(name="small_6", condition=_BANKER_6_ON_2, odds="22:1"),
    Bet(name="big_6", condition=_BANKER_6_ON_3, odds="50:1"),
    Bet(name="dragon_7", condition=Condition(result="banker", banker_total=7, banker_cards=3), odds="40:1"),
    Bet(name="panda_8", condition=Condition(result="player", player_total=8, player_cards=3), odds="25:1"),
    Bet(name="perfect_pair", condition=_PLAYER_PERFECT, odds="25:1"),
    Bet(name="perfect_pair", condition=_BANKER_PERFECT, odds="25:1"),
    Bet(name="perfect_pairs", condition=_BOTH_PERFECT, odds="250:1"),
    Bet(name="perfect_pairs", condition=_PLAYER_PERFECT, odds="25:1"),
    Bet(name="perfect_pairs", condition=_BANKER_PERFECT, odds="25:1"),
    Bet(name="player_perfect_pair", condition=_PLAYER_PERFECT, odds="25:1"),
    Bet(name="four_cards", condition=_cards(2, 2), odds="3:2"),
    Bet(name="five_cards", condition=_cards(2, 3), odds="2:1"),
    Bet(name="five_cards", condition=_cards(3, 2), odds="2:1"),
    Bet(name="six_cards", condition=_cards(3, 3), odds="2:1"),
)

classes_of = cache(count_classes)


@cache
def odds_of(rules: HouseRules, decks: int) -> dict[str, BetOdds]:
    """The odds of each bet by its name."""
    return {bet.name: bet for bet in odds_of_bets(rules, classes_of(decks))}
