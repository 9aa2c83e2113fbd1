"""Article 12: what a bettor may do with a stake that a tie left on the layout, and what becomes of it otherwise."""

from collections.abc import Callable
from typing import Final

import pytest

from schemas.events import Fact
from schemas.facts import BetAccepted, BetCancelled, BetChanged, HouseRulesChanged, StakeReturned
from schemas.house_rules import SHIPPED_DIRECTORY, HouseRules, TieOption, read_house_file
from schemas.limits import BetLimits
from tests.settlement.drive import LIMITS, MACAU, ONLINE, TABLE, Table, house, limits, reason
from tests.settlement.reading import rows, sums

ALL_OPTIONS: Final = MACAU
SJM: Final = read_house_file(SHIPPED_DIRECTORY / "macau-sjm.toml")[0]
KEEP_ONLY: Final = house(tie_options=("keep",))


def without(option: TieOption) -> HouseRules:
    return house(tie_options=tuple(offered for offered in MACAU.tie_options if offered != option))


def only(*options: TieOption) -> HouseRules:
    return house(tie_options=("keep", *options))


def carried(rules: HouseRules = MACAU, **bounds: BetLimits) -> Table:
    """A round is open with ann's Player 1,000 (`p`) and bob's Banker 600 (`b`) carried from a tie."""
    table = Table(rules, limits(bets=LIMITS.bets | bounds))
    table.open_round()
    table.place("p", "player", 1_000, bettor_id="ann")
    table.place("b", "banker", 600, bettor_id="bob")
    table.close_betting()
    table.end_round("tie")
    table.open_round()
    return table


# What is asked of the carried stakes, the options it takes, and the stake then: bet, amount, before.
ASKED: Final[list[tuple[Callable[[Table], Fact], set[TieOption], tuple[str, int, int]]]] = [
    (lambda t: t.cancel("p", 0), {"withdraw"}, ("player", 0, 1_000)),
    (lambda t: t.cancel("b", 0), {"withdraw"}, ("banker", 0, 600)),
    (lambda t: t.change("p", 0, "player", 1_000), set(), ("player", 1_000, 1_000)),
    (lambda t: t.change("p", 0, "player", 1_005), {"increase"}, ("player", 1_005, 1_000)),
    (lambda t: t.change("b", 0, "banker", 700), {"increase"}, ("banker", 700, 600)),
    (lambda t: t.change("p", 0, "player", 995), {"reduce"}, ("player", 995, 1_000)),
    (lambda t: t.change("b", 0, "banker", 100), {"reduce"}, ("banker", 100, 600)),
    (lambda t: t.change("p", 0, "banker", 1_000), {"switch"}, ("banker", 1_000, 1_000)),
    (lambda t: t.change("b", 0, "player", 600), {"switch"}, ("player", 600, 600)),
    (lambda t: t.change("p", 0, "banker", 1_500), {"switch", "increase"}, ("banker", 1_500, 1_000)),
    (lambda t: t.change("p", 0, "banker", 300), {"switch", "reduce"}, ("banker", 300, 1_000)),
]


@pytest.mark.parametrize(("ask", "options", "stake"), ASKED)
def test_article_12_a_carried_stake_is_moved_by_the_options_offered(
    ask: Callable[[Table], Fact], options: set[TieOption], stake: tuple[str, int, int]
) -> None:
    answer = ask(carried(only(*sorted(options))))
    assert isinstance(answer, BetChanged | BetCancelled)
    assert (answer.bet, answer.amount_minor, answer.before_minor) == stake
    assert answer.revision == 1


@pytest.mark.parametrize(("ask", "options", "stake"), ASKED)
def test_article_12_an_option_that_is_not_offered_is_refused_and_named(
    ask: Callable[[Table], Fact], options: set[TieOption], stake: tuple[str, int, int]
) -> None:
    for option in options:
        table = carried(without(option))
        before = table.state
        answer = ask(table)
        assert reason(answer) == "not_offered"
        assert option in str(answer)
        assert (table.state.layout, table.state.sums) == (before.layout, before.sums)


@pytest.mark.parametrize("bet", ["tie", "player_pair"])
def test_article_12_a_carried_stake_may_change_sides_and_nothing_else(bet: str) -> None:
    assert reason(carried(ALL_OPTIONS).change("p", 0, bet, 1_000)) == "not_offered"


def test_article_12_3_at_sjm_a_bettor_may_only_add() -> None:
    table = carried(SJM)
    assert reason(table.cancel("p", 0)) == "not_offered"
    assert reason(table.change("p", 0, "player", 500)) == "not_offered"
    assert reason(table.change("p", 0, "banker", 1_000)) == "not_offered"
    assert reason(table.change("p", 0, "player", 1_500)) is None


