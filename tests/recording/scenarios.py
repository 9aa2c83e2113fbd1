"""All scenario files, several at a time, each at a table of its own of one pit."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from schemas.house_rules import SHIPPED_DIRECTORY
from services.floor.scenario.course import Course
from services.floor.scenario.file_format import Scenario, read_scenario
from services.floor.scenario.own_house_rules import house_name, write_house_file
from tests.recording.recorder import Recorder
from tests.recording.store import Part
from tests.scenarios.files import FILES
from tests.scenarios.memory import heard_since
from tests.simulation.pit import TIME, house

AT_A_TIME: Final = 5


def play_scenarios(seed: int) -> Part:
    """What the files ask, and what they expect is held against it."""
    scenarios = [scenario for scenario in map(read_scenario, FILES) if not scenario.refused]
    with tempfile.TemporaryDirectory() as directory:
        for scenario in scenarios:
            if scenario.house_rules is not None:
                write_house_file(scenario, Path(directory), (SHIPPED_DIRECTORY,))
        rules = house(Path(directory))
    recorder = Recorder("scenarios", rules, seed)
    waiting = [_play(recorder, scenario) for scenario in scenarios]
    playing: list[Iterator[None]] = []
    while waiting or playing:
        while waiting and len(playing) < AT_A_TIME:
            playing.append(waiting.pop(0))
        course = recorder.random.choice(playing)
        if next(course, StopIteration) is StopIteration:
            playing.remove(course)
    return recorder.part


def _play(recorder: Recorder, scenario: Scenario) -> Iterator[None]:
    """One scenario, batch by batch."""
    name = house_name(scenario)
    course = Course(scenario, name, recorder.part.house[name][0], suffix=f"-{scenario.path.stem}")
    for batches in (course.batches(), course.endings()):
        for batch in batches:
            start = len(recorder.pit.order)
            for sending in batch:
                place = recorder.write(sending.stream, course.entry(sending, TIME))
                course.sent(sending, place.partition("/")[2])
            recorder.run()
            heard = heard_since(recorder.pit, start)
            course.hear([fact for fact in heard if fact.table in ("", *course.tables)])
            yield
    assert course.difference is None, course.difference
