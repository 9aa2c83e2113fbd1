"""In the place of the client that a heartbeat uses."""

from collections.abc import Callable
from typing import Any

from services.runtime.metrics import REGISTRY


def owned() -> float:
    """How many pits this process has loaded."""
    return sum(
        sample.value
        for family in REGISTRY.collect()
        for sample in family.samples
        if sample.name == "baccarat_pits_owned"
    )


class Beats:
    """In the place of the client that the heartbeat uses: for each pit the replicas that it sees, or an error."""

    def __init__(self) -> None:
        self.answer: Callable[[str, str], Any] = lambda me, pit: [me.encode()]
        self.words: list[tuple[str, str]] = []
        self.count = 0
        self._sent: list[tuple[str, str, str]] = []

    def pipeline(self, transaction: bool) -> "Beats":
        """As redis-py's."""
        assert not transaction
        self._sent = []
        return self

    def execute_command(self, *command: Any) -> None:
        """One beat for one pit."""
        _, _, _, key, replica, word = command
        pit = key.partition("{")[2].partition("}")[0]
        self.words.append((pit, word))
        self._sent.append((replica, pit, word))

    async def execute(self, raise_on_error: bool) -> list[Any]:
        """The answers."""
        assert not raise_on_error
        self.count += 1
        return [_without(self.answer(replica, pit), replica, word) for replica, pit, word in self._sent]


def _without(replicas: Any, replica: str, word: str) -> Any:
    """As the server answers who leaves."""
    return [name for name in replicas if name != replica.encode()] if word == "leave" else replicas
