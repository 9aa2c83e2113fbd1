"""A virtual shoe: its burn, its rounds by calls, what is dropped, whole shoes to their end."""

from typing import Any

import pytest

from schemas import facts, requests
from schemas.cards import POINTS
from schemas.house_rules import SHIPPED_DIRECTORY, read_house_rules
from services.shoe.core import cards_wanted
from services.shoe.draw import draw
from tests.shoe.table import TABLE, Table, assert_counts_are_whole, house_rules, reason, types, unseen_of


def loaded(stacked: tuple[str, ...] = (), **fields: Any) -> Table:
    table = Table(house_rules(**fields), stacked)
    table.open()
    table.load()
    return table


# --- burns (articles 2 and 8) --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "turned", "burned", "burn_card"),
    [
        ({"burn": "none"}, (), 0, None),
        ({"burn": "deck_count", "decks": 2}, (), 2, None),
        ({"burn": "deck_count", "decks": 12}, (), 12, None),
        ({"burn": "fixed", "burn_fixed": 1}, (), 1, None),
        ({"burn": "fixed", "burn_fixed": 8}, (), 8, None),
        ({"burn": "first_card"}, ("AS",), 1, "AS"),
        ({"burn": "first_card"}, ("5D",), 5, "5D"),
        ({"burn": "first_card"}, ("9C",), 9, "9C"),
        ({"burn": "first_card"}, ("TH",), 10, "TH"),
        ({"burn": "first_card"}, ("KH",), 10, "KH"),
        ({"burn": "first_card", "burn_face_value": 0}, ("QH",), 1, "QH"),
        ({"burn": "first_card", "burn_face_value": 3}, ("JH",), 3, "JH"),
        ({"burn": "first_card", "burn_includes_indicator": False}, ("AS",), 2, "AS"),
        ({"burn": "first_card", "burn_includes_indicator": False}, ("9S",), 10, "9S"),
        ({"burn": "first_card", "burn_includes_indicator": False}, ("JS",), 11, "JS"),
        ({"burn": "first_card", "burn_includes_indicator": False, "burn_face_value": 0}, ("TS",), 1, "TS"),
    ],
)
def test_a_shoe_starts_with_the_burn_of_the_house(
    fields: dict[str, Any], turned: tuple[str, ...], burned: int, burn_card: str | None
) -> None:
    table = loaded((*turned, "2C", "2D", "2H", "2S"), **fields)
    decks = fields.get("decks", 1)
    (started,) = table.of(facts.ShoeStarted)
    assert (started.burned, started.burn_card) == (burned, burn_card)
    assert table.state.unseen == unseen_of(decks, *turned)
    (opened,) = table.open_round(1)
    assert isinstance(opened, facts.RoundOpened)
    assert opened.cards_left == 52 * decks - burned
    assert [fact.card_number for fact in of_cards(table.close_betting(1))] == [burned + n for n in (1, 2, 3, 4)]
    table.void(1)
    table.settle(1)
    table.end_shoe()
    ended = assert_counts_are_whole(table, decks)
    assert (ended.burned_seen, ended.burned_unseen) == (len(turned), burned - len(turned))


def of_cards(written: list[Any]) -> list[facts.CardDealt]:
    return [fact for fact in written if isinstance(fact, facts.CardDealt)]


@pytest.mark.parametrize(("standing", "asked", "burned"), [(0, 0, 0), (0, 3, 3), (2, 0, 2), (2, 3, 5)])
def test_a_round_burns_the_standing_count_and_what_is_asked(standing: int, asked: int, burned: int) -> None:
    table = loaded(burn_each_round=standing, cut_card_depth=16)
    (opened,) = table.open_round(1, burn=asked)
    assert isinstance(opened, facts.RoundOpened)
    assert (opened.burned, opened.cards_left) == (burned, 52 - burned)
    assert of_cards(table.close_betting(1))[0].card_number == burned + 1
    assert table.state.unseen == unseen_of(1, *[card.card or "" for card in of_cards(table.facts)])


def test_a_burn_may_leave_just_the_cards_of_one_round() -> None:
    table = loaded(burn_each_round=2, cut_card_depth=16)
    assert reason(table.open_round(1, burn=45)) == "out_of_range"
    (opened, cut_card) = table.open_round(1, burn=44)
    assert isinstance(opened, facts.RoundOpened)
    assert opened.cards_left == 6
    assert isinstance(cut_card, facts.CutCardReached)


@pytest.mark.parametrize("dealing", ["continuous_shuffler", "shuffle_every_round"])
def test_no_burn_is_asked_of_a_shuffler(dealing: str) -> None:
    table = loaded(dealing=dealing, cut_card_depth=0)
    assert reason(table.open_round(1, burn=1)) == "out_of_range"
    assert types(table.open_round(1)) == ["round.opened"]


# --- rounds --------------------------------------------------------------------------------------------------------


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
    assert table.void(1) == [facts.RoundVoided(table=TABLE, shoe_number=1, round_number=1, revision=0, reason="spilt")]
    assert table.close_betting(1) == []
    table.settle(1)
    table.open_round(2)
    assert of_cards(table.close_betting(2))[0].card_number == dealt + 1


# --- how many cards are drawn for an entry -------------------------------------------------------------------------


