"""Nobody gets another card by breaking, killing, doubling or delaying: only the closed books decide."""

from typing import Any

import pytest

from schemas import facts
from schemas.events import Fact
from schemas.requests import BettingClose, CardOpen
from services.shoe.dealer import Dealer
from tests.keys import key_from
from tests.shoe.asking import hold, release
from tests.shoe.table import TABLE, Table, house_rules, types
from tests.shoe.virtual import loaded, of_cards
from tests.simulation.pit import Pit
from tests.simulation.test_pit import R, begin

TRIES = 30


def restarted(table: Table) -> None:
    """Another process of the shoe, which remembers nothing."""
    table.dealer = Dealer([key_from(table.seed)])


def pending(pit: Pit) -> list[Fact]:
    """What the shoe has decided and not written."""
    return pit.services["shoe"].decided


def test_whoever_breaks_every_commit_whose_first_card_is_no_nine_gets_the_same_card_for_ever() -> None:
    pit = Pit(seed=8)
    begin(pit)
    pit.run()
    pit.send("console", BettingClose(**R, wagers_through="0-0"))
    pit.take("settlement")
    pit.commit("settlement")
    seen: list[list[Any]] = []
    while len(seen) < TRIES and (not seen or str(seen[-1][0])[0] != "9"):
        pit.take("shoe")
        seen.append([fact.card for fact in of_cards(pending(pit))])
        pit.services["shoe"].load()  # the commit was broken: nothing is written, and all is loaded again
    assert len(seen) == TRIES
    assert seen == [seen[0]] * TRIES
    pit.run()
    (ended,) = [entry.event for entry in pit.events() if isinstance(entry.event, facts.RoundEnded)]
    assert [ended.player_cards[0], ended.banker_cards[0], ended.player_cards[1], ended.banker_cards[1]] == seen[0]


@pytest.mark.parametrize("replica", ["the same", "another"])
def test_every_card_of_a_round_is_the_same_at_each_try(replica: str) -> None:
    table = loaded()
    table.open_round(1)
    for event, through in (("close", 0), ("player", 4), ("banker", 5)):
        before = table.state
        written = table.close_betting(1) if event == "close" else table.call_draw(1, event, through)
        for _ in range(TRIES):
            table.state = before
            if replica == "another":
                restarted(table)
            assert table.take_entry(table.last_entry) == written


def test_a_hold_changes_no_card() -> None:
    straight, held = loaded(), loaded()
    for table in (straight, held):
        table.open_round(1)
    expected = [*of_cards(straight.close_betting(1)), *of_cards(straight.call_draw(1, "player", 4))]
    close = straight.entries - 2
    hold(held)
    held.entries = close  # the same close: its chain is the seed
    assert held.close_betting(1) == []
    held.entries = 90
    restarted(held)
    dealt = of_cards(release(held))
    hold(held)
    held.call_draw(1, "player", 4)
    assert [*dealt, *of_cards(release(held))] == expected


def six_cards(table: Table) -> list[str]:
    """The six cards of round 1, whatever article 9 says."""
    cards = of_cards(table.close_betting(1))
    cards += of_cards(table.call_draw(1, "player", 4))
    cards += of_cards(table.call_draw(1, "banker", 5))
    return [str(card.card) for card in cards]


def test_the_cards_behind_a_close_that_is_lost_are_others_behind_the_next() -> None:
    """A failover has lost the close, and other books are closed. Nobody can know the cards before his close."""
    differ = 0
    for seed in range(20):
        table = Table(house_rules(decks=8), seed=seed)
        table.open()
        table.load()
        table.open_round(1)
        before = table.state
        first = six_cards(table)
        table.state = before
        restarted(table)
        second = six_cards(table)
        assert len(first) == len(second) == 6
        differ += first != second
    assert differ >= 15


# --- a second seed for a round that was dealt -------------------------------------------------------------------------


@pytest.mark.parametrize("through", ["close", "call", "release"])
def test_a_round_that_was_dealt_from_another_seed_is_void(through: str) -> None:
    table = loaded()
    table.open_round(1)
    before = table.state
    first = of_cards(table.close_betting(1))
    table.state = before
    match through:
        case "close":
            written = table.close_betting(1)
        case "call":
            # Another replica dealt the round from the second close. Then this one has it again.
            this, table.dealer = table.dealer, Dealer([key_from(0)])
            assert of_cards(table.close_betting(1)) != first
            table.dealer = this
            written = table.call_draw(1, "player", 4)
        case _:
            hold(table)
            assert table.close_betting(1) == []
            written = release(table)[1:]
    (voided,) = written
    assert isinstance(voided, facts.RoundVoided)
    assert (voided.reason, voided.revision, voided.key is None) == ("history_lost", 0, False)
    assert table.settle(1) == []
    assert types(table.open_round(2)) == ["round.opened"]
    assert len(of_cards(table.close_betting(2))) == 4


def test_a_demonstration_of_which_another_request_was_dealt_is_void() -> None:
    table = loaded(demonstration_rounds=2)
    before = table.state
    assert types(table.open_round(1, demonstration=True)) == ["round.opened", *["card.dealt"] * 4]
    table.state = before
    assert types(table.open_round(1, demonstration=True)) == ["round.opened", "round.voided"]


def test_cards_are_opened_in_any_order_as_they_were_dealt() -> None:
    held, shown = loaded(holding=True), loaded()
    for table in (held, shown):
        table.open_round(1)
    held.close_betting(1)
    dealt = {(card.side, card.position): card.card for card in of_cards(shown.close_betting(1))}
    for side, position in (("banker", 1), ("player", 2), ("banker", 2), ("player", 1)):
        about: dict[str, Any] = {"side": side, "position": position, "shoe_number": 1, "round_number": 1}
        (opened,) = held.take(CardOpen(table=TABLE, operator="d", **about))
        assert isinstance(opened, facts.CardOpened)
        assert opened.card == dealt[opened.side, position]
    assert held.state.unseen == shown.state.unseen


def test_what_lay_face_down_in_a_void_round_has_left_the_shoe() -> None:
    held, shown = loaded(holding=True), loaded()
    for table in (held, shown):
        table.open_round(1)
        table.close_betting(1)
    assert sum(held.state.unseen) == 52
    assert sum(shown.state.unseen) == 48
    for table in (held, shown):
        table.void(1)
        table.settle(1)
    assert held.state.unseen == shown.state.unseen


def test_a_demonstration_that_is_refused_leaves_no_seed_behind() -> None:
    table = loaded(demonstration_rounds=1)
    assert types(table.open_round(1, demonstration=True, burn=99)) == ["request.refused"]
    table.open_round(1)
    assert len(of_cards(table.close_betting(1))) == 4


def test_a_replica_remembers_the_last_round_of_each_table_only() -> None:
    table = loaded()
    for number in range(1, 6):
        table.play_round(number)
    assert len(table.dealer._dealt) == 1
