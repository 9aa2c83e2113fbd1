"""`python -m tests.system.greedy rules`: a service that owns every pit, whoever else is alive. Two are a fault."""

from services.__main__ import main
from services.runtime.ownership import Ownership

_own = Ownership._own


def _own_all(self: Ownership, pits: list[str]) -> None:
    _own(self, list(self._pits))


if __name__ == "__main__":
    Ownership._own = _own_all  # type: ignore[method-assign] # the fault that the test makes
    main(prog_name="greedy")
