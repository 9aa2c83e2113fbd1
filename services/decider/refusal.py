"""Why a request changes nothing."""

from typing import NamedTuple

from schemas.codec import Entry
from schemas.facts import RequestRefused


class Refusal(NamedTuple):
    """One of the wire's reasons, and for people what would help the request's sender."""

    reason: str
    detail: str


def refused(entry: Entry, refusal: Refusal) -> RequestRefused:
    """The fact that a request was refused."""
    return RequestRefused(
        table=entry.event.table,
        request_id=entry.id,
        request_type=entry.type,
        reason=refusal.reason,
        detail=refusal.detail,
    )
