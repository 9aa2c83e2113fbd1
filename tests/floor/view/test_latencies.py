"""Quantiles of a service's histogram."""

from collections.abc import Mapping

import pytest

from services.floor.view.latencies import Latency, latencies, quantile

INFINITE = float("inf")


@pytest.mark.parametrize(
    ("buckets", "share", "expected"),
    [
        ({1.0: 0, INFINITE: 0}, 0.5, None),
        ({1.0: 10, INFINITE: 10}, 0.5, 0.5),
        ({1.0: 0, 2.0: 10, INFINITE: 10}, 0.5, 1.5),
        ({1.0: 4, 2.0: 8, 4.0: 16, INFINITE: 16}, 0.75, 3.0),
        ({1.0: 5, 2.0: 5, 4.0: 10, INFINITE: 10}, 0.5, 1.0),
        ({1.0: 5, INFINITE: 10}, 0.99, 1.0),
    ],
)
def test_a_quantile_is_interpolated_in_its_bucket(
    buckets: Mapping[float, float], share: float, expected: float | None
) -> None:
    assert quantile(buckets, share) == expected


EXPOSITION = """\
# HELP baccarat_draw_latency_seconds A step of the draw decision and of settling, in seconds.
# TYPE baccarat_draw_latency_seconds histogram
baccarat_draw_latency_seconds_bucket{le="0.001",service="rules",step="decide"} 50.0
baccarat_draw_latency_seconds_bucket{le="0.002",service="rules",step="decide"} 100.0
baccarat_draw_latency_seconds_bucket{le="+Inf",service="rules",step="decide"} 100.0
baccarat_draw_latency_seconds_count{service="rules",step="decide"} 100.0
baccarat_draw_latency_seconds_sum{service="rules",step="decide"} 0.1
baccarat_draw_latency_seconds_bucket{le="0.001",service="rules",step="read_to_call"} 0.0
baccarat_draw_latency_seconds_bucket{le="+Inf",service="rules",step="read_to_call"} 0.0
# HELP baccarat_commits_total Commits by outcome.
# TYPE baccarat_commits_total counter
baccarat_commits_total{outcome="ok",service="rules"} 7.0
"""


def test_each_step_of_an_exposition_has_its_own_latency() -> None:
    found = latencies(EXPOSITION)
    assert found["read_to_call"] == Latency(0, None, None)
    assert (found["decide"].count, found["decide"].p50_seconds) == (100, 0.001)
    assert found["decide"].p99_seconds == pytest.approx(0.00198)
    assert set(found) == {"decide", "read_to_call"}
