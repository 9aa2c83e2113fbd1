"""A pit of running services, in which scenarios are played: what a step sends, and all facts that follow from it.

A step is over when the services are quiet: the cursor of each service has passed all that it reads about the scenario's
tables. When nothing follows from what a service took, it stores its cursor late. So the shoe and settlement are asked
about a table that nobody knows. Each answer is a fact, and with a fact the cursor is stored. Rules answer cards alone.
So they are waited for only after a card.
"""

import uuid
from collections.abc import Iterator
from typing import Final

from schemas.requests import BetCancel, CutCardScan
from schemas.streams import READS, Service
from services.floor.pit_client import START, Outgoing, PitClient, ReadFact, answer_time, outgoing, time_now
from services.floor.scenario.course import Course
from services.floor.scenario.matching import Heard, heard_fact, heard_reject
from services.floor.scenario.request_filling import Sending

_WAIT_MILLISECONDS: Final = 20
_RULES_MAY_ANSWER: Final = ("card.dealt", "card.opened", "card.found_face_up", "card.corrected", "table.released")


class RunningPit:
    """The pit, for one scenario after another."""

    def __init__(self, client: PitClient) -> None:
        self._client = client
        self._rejects_through = START
        self._unknown = f"nobody-{uuid.uuid4().hex}"
        self._answers = 0
        self._heard: list[Heard] = []
        self._sent: set[str] = set()
        # For each service and stream: the last entry that the service must have passed.
        self._wanted: dict[tuple[Service, str], str] = {}

    async def skip_past(self) -> None:
        """Hear only what is written from now on."""
        await self._client.skip_past()
        self._rejects_through = await self._client.last_id("rejects")

    async def play(self, course: Course) -> str | None:
        """Play a scenario and close its tables. Returns how it differs, or None."""
        try:
            await self._play(course, course.batches())
        finally:
            await self._play(course, course.endings())
        return course.difference

    async def _play(self, course: Course, batches: Iterator[Iterator[Sending]]) -> None:
        for batch in batches:
            last = "the first request"
            for sending in batch:
                entry = Outgoing(sending.stream, course.entry(sending, time_now()))
                (entry_id,) = await self._client.write(entry)
                self._want(sending.stream, entry_id)
                self._sent.add(f"{sending.stream}/{entry_id}")
                course.sent(sending, entry_id)
                last = sending.type
            async with answer_time(last):
                await self._until_quiet(course)
            heard, self._heard = self._heard, []
            course.hear(heard)

    def _want(self, stream: str, entry_id: str, *, but_not: Service | None = None) -> None:
        for service, streams in READS.items():
            if stream in streams and service != but_not:
                self._wanted[service, stream] = entry_id

    async def _until_quiet(self, course: Course) -> None:
        await self._ask()
        while True:
            behind = await self._behind()
            if not await self._hear(course) and not behind:
                return
            # Both answers are here, but a service has taken something without effect since: ask again.
            if self._answers >= len(_questions(self._unknown)) and behind - {"rules"}:
                await self._ask()

    async def _ask(self) -> None:
        self._answers = 0
        source = f"/scenario/{self._unknown}"
        questions = _questions(self._unknown)
        await self._client.write(*(outgoing(each, id=uuid.uuid4().hex, source=source) for each in questions))

    async def _behind(self) -> set[Service]:
        """The services that have not yet stored a cursor past all that they must have passed."""
        found: set[Service] = set()
        for service in READS:
            cursors = await self._client.cursors(service)
            for (name, stream), wanted in self._wanted.items():
                if name == service and _number(cursors[stream]) < _number(wanted):
                    found.add(service)
        return found

    async def _hear(self, course: Course) -> bool:
        """Take what was written since the last time. Returns whether any of it is about the scenario."""
        before = len(self._heard)
        for fact in await self._client.read(wait_milliseconds=_WAIT_MILLISECONDS):
            self._answers += fact.event.table == self._unknown
            if fact.event.table in course.tables:
                self._take(fact)
        for entry_id, fields in await self._client.entries_after("rejects", self._rejects_through):
            self._rejects_through = entry_id.decode()
            reject = heard_reject(self._rejects_through, fields)
            if reject.causation in self._sent:
                self._heard.append(reject)
        return len(self._heard) > before

    def _take(self, fact: ReadFact) -> None:
        entry = fact.entry
        self._heard.append(heard_fact(entry.stream, entry.entry_id, fact.fields))
        self._want(entry.stream, entry.entry_id, but_not=None if entry.type in _RULES_MAY_ANSWER else "rules")


def _questions(table: str) -> tuple[CutCardScan, BetCancel]:
    """A question for the shoe and one for settlement.

    Each goes to the stream that its service takes last. So the service has taken everything else before it answers.
    """
    return (
        CutCardScan(table=table, shoe_number=1, ordinal=1),
        BetCancel(table=table, shoe_number=1, round_number=1, bet_id="none", revision=0),
    )


def _number(entry_id: str) -> tuple[int, int]:
    milliseconds, _, count = entry_id.partition("-")
    return int(milliseconds), int(count)
