"""The metrics, all of them. Label children are bound once: `labels()` costs a microsecond a call."""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

# Classic buckets from 10 µs up, with an edge at each objective.
_LATENCY_BUCKETS: Final = tuple(
    microseconds / 1e6
    for microseconds in (
        10, 25, 50, 100, 250, 500,
        1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    )
)  # fmt: skip

# Nobody asks when a counter was made, and each would have a second series for it.
disable_created_metrics()  # type: ignore[no-untyped-call] # prometheus_client leaves it untyped
REGISTRY: Final = CollectorRegistry()

DRAW_LATENCY = Histogram(
    "baccarat_draw_latency_seconds",
    "A step of the draw decision and of settling, in seconds.",
    ["service", "step"],
    buckets=_LATENCY_BUCKETS,
    registry=REGISTRY,
)
STREAM_LAG = Gauge(
    "baccarat_stream_lag_seconds",
    "Seconds since this process last saw a stream's end, the longest of its pits.",
    ["service", "stream"],
    registry=REGISTRY,
)
COMMITS = Counter(
    "baccarat_commits_total", "Commits by outcome: ok, conflict, error.", ["service", "outcome"], registry=REGISTRY
)
FACTS = Counter("baccarat_facts_total", "Facts written, by type.", ["service", "type"], registry=REGISTRY)
PITS_OWNED = Gauge("baccarat_pits_owned", "Pits that this replica owns and has loaded.", ["service"], registry=REGISTRY)
PITS_STOPPED = Gauge(
    "baccarat_pits_stopped",
    "Pits of this replica that are not served, and why: an entry that cannot be passed, or 10 s without success.",
    ["service", "reason"],
    registry=REGISTRY,
)
REJECTS = Counter("baccarat_rejects_total", "Entries that are no event.", ["service"], registry=REGISTRY)
