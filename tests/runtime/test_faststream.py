"""What is used of FastStream beyond its public words: a new FastStream that moves it fails here, and says what."""

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from faststream import FastStream
from faststream._internal.broker.registrator import Registrator
from faststream._internal.endpoint.subscriber import SubscriberSpecification, SubscriberUsecase
from faststream.redis import RedisBroker
from faststream.specification.schema import SubscriberSpec

from schemas.events import Fact
from schemas.streams import EVENTS, READS, Service, decider
from services.runtime.broker import PitBroker, StepSubscriber
from services.runtime.settings import Settings
from tests.runtime.toy import DEFINITION, State, decide, evolve
from tests.servers import ROOT

# What is used, and its parameters.
USED = [
    (Registrator.subscriber, ["self", "subscriber", "persistent"]),
    (SubscriberUsecase.__init__, ["self", "config", "specification", "calls"]),
    (SubscriberUsecase.start, ["self"]),
    (SubscriberUsecase.stop, ["self"]),
    (SubscriberSpecification.__init__, ["self", "_outer_config", "specification_config", "calls"]),
    (SubscriberSpecification.get_schema, ["self"]),
    (SubscriberSpec, ["description", "operation", "bindings", "address"]),
    (RedisBroker.start, ["self"]),
    (RedisBroker.stop, ["self", "exc_type", "exc_val", "exc_tb"]),
]


@pytest.mark.parametrize(("used", "parameters"), USED, ids=lambda value: getattr(value, "__qualname__", ""))
def test_what_the_step_leans_on_is_where_it_was(used: Any, parameters: list[str]) -> None:
    assert list(inspect.signature(used).parameters) == parameters


class Recorded:
    """In the place of an ownership: what it is told."""

    replica = "r"

    def __init__(self) -> None:
        self.told: list[str] = []

    def start(self, client: Any) -> None:
        """Begin."""
        self.told.append("start")

    async def stop(self, client: Any) -> None:
        """End."""
        self.told.append("stop")

    def is_live(self) -> bool:
        """Yes."""
        return True


async def test_faststream_starts_and_stops_the_step_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.runtime.broker.set_up_logs", lambda level: None)
    recorded = Recorded()
    monkeypatch.setattr("services.runtime.broker.Ownership", lambda *_: recorded)
    broker = PitBroker(Settings(redis_url="redis://127.0.0.1:1/0"))
    broker.step(DEFINITION.name, state=State, evolve=evolve, meter=DEFINITION.meter)(decide)
    app = FastStream(broker, logger=None)
    assert [type(subscriber) for subscriber in broker.subscribers] == [StepSubscriber]
    await app.start()
    assert recorded.told == ["start"]
    await app.stop()
    assert recorded.told == ["start", "stop"]


@pytest.mark.parametrize("service", READS)
def test_faststreams_documents_name_the_streams_with_rank_and_types(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "asyncapi.yaml"
    words = f"-m faststream docs gen services.{service}.app:app --yaml -o {path}"
    subprocess.run([sys.executable, *words.split()], cwd=ROOT, check=True, capture_output=True)
    document = yaml.safe_load(path.read_text())
    assert document["info"]["title"] == service
    found = {
        channel["address"]: channel["description"].partition(" of")[0] for channel in document["channels"].values()
    }
    assert found == {f"baccarat:{{pit}}:{stream}": f"Rank {rank}" for rank, stream in enumerate(READS[service], 1)}
    types = {
        event.type
        for stream in READS[service]
        for event in EVENTS[stream]
        if issubclass(event, Fact) or decider(stream, event.type) == service
    }
    assert types <= document["components"]["schemas"].keys()
