"""Rejects: what is kept of an entry that is no event, or of one whose table is set aside."""

import hashlib
from typing import Final

from schemas.codec import Undecodable
from schemas.streams import Service

TEXT_BYTES_MAX: Final = 256


def reject(service: Service, place: str, error: Undecodable) -> list[bytes]:
    """The entry for `rejects`, as name, value, name, value; `data` is cut, `digest` is SHA-256 of all of it."""
    stream, entry_id = place.split("/")
    kept = {
        "stream": stream,
        "entry": entry_id,
        "service": service,
        "reason": error.reason,
        "detail": error.detail,
        "id": error.text("id")[:TEXT_BYTES_MAX],
        "type": error.text("type")[:TEXT_BYTES_MAX],
    }
    # A closed card's face stands in the data of a scan.
    if stream != "scans" and "data" in error.fields:
        data = error.fields["data"]
        kept["digest"] = hashlib.sha256(data).hexdigest()
        kept["data"] = data[:TEXT_BYTES_MAX].decode(errors="replace")
    return [part.encode(errors="replace") for pair in kept.items() for part in pair]
