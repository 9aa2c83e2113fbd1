"""What waits for a secret key in a pit: it goes on behind the load at which the key is here."""

from typing import Any

from services.runtime.failures import Impassable
from services.runtime.service import Keys
from services.runtime.step import Stepper


def resume(stepper: Stepper[Any], keys: Keys, pit: str) -> None:
    """Decide what waited for a key that this replica has. Raises Impassable."""
    for table, state in list(stepper.states.items()):
        if table in stepper.quarantined:
            continue
        try:
            stepper.follow(state, state, keys.resume(pit, state), "", None)
        except Exception as error:  # as in any other decision: the pit stops, the others go on
            raise Impassable("the load", table, f"{type(error).__name__}: {error}") from error


def lacking(stepper: Stepper[Any], keys: Keys) -> list[str]:
    """For each table that waits for a key the key's fingerprint; empty where any key will do."""
    return [wanted for state in stepper.states.values() if (wanted := keys.lacks(state)) is not None]