def test_article_12_silence_is_keep() -> None:
    table = carried(KEEP_ONLY)
    table.close_betting()
    assert rows(table.end_round("player")) == [("p", 1_000, "won", False, 0, 2_000), ("b", 600, "lost", False, 0, 0)]


def test_article_12_new_stakes_beside_a_carried_one_are_free() -> None:
    table = carried(KEEP_ONLY)
    assert isinstance(table.place("n", "player", 200, bettor_id="ann"), BetAccepted)
    assert isinstance(table.change("n", 0, "banker", 300), BetChanged)
    assert isinstance(table.cancel("n", 1), BetCancelled)


def test_article_12_what_is_added_is_free_until_betting_closes_and_the_carried_amount_bound() -> None:
    table = carried(only("increase"))
    table.change("p", 0, "player", 1_500)
    assert isinstance(table.change("p", 1, "player", 1_200), BetChanged)
    assert isinstance(table.change("p", 2, "player", 1_000), BetChanged)
    assert reason(table.change("p", 3, "player", 995)) == "not_offered"
    assert reason(table.cancel("p", 3)) == "not_offered"


def test_article_12_what_was_reduced_once_is_bound_no_more_and_no_less() -> None:
    table = carried(only("reduce"))
    table.change("p", 0, "player", 400)
    assert reason(table.change("p", 1, "player", 500)) == "not_offered"
    assert isinstance(table.change("p", 1, "player", 300), BetChanged)


def test_article_12_a_switched_stake_is_still_bound() -> None:
    table = carried(only("switch"))
    table.change("p", 0, "banker", 1_000)
    assert reason(table.cancel("p", 1)) == "not_offered"
    assert reason(table.change("p", 1, "banker", 500)) == "not_offered"
    assert isinstance(table.change("p", 1, "player", 1_000), BetChanged)


def test_article_12_what_was_added_is_bound_when_another_tie_carries_it() -> None:
    table = carried(only("increase"))
    table.change("p", 0, "player", 1_500)
    table.close_betting()
    table.end_round("tie")
    table.open_round()
    assert reason(table.change("p", 1, "player", 1_200)) == "not_offered"


def test_article_12_money_taken_off_and_added_stands_in_the_next_rounds_books() -> None:
    table = carried()
    table.cancel("b", 0)
    table.change("p", 0, "player", 400)
    table.change("p", 1, "banker", 700)
    table.close_betting()
    facts = table.end_round("player")
    assert rows(facts) == [("p", 700, "lost", False, 0, 0)]
    # placed 300 by the switch; carried in 1,600; returned 600 (withdrawn) and 600 (reduced)
    assert sums(facts) == (1, 300, 1_600, 1_200, 0, 700, 0)


# --- limits ---

OTHER_MINIMUM: Final = BetLimits(minimum_minor=700, maximum_minor=10_000)


def test_article_12_an_untouched_carried_stake_is_not_tested_against_a_new_minimum_multiple_or_commission() -> None:
    table = carried()
    table.close_betting()
    table.end_round("tie")
    table.set_limits(
        bets=LIMITS.bets | {"banker": OTHER_MINIMUM, "player": BetLimits(minimum_minor=2_000, maximum_minor=9_000)}
    )
    table.open_round()
    assert table.cuts_at_closing() == []
    assert rows(table.end_round("banker")) == [("p", 1_000, "lost", False, 0, 0), ("b", 600, "won", False, 30, 1_170)]


@pytest.mark.parametrize(
    ("amount_minor", "expected"),
    [(600, "below_minimum"), (650, "below_minimum"), (750, "not_a_multiple"), (700, None), (1_400, None)],
)
def test_article_12_a_changed_carried_stake_is_tested_as_a_whole(amount_minor: int, expected: str | None) -> None:
    table = carried()
    table.close_betting()
    table.end_round("tie")
    table.set_limits(bets=LIMITS.bets | {"banker": OTHER_MINIMUM})
    table.open_round()
    assert reason(table.change("b", 0, "banker", amount_minor)) == expected


def test_article_12_an_increase_is_held_against_the_maximum_as_a_whole() -> None:
    assert reason(carried().change("p", 0, "player", 10_005)) == "above_maximum"


