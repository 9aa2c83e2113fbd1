"""`python -m tests.system.greedy rules`: a service that owns every pit, whoever else is alive. Two are a fault."""

from typing import Any

from services.__main__ import main
from services.runtime.ownership import Ownership

_hear = Ownership._hear


def _hear_nobody_else(self: Ownership, pit: str, reply: Any) -> None:
    _hear(self, pit, reply if isinstance(reply, Exception) else [self.name.encode()])


if __name__ == "__main__":
    Ownership._hear = _hear_nobody_else  # type: ignore[method-assign] # the fault that the test makes
    main(prog_name="greedy")
