"""Rejects: what is kept of an entry that is no event, or of one whose table is set aside."""

import hashlib
from typing import Final

from schemas.codec import Undecodable
from schemas.streams import Service

TEXT_BYTES_MAX: Final = 256


def reject(service: Service, place: str, error: Undecodable) -> list[bytes]:
    """The entry for `rejects`, as name, value, name, value.

    Whoever writes `wagers` or `scans` may read it, so it shows no other's bet: of a wager the `digest` of its data
    (SHA-256) stands there, of a console request also the data, cut. Of a scan neither: a closed card's face could be
    guessed from the digest.
    """
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
    data = error.fields.get("data")
    if data is not None and stream != "scans":
        kept["digest"] = hashlib.sha256(data).hexdigest()
    if data is not None and stream == "console":
        kept["data"] = data[:TEXT_BYTES_MAX].decode(errors="replace")
    return [part.encode(errors="replace") for pair in kept.items() for part in pair]
