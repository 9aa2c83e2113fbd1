"""The stage shows facts one after the other, at the pace of a real table, though they come within milliseconds."""

import itertools
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from schemas import facts
from schemas.codec import Entry
from schemas.events import Event
from services.floor.books_of_table import Books, books_after
from services.floor.play_of_table import Play, play_after

# The services deal a round in a few milliseconds. On the felt each of these takes its time.
PAUSES_SECONDS: Final[dict[type[Event], float]] = {
    facts.BettingClosed: 0.5,
    facts.CardDealt: 0.55,
    facts.DrawCalled: 0.7,
    facts.RoundDecided: 0.5,
    facts.RoundEnded: 0.4,
}


class StagedTable(msgspec.Struct):
    """One table as it is shown, the facts that wait, and the time at which the next of them may be shown."""

    play: Play
    books: Books
    waiting: deque[tuple[str, Event]] = msgspec.field(default_factory=deque)
    next_at_seconds: float = 0.0

    def show_next(self) -> Event:
        """Show the fact that has waited longest."""
        stream, event = self.waiting.popleft()
        if stream == "bets":
            self.books = books_after(self.books, event)
        else:
            self.play = play_after(self.play, event)
        return event

    @property
    def must_hurry(self) -> bool:
        """Whether the next round is open already. What is left of this one is then shown at once."""
        return any(isinstance(event, facts.RoundOpened) for _, event in itertools.islice(self.waiting, 1, None))


class Stage:
    """All tables of a pit as they are shown. The caller may use any clock, but only one."""

    def __init__(self) -> None:
        self._tables: dict[str, StagedTable] = {}

    @property
    def tables(self) -> Sequence[tuple[Play, Books]]:
        """The open tables as they are shown now, in the order of their first facts."""
        return [(table.play, table.books) for table in self._tables.values() if table.play.is_open]

    def put(self, entries: Iterable[Entry]) -> None:
        """New facts, in the order in which they are to be shown."""
        for entry in entries:
            name = entry.event.table
            if name not in self._tables:
                self._tables[name] = StagedTable(Play(table=name), Books(table=name))
            self._tables[name].waiting.append((entry.stream, entry.event))

    def skip(self) -> None:
        """Show at once all that waits."""
        for table in self._tables.values():
            while table.waiting:
                table.show_next()

    def advance(self, now_seconds: float) -> list[tuple[Play, Books]]:
        """Show what is due now. Returns the tables at which a round was settled by that."""
        settled = []
        for table in self._tables.values():
            while table.waiting and (now_seconds >= table.next_at_seconds or table.must_hurry):
                event = table.show_next()
                table.next_at_seconds = now_seconds + PAUSES_SECONDS.get(type(event), 0.0)
                if event is table.books.settled:
                    settled.append((table.play, table.books))
        return settled