def test_article_12_the_house_gives_back_what_a_new_maximum_has_no_room_for() -> None:
    table = carried()
    table.place("p2", "player", 500, bettor_id="ann")
    table.close_betting()
    table.end_round("tie")
    table.set_limits(
        bets=LIMITS.bets | {name: BetLimits(minimum_minor=100, maximum_minor=550) for name in ("player", "banker")}
    )
    table.open_round()
    # ann's 1,500 go down to 550, the later stake first; bob's Banker 600 to a multiple of 100
    assert table.cuts_at_closing() == [
        ("p2", 500, 0, "above_maximum"),
        ("p", 1_000, 550, "above_maximum"),
        ("b", 600, 500, "above_maximum"),
    ]
    facts = table.end_round("player")
    assert rows(facts) == [("p", 550, "won", False, 0, 1_100), ("b", 500, "lost", False, 0, 0)]
    assert sums(facts) == (2, 0, 2_100, 1_050 + 1_100, 0, -50, 0)


def test_article_12_a_new_total_of_all_bettors_holds_for_carried_stakes_too() -> None:
    table = carried()
    table.place("p2", "player", 500, bettor_id="cid")
    table.close_betting()
    table.end_round("tie")
    table.set_limits(
        bets=LIMITS.bets | {"player": BetLimits(minimum_minor=100, maximum_minor=1_000, total_minor=1_200)}
    )
    table.open_round()
    assert isinstance(table.change("p", 0, "player", 995), BetChanged)  # less is not refused for the others' sake
    assert table.cuts_at_closing() == [("p2", 500, 205, "above_total")]


def test_article_12_carried_stakes_are_more_than_a_new_number_of_stakes_and_may_still_change() -> None:
    table = carried()
    table.close_betting()
    table.end_round("tie")
    table.set_limits(max_stakes=1)
    table.open_round()
    assert reason(table.place("n")) == "round_full"
    assert isinstance(table.change("p", 0, "player", 500), BetChanged)


# --- waiting, and going back ---


def test_article_12_options_wait_through_a_shuffle_and_demonstration_rounds() -> None:
    table = Table()
    table.open_round()
    table.place("p", "player", 1_000)
    table.close_betting()
    table.end_round("tie")
    table.start_shoe()
    table.open_round(demonstration=True)
    assert reason(table.cancel("p", 0)) == "books_not_open"
    table.end_round("banker", demonstration=True)
    assert reason(table.cancel("p", 0)) == "round_over"
    table.open_round()
    assert isinstance(table.cancel("p", 0), BetCancelled)


def test_article_12_options_end_when_betting_closes() -> None:
    table = carried()
    table.close_betting()
    assert reason(table.cancel("p", 0)) == "books_closed"


def test_article_12_a_house_that_returns_leaves_nothing_to_move() -> None:
    table = Table(ONLINE, limits(bets={name: LIMITS.bets[name] for name in ("player", "banker", "tie")}))
    table.open_round()
    table.place("p", "player", 100)
    table.close_betting()
    assert rows(table.end_round("tie")) == [("p", 100, "push", False, 0, 100)]
    table.open_round()
    assert reason(table.cancel("p", 0)) == "no_such_bet"


def between_rounds() -> Table:
    """ann has changed what was carried, and another tie carries it on."""
    table = carried()
    table.change("p", 0, "player", 1_500)
    table.close_betting()
    table.end_round("tie")
    return table


@pytest.mark.parametrize("how", ["table_closed", "house_rules_changed"])
def test_article_12_closing_the_table_or_other_house_rules_return_carried_stakes(how: str) -> None:
    table = between_rounds()
    if how == "table_closed":
        facts = table.close()
    else:
        facts = table.tell(HouseRulesChanged(table=TABLE, house_rules=SJM, house_rules_sha256="0" * 64))
    told = [
        (fact.bet_id, fact.round_number, fact.before_minor, fact.after_minor, fact.reason)
        for fact in facts
        if isinstance(fact, StakeReturned)
    ]
    assert told == [("p", 2, 1_500, 0, how), ("b", 2, 600, 0, how)]
    if how == "table_closed":
        table.open()
    table.open_round()
    assert table.cuts_at_closing() == []
    assert sums(table.end_round("player")) == (0, 0, 0, 0, 0, 0, 0)


def test_article_12_a_void_returns_a_carried_stake_with_what_was_added() -> None:
    table = carried()
    table.change("p", 0, "player", 1_500)
    facts = table.void_round()
    assert rows(facts) == [("p", 1_500, "returned", False, 0, 1_500), ("b", 600, "returned", False, 0, 600)]
    assert sums(facts) == (2, 500, 1_600, 2_100, 0, 0, 0)
