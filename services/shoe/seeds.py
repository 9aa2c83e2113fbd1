"""The seed of a demonstration round and of a burn card, which have no books that close before them. Pure."""

import hashlib

from schemas.codec import Entry


def prefixed(*values: bytes) -> bytes:
    """These values in a row, each behind its length: no two rows of values give the same bytes."""
    return b"".join([b"%d:%b" % (len(value), value) for value in values])


def seed_of_request(entry: Entry) -> str:
    """SHA-256, in hex, over stream, entry id, source, id, type and data of a request, each behind its length."""
    fields = (entry.stream, entry.entry_id, entry.source, entry.id, entry.type)
    return hashlib.sha256(prefixed(*(field.encode() for field in fields), entry.data)).hexdigest()
