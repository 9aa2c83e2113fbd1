"""What a decision leads to: facts for the streams, and notes for the state alone."""

import msgspec

from schemas.events import Fact


class Note(msgspec.Struct, frozen=True):
    """Something that a service must know and that no stream says. It changes the state as a fact does."""


class LateAnswer(msgspec.Struct, frozen=True):
    """A fact that answers an earlier entry than the one that is being decided: `place` is that entry's."""

    fact: Fact
    place: str


Outcome = Fact | Note | LateAnswer
