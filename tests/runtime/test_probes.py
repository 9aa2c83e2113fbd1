"""What the kubelet and Prometheus get from a service."""

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from faststream import FastStream
from prometheus_client.parser import text_string_to_metric_families
from structlog.typing import EventDict

from services.runtime.broker import PitBroker
from services.runtime.library import load_functions
from services.runtime.settings import Settings, SettingsError
from tests.runtime.pits import ToyPit, said, soon
from tests.runtime.toy import DEFINITION, State, bet, decide, evolve
from tests.servers import Server, free_port

pytestmark = pytest.mark.usefixtures("quick")


class Probes:
    """The probes of an app in this event loop."""

    def __init__(self, url: str, pit: str, monkeypatch: pytest.MonkeyPatch) -> None:
        # The test's log stays as it is.
        monkeypatch.setattr("services.runtime.broker.set_up_logs", lambda level: None)
        self._port = free_port()
        broker = PitBroker(Settings(redis_url=url, pits=(pit,), http_port=self._port))
        step = broker.step(DEFINITION.name, state=State, evolve=evolve, meter=DEFINITION.meter)
        assert step(decide).name == DEFINITION.name
        self.app = FastStream(broker, logger=None)

    async def __aenter__(self) -> "Probes":
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.app.stop()
        await self._session.close()

    async def get(self, path: str) -> tuple[int, str]:
        """Status and text."""
        async with self._session.get(f"http://127.0.0.1:{self._port}{path}") as response:
            return response.status, await response.text()

    async def becomes(self, path: str, status: int) -> None:
        """Wait until a probe says so."""
        found = 0
        while found != status:
            found, _ = await self.get(path)


@pytest.fixture
async def mortal(tmp_path: Path) -> AsyncIterator[Server]:
    """A server that is not started yet."""
    server = Server("embedded", tmp_path)
    yield server
    server.kill()


async def test_live_whatever_the_server_does_and_ready_when_it_answers_with_the_library(
    mortal: Server, log: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Probes(mortal.url, "probed", monkeypatch) as probes:
        await probes.app.start()
        await soon(lambda: said(log, "no heartbeat"))
        assert [await probes.get("/livez"), await probes.get("/readyz")] == [(200, "ok\n"), (503, "not ok\n")]
        mortal.start()
        await soon(lambda: "load-functions" in said(log, "no heartbeat")[-1]["error"])
        assert (await probes.get("/readyz"))[0] == 503
        load_functions(mortal.url)
        await probes.becomes("/readyz", 200)
        mortal.kill()
        await probes.becomes("/readyz", 503)
        assert (await probes.get("/livez"))[0] == 200


BUCKETS = [
    "1e-05", "2.5e-05", "5e-05", "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05",
    "0.1", "0.25", "0.5", "1.0", "+Inf",
]  # fmt: skip

# Name, kind, labels beside `service`; counters are exposed with `_total` behind their name.
METRICS = [
    ("baccarat_draw_latency_seconds", "histogram", {"step", "le"}),
    ("baccarat_stream_lag_seconds", "gauge", {"stream"}),
    ("baccarat_commits", "counter", {"outcome"}),
    ("baccarat_facts", "counter", {"type"}),
    ("baccarat_pits_owned", "gauge", set()),
    ("baccarat_pits_stopped", "gauge", {"reason"}),
    ("baccarat_rejects", "counter", set()),
]


async def test_every_metric_is_exposed_with_its_labels(toy_pit: ToyPit, monkeypatch: pytest.MonkeyPatch) -> None:
    from services.settlement.app import SettlementMeter  # noqa: PLC0415 # the module makes an app when it is imported

    SettlementMeter()
    async with Probes(toy_pit.url, toy_pit.name, monkeypatch) as probes:
        await probes.app.start()
        toy_pit.send("wagers", bet())
        toy_pit.add("wagers", [b"no", b"event"])
        await soon(lambda: toy_pit.rejects() and toy_pit.facts())
        _, text = await probes.get("/metrics")
        families = {family.name: family for family in text_string_to_metric_families(text)}
        found = []
        for name, family in families.items():
            samples = [sample for sample in family.samples if not sample.name.endswith(("_sum", "_count"))]
            found.append((name, family.type, set().union(*(sample.labels for sample in samples)) - {"service"}))
            assert all("service" in sample.labels for sample in samples)
        assert sorted(found) == sorted(METRICS)
        latency = families["baccarat_draw_latency_seconds"]
        steps = [sample.labels for sample in latency.samples if sample.labels["service"] == DEFINITION.name]
        assert [labels["le"] for labels in steps if "le" in labels] == BUCKETS
        assert {labels["step"] for labels in steps} == {"ended_to_settled"}
        assert {
            (name, value)
            for name in ("baccarat_stream_lag_seconds", "baccarat_commits", "baccarat_facts")
            for sample in families[name].samples
            for label, value in sample.labels.items()
            if sample.labels["service"] == DEFINITION.name and label != "service"
        } >= {
            ("baccarat_stream_lag_seconds", "cards"),
            ("baccarat_stream_lag_seconds", "console"),
            ("baccarat_stream_lag_seconds", "wagers"),
            ("baccarat_commits", "ok"),
            ("baccarat_commits", "conflict"),
            ("baccarat_commits", "error"),
            ("baccarat_facts", "bet.accepted"),
        }


async def test_a_taken_port_is_an_error_at_start(
    mortal: Server, log: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Probes(mortal.url, "probed", monkeypatch) as probes:
        with (
            socket.create_server(("127.0.0.1", probes._port)),
            pytest.raises(SettingsError, match=r"BACCARAT_HTTP_PORT: .*in use"),
        ):
            await probes.app.start()
