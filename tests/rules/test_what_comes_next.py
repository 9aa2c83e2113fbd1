"""The table in the core's docstring says what the code does: what comes next after each fact of a round."""

import random
import re
from typing import Any, Final, cast, get_args

import pytest

from schemas.cards import CARDS, Side
from schemas.codec import Entry
from schemas.events import Fact
from schemas.facts import RoundVoided
from services.rules import core
from services.rules.core import State, decide, evolve
from services.rules.hands import Expected
from tests.rules.drive import TABLE, a_decision, card_opened, corrected, dealt, ended, opened, voided

Step = tuple[str, str, str]  # a fact's type, what was expected before it and what is after it
ANY: Final = set(get_args(Expected))
COURSES: Final = 400
CORRECTED: Final = "card.corrected"


def documented() -> set[Step]:
    """The docstring's table."""
    steps: set[Step] = set()
    for event_type, clauses in re.findall(r"^    (\w+\.\w+) +(.*→.*)$", str(core.__doc__), re.MULTILINE):
        for clause in clauses.split("; "):
            before, after = clause.split(" → ")
            steps |= {(event_type, one, other) for one in named(before) for other in named(after)}
    return steps


def named(words: str) -> set[str]:
    """`any`, `any but round` or values with commas between."""
    if words == "any":
        return ANY
    if words.startswith("any but "):
        return ANY - {words.removeprefix("any but ")}
    assert set(words.split(", ")) <= ANY, words
    return set(words.split(", "))


class Course:
    """One round by chance: cards are dealt open or face down, opened early or late, and corrected if it is so asked."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.state = State(table=TABLE)
        self.steps: list[Step] = []
        self.states: dict[str, State] = {}
        self.face_down: dict[tuple[str, int], str] = {}
        self.last_call: Any = None

    def take(self, fact: Any) -> None:
        """What the runtime does with a fact of the shoe's, with a look at each state on the way."""
        self.evolve(fact)
        for call in decide(self.state, Entry("cards", "1-0", "s", "x", fact.type, fact)):
            self.evolve(call)
            self.last_call = call

    def evolve(self, fact: Any) -> None:
        before = self.state.round.expects
        self.state = evolve(self.state, fact)
        self.steps.append((fact.type, before, self.state.round.expects))
        self.states.setdefault(self.state.round.expects, self.state)

    def play(self) -> None:
        """From the opening to the end."""
        cards, holding = self.random.sample(CARDS, 6), self.random.random() < 0.5
        self.take(opened())
        while self.state.round.expects != "end":
            expects = self.state.round.expects
            if self.face_down and (expects == "open" or self.random.random() < 0.2):
                side, position = self.random.choice(list(self.face_down))
                self.take(card_opened(side, position, self.face_down.pop((side, position))))
                continue
            position, card = self.state.round.next_position(cast(Side, expects)), cards.pop()
            hidden = holding and self.random.random() < 0.9
            if hidden:
                self.face_down[expects, position] = card
            self.take(dealt(expects, position, None if hidden else card))
        self.take(ended(self.last_call))

    def correct(self) -> None:
        """Cards of the round are told anew, in any hand or in none."""
        for _ in range(8):
            over = self.state.round.expects == "round"
            number, side = self.random.randint(21, 27), self.random.choice(["player", "banker", None])
            position = self.random.randint(1, 3) if side else None
            card = self.random.choice([*CARDS[:9], None]) if side else None
            self.take(corrected(number, side, position, card, revision=self.state.round.revision + over))


@pytest.fixture(scope="module")
def courses() -> list[Course]:
    """Rounds without a correction."""
    found = [Course(seed) for seed in range(COURSES)]
    for course in found:
        course.play()
    return found


@pytest.fixture(scope="module")
def corrections() -> list[Course]:
    """The steps that rounds take when they are corrected after their end."""
    found = [Course(seed) for seed in range(COURSES)]
    for course in found:
        course.play()
        course.steps.clear()
        course.correct()
    return found


@pytest.fixture
def states(courses: list[Course], corrections: list[Course]) -> dict[str, State]:
    """A state for each value of `expects`, of a round without a correction if there is one."""
    found: dict[str, State] = {}
    for course in (*courses, *corrections):
        found = course.states | found
    assert set(found) == ANY
    return found


def test_a_round_takes_every_step_of_the_table_and_no_other(courses: list[Course]) -> None:
    taken = {step for course in courses for step in course.steps}
    assert taken == {step for step in documented() if step[0] not in (CORRECTED, RoundVoided.type)}


def test_a_correction_leads_where_the_table_says(corrections: list[Course]) -> None:
    taken = {step for course in corrections for step in course.steps if step[0] == CORRECTED}
    said = {step for step in documented() if step[0] == CORRECTED}
    assert taken <= said
    assert {after for _, _, after in taken} == {after for _, _, after in said}


@pytest.mark.parametrize("expects", sorted(ANY))
def test_a_round_can_be_corrected_wherever_the_table_says(states: dict[str, State], expects: str) -> None:
    state = states[expects]
    after = evolve(state, corrected(29, revision=state.round.revision + (expects == "round")))
    assert (CORRECTED, expects, after.round.expects) in documented()


@pytest.mark.parametrize("expects", sorted(ANY))
def test_a_round_can_be_void_only_where_the_table_says(states: dict[str, State], expects: str) -> None:
    if (RoundVoided.type, expects, "round") in documented():
        assert evolve(states[expects], voided()).round.expects == "round"
    else:
        with pytest.raises(AssertionError, match="after its end"):
            evolve(states[expects], voided())


@pytest.mark.parametrize(
    "fact", [opened(round_number=8), dealt("player", 1, "2C"), ended(a_decision())], ids=lambda fact: fact.type
)
@pytest.mark.parametrize("expects", sorted(ANY))
def test_a_fact_of_the_shoe_is_an_assertion_where_the_table_does_not_have_it(
    states: dict[str, State], expects: str, fact: Any
) -> None:
    if expects not in {before for event_type, before, _ in documented() if event_type == fact.type}:
        with pytest.raises(AssertionError):
            evolve(states[expects], fact)


def test_a_fact_that_nobody_knows_is_an_assertion() -> None:
    class CardEaten(Fact, frozen=True, kw_only=True):
        type = "card.eaten"

    with pytest.raises(AssertionError, match="CardEaten"):
        evolve(State(table=TABLE), cast(Any, CardEaten(table=TABLE)))
