"""The metrics, all of them. Label children are bound once: `labels()` costs a microsecond a call."""

import time
from collections.abc import Collection, Iterator, Mapping, Sized
from typing import Final, Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, disable_created_metrics
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from schemas.streams import Stream

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
COMMITS = Counter(
    "baccarat_commits_total", "Commits by outcome: ok, conflict, error.", ["service", "outcome"], registry=REGISTRY
)
FACTS = Counter("baccarat_facts_total", "Facts written, by type.", ["service", "type"], registry=REGISTRY)
REJECTS = Counter("baccarat_rejects_total", "Entries that are no event.", ["service"], registry=REGISTRY)
ENTRIES_LOST = Counter(
    "baccarat_entries_lost_total",
    "Requests that somebody removed from a stream before they were read; 1 where it is not known how many.",
    ["service", "pit", "stream"],
    registry=REGISTRY,
)
BUILD_INFO = Gauge(
    "baccarat_build_info", "1, for the code that runs here.", ["service", "version", "source"], registry=REGISTRY
)
ProcessCollector(registry=REGISTRY)


class PitOfAReplica(Protocol):
    """What the metrics tell of a pit that a replica owns."""

    @property
    def loaded(self) -> bool:
        """Whether its records are here."""

    @property
    def end_seen_at(self) -> Mapping[Stream, float]:
        """When each stream's end was seen last, by the monotonic clock."""

    @property
    def stopped(self) -> str | None:
        """What keeps it from being served."""

    @property
    def lacking(self) -> Sized:
        """Its tables that wait for a key which is not here."""


class Replica(Protocol):
    """A replica of a service: the pits that it may own, and those that it does."""

    @property
    def service(self) -> str:
        """Its service's name."""

    @property
    def pits(self) -> Collection[str]:
        """What it may own."""

    @property
    def has_keys(self) -> bool:
        """Whether the service needs secret keys."""

    @property
    def pits_with_unequal_keys(self) -> Collection[str]:
        """Whose live replicas have not the same keys in the same order."""

    @property
    def running(self) -> Mapping[str, PitOfAReplica]:
        """What it owns."""


class _PitCollector(Collector):
    """What this process has of each pit now. A pit that was let go is told no more."""

    def __init__(self) -> None:
        self.replicas: list[Replica] = []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        pits = GaugeMetricFamily("baccarat_pits", "Pits that the service should serve.", labels=["service"])
        owned = GaugeMetricFamily(
            "baccarat_pits_owned", "1 for a pit that this replica owns and has loaded.", labels=["service", "pit"]
        )
        stopped = GaugeMetricFamily(
            "baccarat_pits_stopped",
            "1 for a pit of this replica that is not served, and why: an entry that cannot be passed, or 10 s in vain.",
            labels=["service", "pit", "reason"],
        )
        lag = GaugeMetricFamily(
            "baccarat_stream_lag_seconds",
            "Seconds since this replica last saw the end of a pit's stream.",
            labels=["service", "pit", "stream"],
        )
        keyless = GaugeMetricFamily(
            "baccarat_tables_without_key",
            "Tables of a pit that are not dealt because a key is missing.",
            labels=["service", "pit"],
        )
        unequal = GaugeMetricFamily(
            "baccarat_keys_unequal",
            "1 for a pit whose live replicas have not the same keys in the same order.",
            labels=["service", "pit"],
        )
        now = time.monotonic()
        for replica in self.replicas:
            pits.add_metric([replica.service], len(replica.pits))
            for name in replica.pits if replica.has_keys else ():
                unequal.add_metric([replica.service, name], name in replica.pits_with_unequal_keys)
            for name, pit in replica.running.items():
                if replica.has_keys:
                    keyless.add_metric([replica.service, name], len(pit.lacking))
                owned.add_metric([replica.service, name], pit.loaded)
                if (reason := pit.stopped) is not None:
                    stopped.add_metric([replica.service, name, reason], 1)
                for stream, seen_at in pit.end_seen_at.items():
                    lag.add_metric([replica.service, name, stream], now - seen_at)
        yield from (pits, owned, stopped, lag)
        if any(replica.has_keys for replica in self.replicas):
            yield from (keyless, unequal)


PITS: Final = _PitCollector()
REGISTRY.register(PITS)
