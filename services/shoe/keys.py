"""The master keys of virtual shoes, as the environment gives them. No message and no `repr` shows any of one."""

import hashlib
import ipaddress
import os
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from services.runtime.settings import SettingsError, value_of
from services.shoe.seeds import prefixed

NAME: Final = "BACCARAT_SHOE_KEY"
ALLOW_PLAINTEXT: Final = "BACCARAT_ALLOW_PLAINTEXT"
FINGERPRINT_LENGTH: Final = 16
_KEY: Final = re.compile("[0-9a-f]{64}")


class MasterKey:
    """A secret of 32 bytes. `fingerprint`: a name for it that tells nothing of it, and that everybody may know."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self.fingerprint = hashlib.sha256(prefixed(b"fingerprint", secret)).hexdigest()[:FINGERPRINT_LENGTH]

    def __repr__(self) -> str:
        return f"MasterKey({self.fingerprint})"


def read_keys(redis_url: str, environment: Mapping[str, str] = os.environ) -> tuple[MasterKey, ...]:
    """The master keys of BACCARAT_SHOE_KEY or its file, the newest first. Raises SettingsError.

    Whoever can read the connection to the server can choose cards with the key. So the two come together over TLS only.
    """
    given = value_of(environment, NAME)
    allowed = value_of(environment, ALLOW_PLAINTEXT)
    if allowed not in (None, "1"):
        raise SettingsError(f"{ALLOW_PLAINTEXT}: is not 1; allowed: 1, or not set")
    if given is None:
        return ()
    words = given.split(",")
    for number, word in enumerate(words, start=1):
        if not _KEY.fullmatch(word):
            raise SettingsError(f"{NAME}: key {number} of {len(words)} is not 64 lower-case hexadecimal digits")
    if len(set(words)) != len(words):
        raise SettingsError(f"{NAME}: names a key twice")
    if not allowed and _is_readable_by_others(redis_url):
        raise SettingsError(
            f"REDIS_URL: redis:// to another machine with {NAME}; allowed: rediss://, or {ALLOW_PLAINTEXT}=1"
        )
    return tuple(MasterKey(bytes.fromhex(word)) for word in words)


def _is_readable_by_others(redis_url: str) -> bool:
    """Whether the connection leaves this machine without encryption."""
    address = urlsplit(redis_url)
    if address.scheme != "redis" or address.hostname in (None, "localhost"):
        return False
    try:
        return not ipaddress.ip_address(address.hostname or "").is_loopback
    except ValueError:
        return True
