"""Tables after some facts, and what is seen of them: the lines of a picture, without colours."""

import io

from rich.console import Console, RenderableType

from schemas.events import Event
from services.floor.books_of_table import Books, books_after
from services.floor.play_of_table import Play, play_after
from services.floor.view.latencies import Latency
from services.floor.view.screen import Scene, screen
from tests.floor import made

ADDRESSES = (
    "redis=redis://floor:0123456789abcdef0123456789abcdef@127.0.0.1:45887/0 metrics=http://127.0.0.1:41727/metrics,"
    "http://127.0.0.1:41313/metrics,http://127.0.0.1:58115/metrics pit=demo"
)
LATENCIES = {"card_to_call": Latency(9, 0.000166, 0.00271)}

BETTING = (
    made.table_opened(),
    made.shoe_started(),
    made.round_opened(1),
    made.bet_accepted(1, "a", "banker", 1_234_550),
)
CALLED = (
    *BETTING,
    made.betting_closed(1, {"banker": 1_234_550}),
    made.card_dealt(1, 2, "player", "TH"),
    made.card_dealt(1, 3, "banker", "7C"),
    made.card_dealt(1, 4, "player", "KS"),
    made.card_dealt(1, 5, "banker", "TD"),
    made.draw_called(1, "player"),
)
SETTLED = (
    *CALLED,
    made.round_ended(1),
    made.bets_settled(1, made.settled_bet("a", "banker", 1_234_550, 0, outcome="lost")),
    made.round_settled(1, house_minor=1_234_550),
)


def table_of(*events: Event) -> tuple[Play, Books]:
    play, books = Play(table=made.TABLE), Books(table=made.TABLE)
    for event in events:
        play, books = play_after(play, event), books_after(books, event)
    return play, books


def lines_of(picture: RenderableType, *, width: int = 100, height: int = 34) -> list[str]:
    output = Console(file=io.StringIO(), width=width, height=height, force_terminal=False, color_system=None)
    with output.capture() as captured:
        output.print(picture)
    return captured.get().splitlines()


def cells(line: str) -> str:
    """A line with a character for each of its cells: the two signs of the sides take two."""
    return line.replace("閒", "閒_").replace("莊", "莊_")


def scene_of(*tables: tuple[Play, Books], restarts: dict[str, int] | None = None) -> Scene:
    return Scene(addresses=ADDRESSES, tables=tables, latencies=LATENCIES, restarts=restarts or {})


def drawn(scene: Scene, *, width: int = 110, height: int = 34) -> list[str]:
    return lines_of(screen(scene, width=width, height=height), width=width, height=height)
