"""What a state knows, in a form that tests compare."""

from typing import Any

import msgspec

from services.decider.part import Part
from services.settlement.books.stakes import Stake
from services.settlement.core import State


def whole(state: State) -> dict[str, Any]:
    """All that a state holds: of its parts the items, and the sums and indexes that are kept with them."""
    fields = msgspec.structs.asdict(state)
    return {name: dict(vars(field)) if isinstance(field, Part) else field for name, field in fields.items()}


def known_stakes(state: State) -> dict[str, Stake]:
    """The stakes on the layout, and those that have ended."""
    return {**state.layout, **{bet_id: ended.stake for bet_id, ended in state.settled.items()}}
