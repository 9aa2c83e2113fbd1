"""The stage: facts that came within milliseconds are shown one after the other."""

from msgspec.structs import replace

from schemas.codec import Entry
from schemas.events import Event
from services.floor.play_and_books import Play
from services.floor.view.live import Stage
from tests.floor import made


def entries(stream: str, *events: Event) -> list[Entry]:
    return [
        Entry(stream=stream, entry_id=f"{number}-0", source="", id="", type=event.type, event=event)
        for number, event in enumerate(events)
    ]


START = entries("cards", made.table_opened(), made.shoe_started(), made.round_opened(1))
CARDS = entries("cards", made.card_dealt(1, 2, "player", "8H"), made.card_dealt(1, 3, "banker", "7C"))


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
    assert stage.tables[1][0].is_open


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


def test_other_tables_of_the_pit_are_passed_over() -> None:
    stage = Stage()
    stage.put(entries("cards", replace(made.shoe_ended(), table="another")))
    stage.advance(100.0)
    assert [play for play, _ in stage.tables] == [Play(table=name) for name in ("macau-1", "sjm-1", "online-1")]
