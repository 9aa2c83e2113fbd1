"""Rounds of a virtual shoe: what is dealt on which call, what is dropped, how many cards are drawn."""

import pytest

from schemas import facts
from services.shoe.core import Drawn, Wanted
from tests.shoe.table import TABLE, Table, house_rules, types
from tests.shoe.virtual import loaded, of_cards

# The key of round 1, which the third entry opens, made with the program openssl from the SHA-256 of `test 0`.
KEY = "69180d715e545d91f697b7727e4b09e07fdf563464cf4e9406d95098e16027a7"
COMMITMENT = "9a34ebaf8ed4c0ee4057358ed7ebfebd7ca80445036d62dfdf17fcc161d5e0f5"

# --- rounds -----------------------------------------------------------------------------------------------------------


def test_a_round_opens_without_a_card() -> None:
    table = loaded()
    assert table.open_round(1) == [
        facts.RoundOpened(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            demonstration=False,
            burned=0,
            cards_left=52,
            last_round=False,
            limits_version=1,
            commitment=COMMITMENT,
        )
    ]


def test_closed_betting_deals_player_banker_player_banker() -> None:
    table = loaded(("8H", "TC", "AS", "KD"))
    table.open_round(1)
    dealt = of_cards(table.close_betting(1))
    assert [(card.card_number, card.side, card.position, card.card, card.points) for card in dealt] == [
        (1, "player", 1, "8H", 8),
        (2, "banker", 1, "TC", 0),
        (3, "player", 2, "AS", 1),
        (4, "banker", 2, "KD", 0),
    ]


def test_calls_are_dealt_and_the_decision_ends_the_round_with_its_own_fields() -> None:
    table = loaded(("2H", "TC", "AS", "KD", "4C", "9D"))
    table.open_round(1)
    table.close_betting(1)
    (player_third,) = of_cards(table.call_draw(1, "player", 4))
    (banker_third,) = of_cards(table.call_draw(1, "banker", 5))
    assert (player_third.card_number, player_third.side, player_third.position, player_third.card) == (
        5,
        "player",
        3,
        "4C",
    )
    assert (banker_third.card_number, banker_third.side, banker_third.position, banker_third.card) == (
        6,
        "banker",
        3,
        "9D",
    )
    assert table.decide_round(1, 6) == [
        facts.RoundEnded(
            table=TABLE,
            shoe_number=1,
            round_number=1,
            revision=0,
            result="player",
            player_cards=("9C", "KC"),
            banker_cards=("2C", "5C"),
            player_total=9,
            banker_total=7,
            natural=True,
            player_pair=False,
            banker_pair=False,
            demonstration=False,
            key=KEY,
        )
    ]
    assert table.settle(1) == []
    assert types(table.open_round(2)) == ["round.opened"]


@pytest.mark.parametrize("side", ["player", "banker"])
def test_banker_may_draw_where_player_stands(side: str) -> None:
    table = loaded()
    table.open_round(1)
    table.close_betting(1)
    (third,) = of_cards(table.call_draw(1, side, 4))
    assert (third.side, third.position) == (side, 3)


def test_calls_that_do_not_fit_are_dropped_in_silence() -> None:
    table = loaded()
    before_round = [table.call_draw(1, "player", 4), table.decide_round(1, 4), table.settle(1), table.close_betting(1)]
    table.open_round(1)
    before_cards = [table.call_draw(1, "player", 0), table.decide_round(1, 0), table.settle(1), table.close_betting(2)]
    table.close_betting(1)
    state = table.state
    stray = [
        table.call_draw(1, "player", 3),
        table.call_draw(1, "player", 5),
        table.call_draw(2, "player", 4),
        table.call_draw(1, "player", 4, shoe=2),
        table.decide_round(1, 3),
        table.decide_round(2, 4),
        table.close_betting(1),
        table.settle(1),
    ]
    assert before_round == [[]] * 4
    assert before_cards == [[]] * 4
    assert stray == [[]] * 8
    assert table.state == state
    table.call_draw(1, "player", 4)
    assert table.call_draw(1, "player", 4) == []
    table.void(1)
    assert [table.call_draw(1, "banker", 5), table.decide_round(1, 5)] == [[], []]
    assert table.settle(1) == []
    assert types(table.open_round(2)) == ["round.opened"]


@pytest.mark.parametrize("dealt", [0, 4, 5])
def test_a_round_is_made_void_at_any_time_and_the_shoe_goes_on(dealt: int) -> None:
    table = loaded()
    table.open_round(1)
    if dealt:
        table.close_betting(1)
    if dealt == 5:
        table.call_draw(1, "player", 4)
    assert table.void(1) == [
        facts.RoundVoided(table=TABLE, shoe_number=1, round_number=1, revision=0, reason="spilt", key=KEY)
    ]
    assert table.close_betting(1) == []
    table.settle(1)
    table.open_round(2)
    assert of_cards(table.close_betting(2))[0].card_number == dealt + 1


# --- how many cards are drawn for an entry ----------------------------------------------------------------------------


def spied(table: Table) -> list[int]:
    """How many cards are drawn from now on, each time that a key is wanted."""
    counts: list[int] = []
    give = table.dealer.give

    def spy(pit: str, table: str, wants: Wanted) -> Drawn:
        counts.append(wants.cards - len(wants.known))
        return give(pit, table, wants)

    table.dealer.give = spy  # type: ignore[method-assign]  # a spy
    return counts


def test_cards_are_drawn_just_where_some_are_dealt() -> None:
    table = Table(house_rules(burn="first_card"))
    counts = spied(table)
    table.open()
    table.load()
    table.load()
    assert counts == [1]
    table.open_round(1)
    table.close_betting(1)
    table.close_betting(1)
    table.call_draw(1, "player", 3)
    table.call_draw(1, "player", 4)
    assert counts == [1, 0, 4, 1]
    table.decide_round(1, 5)
    table.settle(1)
    assert counts == [1, 0, 4, 1, 0]


def test_no_key_is_wanted_for_a_physical_shoe() -> None:
    table = Table(house_rules(burn="first_card"))
    counts = spied(table)
    table.open()
    table.load("physical")
    table.open_round(1)
    table.close_betting(1)
    table.scan_all(1, "AC", "2C", "3C", "4C")
    table.call_draw(1, "player", 4)
    assert types(table.scan(5, "5C")) == ["card.dealt"]
    table.void(1)
    assert counts == []
