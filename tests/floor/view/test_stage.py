"""The stage: facts that came within milliseconds are shown one after the other."""

from msgspec.structs import replace

from schemas import facts
from schemas.codec import Entry
from schemas.events import Event
from services.floor.view.stage import Stage
from tests.floor import made


def entries(stream: str, *events: Event) -> list[Entry]:
    return [
        Entry(stream=stream, entry_id=f"{number}-0", source="", id="", type=event.type, event=event)
        for number, event in enumerate(events)
    ]


START = entries("cards", made.table_opened(), made.shoe_started(), made.round_opened(1))
CARDS = entries("cards", made.card_dealt(1, 2, "player", "8H"), made.card_dealt(1, 3, "banker", "7C"))


def names_of(stage: Stage) -> list[str]:
    return [play.table for play, _ in stage.tables]


def test_a_card_waits_for_the_one_before_it() -> None:
    stage = Stage()
    stage.put([*START, *CARDS])
    for now_seconds, hands in ((100.0, (("8H",), ())), (100.5, (("8H",), ())), (100.6, (("8H",), ("7C",)))):
        stage.advance(now_seconds)
        play, _ = stage.tables[0]
        assert (play.player, play.banker) == hands


def test_tables_do_not_wait_for_one_another() -> None:
    stage = Stage()
    stage.put([*START, *CARDS, *entries("cards", made.table_opened("sjm-1", "macau-sjm"))])
    stage.advance(100.0)
    assert names_of(stage) == ["macau-1", "sjm-1"]


def test_a_round_that_is_over_holds_no_new_one_up() -> None:
    stage = Stage()
    stage.put([*START, *CARDS, *entries("cards", made.round_ended(1), made.round_opened(2))])
    stage.advance(100.0)
    assert stage.tables[0][0].result == "player"
    stage.advance(101.0)
    assert stage.tables[0][0].round == (1, 2)


def test_the_past_is_shown_at_once() -> None:
    stage = Stage()
    stage.put([*START, *CARDS])
    stage.skip()
    assert stage.tables[0][0].banker == ("7C",)


def test_a_settled_round_is_told_once() -> None:
    stage = Stage()
    stage.put([*START, *entries("bets", made.round_settled(1))])
    assert [books.rounds for _, books in stage.advance(100.0)] == [1]
    assert stage.advance(200.0) == []


def test_a_correction_of_a_round_long_over_is_not_told_as_the_present_one() -> None:
    stage = Stage()
    rounds = [made.round_settled(1), made.round_settled(2), made.round_settled(1, revision=1)]
    stage.put([*START, *entries("bets", *rounds)])
    told = [books.settled for _, books in stage.advance(100.0)]
    assert [settled.round_number for settled in told if settled] == [1, 2]


def test_any_table_of_the_pit_is_shown_while_it_is_open() -> None:
    stage = Stage()
    any_table = replace(made.table_opened(), table="annexe-7")
    stage.put([*START, *entries("cards", any_table)])
    stage.advance(100.0)
    assert names_of(stage) == ["macau-1", "annexe-7"]
    stage.put(entries("cards", facts.TableClosed(table="macau-1", reason="end of day")))
    stage.advance(200.0)
    assert names_of(stage) == ["annexe-7"]


def test_a_table_that_was_never_opened_is_not_shown() -> None:
    stage = Stage()
    refused = facts.RequestRefused(
        table="nobody", request_id="1", request_type="round.open", reason="unknown_table", detail=""
    )
    stage.put(entries("cards", refused))
    stage.advance(100.0)
    assert stage.tables == []
