"""Notes: what settlement must remember and no stream says. With the facts of `bets` they are all its outcomes."""

from schemas.facts import BetsFact
from services.decider.memory import Seen
from services.decider.outcome import Note


class WagerAnswered(Note, frozen=True):
    """A wager was answered. Another copy of it gets no new answer."""

    seen: Seen


class ConsoleAnswered(Note, frozen=True):
    """A console request was answered. Another copy of it gets no new answer."""

    seen: Seen


Outcome = BetsFact | WagerAnswered | ConsoleAnswered
