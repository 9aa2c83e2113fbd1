"""Draw latency as a service measures it: its histogram from `/metrics`, and quantiles of it."""

import asyncio
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Final

import aiohttp
import msgspec
from prometheus_client.parser import text_string_to_metric_families

HISTOGRAM: Final = "baccarat_draw_latency_seconds"
# The steps in the order of the draw loop, and which service measures each.
STEPS: Final = {"card_to_call": "shoe", "read_to_call": "rules", "decide": "rules", "ended_to_settled": "settlement"}
_TIMEOUT: Final = aiohttp.ClientTimeout(total=2)


class Latency(msgspec.Struct, frozen=True):
    """Quantiles of one step, in seconds; None while nothing was measured."""

    count: int
    p50_seconds: float | None
    p99_seconds: float | None


async def read_latencies(urls: Sequence[str]) -> dict[str, Latency]:
    """Each step's latency from these services; one that doesn't answer now is left out."""
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
    """Each step's latency in one service's `/metrics`."""
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
    """The quantile of a cumulative histogram (upper edge to count), interpolated within its bucket.

    What lies above the last finite edge counts as that edge. None when the histogram is empty.
    """
    edges = sorted(buckets.items())
    rank = share * edges[-1][1]
    if rank == 0:
        return None
    for (lower, below), (upper, count) in itertools.pairwise([(0.0, 0.0), *edges]):
        if count >= rank:
            return lower if math.isinf(upper) else lower + (upper - lower) * (rank - below) / (count - below)
    raise AssertionError("the last bucket of a histogram counts everything")
