"""What keeps a pit from being served, in the words of the metric `baccarat_pits_stopped`."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from redis import exceptions

# entry: an entry that the service cannot pass. loading: it takes too long. own_error: a fault of this project.
Failure = Literal[
    "entry",
    "loading",
    "conflict",
    "newer_records",
    "state_lost",
    "history_lost",
    "too_large",
    "no_permission",
    "no_functions",
    "moved",
    "wrong_type",
    "unreachable",
    "server_error",
    "own_error",
]
FAILURES: Final[tuple[Failure, ...]] = get_args(Failure)


class Conflict(Exception):
    """The commit was refused: another process has committed, or the history is another one. Nothing was written."""


@dataclass
class Impassable(Exception):
    """The pit cannot go past this entry: our bug, a newer writer or a damaged stream. Never skipped, never repeated.

    `table`: the one to set aside; empty where that would not help.
    """

    place: str
    table: str
    cause: str

    def __str__(self) -> str:
        return f"{self.cause} at {self.place} (table {self.table!r})"


class NewerRecords(Exception):
    """The records were written by newer code: this replica must not take the pit."""


class StateLost(Exception):
    """The records are not those of the cursor: the state hash was deleted, evicted or written by somebody else."""


class HistoryLost(Exception):
    """The own stream does not end with the fact that the cursor names last."""


class ReplyTooLarge(Exception):
    """What was read has more bytes than this process is willing to hold; the connection is of no more use."""


def failure_of(error: Exception) -> Failure:
    """The word for what went wrong."""
    match error:
        case Conflict():
            return "conflict"
        case NewerRecords():
            return "newer_records"
        case StateLost():
            return "state_lost"
        case HistoryLost():
            return "history_lost"
        case ReplyTooLarge():
            return "too_large"
        case exceptions.NoPermissionError() | exceptions.AuthenticationError():
            return "no_permission"
        case exceptions.MovedError() | exceptions.AskError() | exceptions.ClusterDownError():
            return "moved"
        case exceptions.ConnectionError() | exceptions.TimeoutError() | OSError():
            return "unreachable"
        case exceptions.ResponseError():
            return _failure_of_reply(str(error))
        case _:
            return "own_error"


def _failure_of_reply(text: str) -> Failure:
    # The function library says these in the words of the server, which redis-py then does not tell apart.
    if text.startswith("MOVED"):
        return "moved"
    if "NOPERM" in text or "no permission" in text.lower():
        return "no_permission"
    if "WRONGTYPE" in text:
        return "wrong_type"
    if "unction not found" in text:
        return "no_functions"
    return "server_error"
