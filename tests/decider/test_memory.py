"""The memory of requests: who was answered, where, and when that is forgotten."""

from schemas.codec import Entry
from schemas.facts import RequestRepeated
from schemas.requests import TableClose
from services.decider.memory import RequestMemory, Seen, repeated

SLOTS = 4


def entry(identity: str, digest: str = "said") -> Entry:
    """A request of this identity."""
    event = TableClose(table="t", operator="d")
    return Entry("console", "9-0", "/test", identity, event.type, event, identity=identity, digest=digest)


def answered(count: int, memory: RequestMemory | None = None) -> RequestMemory:
    """A memory that has seen so many requests, named by their numbers."""
    memory = memory or RequestMemory()
    for number in range(count):
        memory = memory.with_answered(Seen(str(number), "said", f"console/{number}-0", number), number, SLOTS)
    return memory


def test_the_last_requests_are_known_and_no_more() -> None:
    memory = answered(6)
    assert [bool(memory.first_copy(entry(str(number)))) for number in range(6)] == [False] * 2 + [True] * 4


def test_a_copy_is_told_its_first() -> None:
    first = answered(1).first_copy(entry("0"))
    assert first is not None
    fact = repeated(entry("0"), first)
    assert fact == RequestRepeated(table="t", request_id="0", request_type="table.close", first="console/0-0")


def test_the_same_identity_that_says_something_else_is_no_copy() -> None:
    first = answered(1).first_copy(entry("0", "something else"))
    assert first is not None
    assert repeated(entry("0", "something else"), first) is None


def test_what_was_kept_before_is_forgotten() -> None:
    memory = answered(3).since(2)
    assert [bool(memory.first_copy(entry(str(number)))) for number in range(3)] == [False, False, True]


def test_a_memory_that_is_loaded_again_knows_the_same_requests() -> None:
    memory = answered(6)
    again = RequestMemory(dict(reversed(list(memory.items()))))
    assert [again.first_copy(entry(str(number))) for number in range(6)] == [
        memory.first_copy(entry(str(number))) for number in range(6)
    ]