def test_cards_are_wanted_just_where_some_are_dealt() -> None:
    table = Table(house_rules(burn="first_card"))
    wanted: list[int] = []

    def spy(count: int) -> tuple[str, ...]:
        wanted.append(count)
        return draw(table.state.unseen, count)

    table.draw = spy  # type: ignore[method-assign]  # a spy
    table.open()
    table.load()
    table.load()
    table.open_round(1)
    table.close_betting(1)
    table.close_betting(1)
    table.call_draw(1, "player", 3)
    table.call_draw(1, "player", 4)
    table.decide_round(1, 5)
    table.settle(1)
    assert wanted == [0, 1, 0, 0, 4, 0, 0, 1, 0, 0]


def test_no_card_is_wanted_for_a_physical_shoe() -> None:
    table = Table(house_rules(burn="first_card"))
    table.open()
    load = requests.ShoeLoad(
        table=TABLE, operator="d", kind="physical", shoe_number=1, shuffled_by=None, cut_by=None, cut_at=None
    )
    assert cards_wanted(table.state, table.entry(load)) == 0
    table.take(load)
    table.open_round(1)
    assert types(table.close_betting(1)) == []


# --- whole shoes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "fields",
    [
        {"decks": 1},
        {"decks": 2, "burn": "first_card", "rounds_after_cut_card": 0},
        {"decks": 2, "burn": "first_card", "cut_card_first_counts": "last", "burn_includes_indicator": False},
        {"decks": 6, "burn": "deck_count", "burn_each_round": 1},
        {"decks": 8, "burn": "fixed", "burn_fixed": 8},
    ],
)
def test_a_whole_shoe_is_played_to_its_end(fields: dict[str, Any], seed: int) -> None:
    table = Table(house_rules(**fields), seed=seed)
    table.open()
    table.load()
    number = 0
    while not table.of(facts.ShoeEnded):
        number += 1
        table.play_round(number)
    ended = assert_counts_are_whole(table, fields["decks"])
    assert ended.reason == "cut_card"
    assert ended.rounds == number
    (reached,) = table.of(facts.CutCardReached)
    assert reached.last_round == number
    assert [opened.last_round for opened in table.of(facts.RoundOpened)][:-1] == [False] * (number - 1)
    assert [opened.cards_left for opened in table.of(facts.RoundOpened)][-1] >= 6
    assert table.state.unseen == (fields["decks"],) * 52


def test_the_next_shoe_is_played_from_all_cards_again() -> None:
    table = Table(house_rules(decks=1))
    table.open()
    for shoe in (1, 2, 3):
        table.load(number=shoe)
        number = 0
        while len(table.of(facts.ShoeEnded)) < shoe:
            number += 1
            table.play_round(number, shoe)
        assert_counts_are_whole(table)


@pytest.mark.parametrize("name", sorted(read_house_rules(SHIPPED_DIRECTORY)))
def test_every_shipped_rule_set_plays(name: str) -> None:
    table = Table(read_house_rules(SHIPPED_DIRECTORY)[name][0])
    table.open()
    table.load()
    for number in range(1, 100):
        table.play_round(number)
        if table.of(facts.ShoeEnded):
            break
    has_end = table.rules.dealing == "shoe"
    assert bool(table.of(facts.ShoeEnded)) == has_end
    if has_end:
        assert_counts_are_whole(table, table.rules.decks)
        assert number > 60


@pytest.mark.parametrize("dealing", ["continuous_shuffler", "shuffle_every_round"])
def test_a_shuffler_starts_each_round_from_all_cards(dealing: str) -> None:
    """Fifty rounds from one deck: the same card comes again in another round, never in the same one."""
    table = loaded(dealing=dealing, cut_card_depth=0)
    for number in range(1, 51):
        table.play_round(number)
        hands = table.hands(number)
        assert len(set(hands["player"] + hands["banker"])) == len(hands["player"] + hands["banker"])
    dealt = table.of(facts.CardDealt)
    assert len({card.card for card in dealt}) == 52
    assert [card.card_number for card in dealt] == list(range(1, len(dealt) + 1))
    assert {opened.cards_left for opened in table.of(facts.RoundOpened)} == {52}
    (ended,) = table.end_shoe()
    assert isinstance(ended, facts.ShoeEnded)
    assert (ended.rounds, ended.dealt, ended.left) == (50, len(dealt), 52)


def test_a_shoe_with_too_few_cards_for_a_round_ends_without_its_cut_card() -> None:
    """Burns asked for may eat the cards that the cut card kept for one more round."""
    table = loaded()
    table.play_round(1, burn=41, cards=6)
    (reached,) = table.of(facts.CutCardReached)
    assert reached.last_round == 2
    ended = assert_counts_are_whole(table)
    assert (ended.reason, ended.rounds, ended.left) == ("too_few_cards", 1, 5)


@pytest.mark.parametrize(("cards", "ends"), [(5, False), (6, True)])
def test_a_standing_burn_needs_its_cards_too(cards: int, ends: bool) -> None:
    """Two burned cards and six to play with: eight must be left."""
    table = loaded(burn_each_round=2, cut_card_depth=16)
    table.play_round(1, burn=37, cards=cards)
    assert bool(table.of(facts.ShoeEnded)) == ends


def test_points_in_the_facts_are_those_of_the_cards() -> None:
    table = loaded()
    table.play_round(1)
    assert all(card.points == POINTS[card.card] for card in table.of(facts.CardDealt))
