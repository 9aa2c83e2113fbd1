"""The draw latency that the services measure: their histograms, read from `/metrics`, and the quantiles of these."""

import asyncio
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Final

import aiohttp
import msgspec
from prometheus_client.parser import text_string_to_metric_families

HISTOGRAM: Final = "baccarat_draw_latency_seconds"
# In the order of the draw loop: each step, and the service that measures it.
STEPS: Final = {"card_to_call": "shoe", "read_to_call": "rules", "decide": "rules", "ended_to_settled": "settlement"}
_TIMEOUT: Final = aiohttp.ClientTimeout(total=2)


class Latency(msgspec.Struct, frozen=True):
    """The median and the 99th percentile of one step. None while nothing was measured."""

    count: int
    p50_seconds: float | None
    p99_seconds: float | None


async def read_latencies(urls: Sequence[str]) -> dict[str, Latency]:
    """The latency of each step, from the services at these URLs. A service that does not answer is left out."""
    async with aiohttp.ClientSession(timeout=_TIMEOUT) as session:

        async def read(url: str) -> dict[str, Latency]:
            try:
                async with session.get(url) as response:
                    return latencies(await response.text())
            except (aiohttp.ClientError, TimeoutError, OSError):
                return {}

        found = await asyncio.gather(*(read(url) for url in urls))
    return {step: latency for each in found for step, latency in each.items()}


def latencies(exposition: str) -> dict[str, Latency]:
    """The latency of each step in the `/metrics` text of one service."""
    buckets: dict[str, dict[float, float]] = {}
    for family in text_string_to_metric_families(exposition):
        if family.name == HISTOGRAM:
            for sample in family.samples:
                if sample.name == f"{HISTOGRAM}_bucket":
                    edge = float(sample.labels["le"])
                    buckets.setdefault(sample.labels["step"], {})[edge] = sample.value
    return {step: _latency(counts) for step, counts in buckets.items()}


def _latency(buckets: Mapping[float, float]) -> Latency:
    return Latency(int(max(buckets.values())), quantile(buckets, 0.5), quantile(buckets, 0.99))


def quantile(buckets: Mapping[float, float], share: float) -> float | None:
    """A quantile of a cumulative histogram, interpolated within its bucket. None when the histogram is empty.

    `buckets`: for each upper edge, how many values are not above it. A value above the last finite edge is taken for
    that edge.
    """
    edges = sorted(buckets.items())
    rank = share * edges[-1][1]
    if rank == 0:
        return None
    for (lower, below), (upper, count) in itertools.pairwise([(0.0, 0.0), *edges]):
        if count >= rank:
            return lower if math.isinf(upper) else lower + (upper - lower) * (rank - below) / (count - below)
    raise AssertionError("the last bucket of a histogram counts everything")
