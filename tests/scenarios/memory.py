"""Scenarios on a pit in memory."""

from pathlib import Path

from schemas.codec import named
from schemas.house_rules import SHIPPED_DIRECTORY
from services.floor.scenario.course import Course
from services.floor.scenario.file_format import Scenario
from services.floor.scenario.matching import Heard, heard_fact, heard_reject
from services.floor.scenario.own_house_rules import house_name, write_house_file
from tests.simulation.pit import TIME, Pit, house


def play(scenario: Scenario, directory: Path, *, seed: int | None = None) -> str | None:
    """How a scenario differs when it is played in memory, or None."""
    rules = house()
    if scenario.house_rules is not None:
        write_house_file(scenario, directory, (SHIPPED_DIRECTORY,))
        rules = house(directory)
    name = house_name(scenario)
    pit = Pit(rules, seed=seed)
    course = Course(scenario, name, rules[name][0])
    for batch in course.batches():
        start = len(pit.order)
        for sending in batch:
            place = pit.write(sending.stream, course.entry(sending, TIME))
            course.sent(sending, place.partition("/")[2])
        pit.run()
        course.hear([heard for heard in heard_since(pit, start) if heard.table in ("", *course.tables)])
    return course.difference


def heard_since(pit: Pit, start: int) -> list[Heard]:
    """The facts and rejects written since then, in that order."""
    heard = []
    for stream, index in pit.order[start:]:
        entry_id, pairs = pit.streams[stream][index]
        fields = {name.encode(): value for name, value in named(pairs).items()}
        if stream == "rejects":
            heard.append(heard_reject(entry_id, fields))
        elif stream in ("cards", "calls", "bets"):
            heard.append(heard_fact(stream, entry_id, fields))
    return heard
