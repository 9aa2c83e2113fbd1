"""Answers that both the shoe and settlement give: a request refused, a request repeated."""

from typing import ClassVar

from schemas.events import Fact


class RequestRefused(Fact, frozen=True, kw_only=True):
    """A request changed nothing, and why. Readers take a reason they do not know as a plain refusal."""

    type: ClassVar[str] = "request.refused"
    request_id: str
    request_type: str
    reason: str
    detail: str


class RequestRepeated(Fact, frozen=True, kw_only=True):
    """A second copy of a request changed nothing; `first` is the copy that was answered (null for scans)."""

    type: ClassVar[str] = "request.repeated"
    request_id: str
    request_type: str
    first: str | None
