"""Notes: what settlement must remember and no stream says."""

from msgspec import Struct

from services.settlement.books.state import Seen


class WagerAnswered(Struct, frozen=True):
    """A wager was answered. Another copy of it gets no new answer."""

    identity: str
    seen: Seen


class ConsoleAnswered(Struct, frozen=True):
    """A console request was answered. Another copy of it gets no new answer."""

    identity: str
    seen: Seen
