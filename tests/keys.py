"""Master keys for tests. Everybody knows them."""

import hashlib
from typing import Final

from services.shoe.keys import MasterKey

# As the environment gives it to a service.
SHOE_KEY: Final = "0123456789abcdef" * 4
OTHER_SHOE_KEY: Final = "fedcba9876543210" * 4


def master_key(digits: str = SHOE_KEY) -> MasterKey:
    """The master key that these digits spell."""
    return MasterKey(bytes.fromhex(digits))


def key_from(text: str | int) -> MasterKey:
    """A master key of its own for each text."""
    return MasterKey(hashlib.sha256(f"test {text}".encode()).digest())
