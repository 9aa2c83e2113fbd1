"""A physical shoe beyond a round: its burned cards, a shuffler, whole shoes, and what no fact may show."""

from schemas import facts
from schemas.cards import CARDS
from schemas.events import Fact
from tests.shoe.physical import DECK, betting, loaded, the_misdeal
from tests.shoe.table import assert_counts_are_whole, reason, types, unseen_of

# --- burned cards -----------------------------------------------------------------------------------------------------


def test_burned_cards_are_noted_and_their_absence_is_no_gap() -> None:
    table = betting(burn=3)
    assert table.scan(2, "2C") == []
    table.close_betting(1)
    assert types(table.scan(4, "4C")) == ["card.dealt"]
    assert table.scan(1, "AC") == []
    assert types(table.scan(2, "2C")) == ["request.repeated"]
    assert types(table.scan(5, "5C")) == ["card.dealt"]
    assert table.state.unseen == unseen_of(1, "AC", "2C", "4C", "5C")
    table.void(1)
    table.settle(1)
    table.end_shoe()
    ended = assert_counts_are_whole(table)
    assert (ended.burned_seen, ended.burned_unseen, ended.dealt, ended.left) == (2, 1, 2, 47)


def test_a_burned_card_that_could_not_be_read_holds_nothing_back() -> None:
    table = betting(burn=1)
    table.close_betting(1)
    assert types(table.scan(1, None)) == ["scan.missed"]
    assert types(table.scan(1, None)) == ["request.repeated"]
    assert types(table.scan(2, "2C")) == ["card.dealt"]
    assert table.scan(1, "AC") == []
    assert table.state.unseen == unseen_of(1, "AC", "2C")


def test_another_card_at_a_burned_ordinal_is_a_misdeal() -> None:
    table = betting(burn=1)
    table.scan(1, "AC")
    assert the_misdeal(table.scan(1, "KS")).reason == "other_card"


def test_a_burned_card_seen_while_a_misdeal_waits_is_counted_as_burned() -> None:
    table = betting(burn=2)
    table.scan(5, "5C")
    assert the_misdeal(table.scan(1, "AC")).reason == "awaiting_console"
    table.void(1)
    table.settle(1)
    table.end_shoe()
    ended = assert_counts_are_whole(table)
    assert (ended.burned_seen, ended.burned_unseen, ended.surplus, ended.left) == (1, 1, 3, 47)


def test_a_standing_burn_counts_ordinals_too() -> None:
    table = betting(burn=1, burn_each_round=2, cut_card_depth=16)
    (opened,) = table.of(facts.RoundOpened)
    assert (opened.burned, opened.cards_left) == (3, 49)
    table.close_betting(1)
    assert types(table.scan(4, "4C")) == ["card.dealt"]


# --- shufflers --------------------------------------------------------------------------------------------------------


def test_a_physical_shufflers_ordinals_go_on_and_each_round_may_show_every_card_again() -> None:
    table = loaded(dealing="continuous_shuffler", cut_card_depth=0)
    for number in range(1, 31):
        first = 4 * number - 3
        table.open_round(number)
        table.close_betting(number)
        assert types(table.scan_all(first, "AC", "2C", "3C", "4C")) == ["card.dealt"] * 4
        assert types(table.scan(first + 3, "4C")) == ["request.repeated"]
        if number > 1:
            assert reason(table.scan(first - 1, "4C")) == "expired"
        table.decide_round(number, 4)
        table.settle(number)
    shoe = table.state.shoe
    assert shoe is not None
    assert shoe.next_ordinal == 121
    assert len(shoe.faces) == 8
    (ended,) = table.end_shoe()
    assert isinstance(ended, facts.ShoeEnded)
    assert (ended.dealt, ended.left) == (120, 52)


# --- whole shoes and secrecy ------------------------------------------------------------------------------------------


def test_a_whole_physical_shoe_counts_every_card_once() -> None:
    """Five cards a round, each fifth round void with a card in no hand, the second last card of the shoe is seen."""
    table = loaded(burned=2, decks=2, cut_card_depth=14)
    ordinal, number, pack = 3, 0, DECK[2:] + DECK
    cards = dict(enumerate(pack, 3))
    while not table.of(facts.ShoeEnded):
        number += 1
        table.open_round(number)
        table.close_betting(number)
        table.scan_all(ordinal, *(cards[ordinal + index] for index in range(4)))
        if number % 5 == 0:
            table.scan(ordinal + 4, cards[ordinal + 4])
            table.void(number)
        else:
            table.call_draw(number, "banker", 4)
            table.scan(ordinal + 4, cards[ordinal + 4])
            table.decide_round(number, 5)
        ordinal += 5
        table.settle(number)
    ended = assert_counts_are_whole(table, 2)
    assert (ended.rounds, ended.dealt, ended.surplus, ended.burned_unseen, ended.left) == (20, 96, 4, 2, 2)
    assert ended.reason == "too_few_cards"


def test_the_face_of_a_card_that_is_not_dealt_is_in_no_fact() -> None:
    """Four cards of clubs are dealt; spades are scanned where they cannot be."""
    table = betting(burn=1)
    table.scan(1, "KS")  # burned
    table.scan_all(2, "AC", "2C", "3C", "4C", "QS", "JS")
    table.close_betting(1)
    table.scan(8, "AC")  # impossible
    table.decide_round(1, 4)  # QS and JS are surplus
    table.scan(9, "TS")  # no round is open
    table.settle(1)
    table.open_round(2)
    table.scan(12, "9S")  # a gap
    table.scan(13, "8S")  # awaiting the console
    table.scan(1, "7S")  # expired
    table.void(2)
    shown = {card for card in CARDS for fact in table.facts if f"'{card}'" in repr(fact) and not is_decision(fact)}
    assert shown == {"AC", "2C", "3C", "4C"}


def is_decision(fact: Fact) -> bool:
    """The test's own decision names cards of its own."""
    return isinstance(fact, facts.RoundEnded)
