"""A service in FastStream's words: a broker for pits, and the step as its subscriber.

FastStream starts and stops what stands here, and documents it. Entries never pass through its middleware: its own
stream subscriber reads one stream a task and swallows errors, and a step needs all its streams in rank and one cache.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import msgspec
import structlog
import uvloop
from aiohttp import web
from faststream import FastStream
from faststream._internal.broker.registrator import Registrator
from faststream._internal.configs import SubscriberUsecaseConfig
from faststream._internal.endpoint.subscriber import SubscriberUsecase
from faststream._internal.endpoint.subscriber.call_item import CallsCollection
from faststream.middlewares import AckPolicy
from faststream.redis import RedisBroker
from redis.exceptions import RedisError

from schemas.codec import Entry
from schemas.events import Event
from schemas.streams import Service, Stream
from services.decider.outcome import Outcome
from services.runtime import VERSION
from services.runtime.logs import set_up_logs
from services.runtime.metrics import BUILD_INFO
from services.runtime.ownership import ANSWER_SECONDS, Ownership
from services.runtime.probes import serve
from services.runtime.service import Definition, Keys, Meter
from services.runtime.settings import Settings, SettingsError
from services.runtime.specification import StepSpecification

StateT = TypeVar("StateT", bound=msgspec.Struct)
Decide = Callable[[StateT, Entry], Sequence[Outcome]]

_PROJECT: Final = Path(__file__).parents[2]


class PitBroker(RedisBroker):
    """A broker whose subscriber is a step. Its client beats the replica's heart; each pit reads on a connection of its
    own. The probes are served while it runs.
    """

    def __init__(self, settings: Settings) -> None:
        set_up_logs(settings.log_level)
        super().__init__(settings.redis_url)
        self._settings = settings
        self._probes: web.AppRunner | None = None

    def step(
        self,
        name: Service,
        *,
        state: type[StateT],
        evolve: Callable[[StateT, Any], StateT],
        meter: Meter,
        waits_for: Callable[[Event], tuple[Stream, str] | None] = lambda event: None,
        keys: Keys | None = None,
    ) -> Callable[[Decide[StateT]], Definition[StateT]]:
        """Make a deciding function the step of this service; what it names afterwards is the service's definition."""

        def subscribe(decide: Decide[StateT]) -> Definition[StateT]:
            definition = Definition(name, state, decide, evolve, meter, waits_for, keys=keys)
            ownership = Ownership(definition, self._settings.redis_url, self._settings.pits)
            # Past RedisBroker's own, which makes subscribers of its own kinds.
            Registrator.subscriber(self, StepSubscriber(self, ownership, name))
            return definition

        return subscribe

    async def start(self) -> None:
        """Serve the probes and start the step. Raises SettingsError when the probes' port is taken."""
        await self.connect()
        host, port = self._settings.http_host, self._settings.http_port
        try:
            self._probes = await serve(host, port, self._is_live, self._is_ready)
        except OSError as error:
            raise SettingsError(f"BACCARAT_HTTP_HOST, BACCARAT_HTTP_PORT: {error.strerror}") from None
        await super().start()
        source = source_digest()
        for step in self._steps():
            BUILD_INFO.labels(step.service, VERSION, source).set(1)
            step.log.info("started", source=source, http=str(self._probes.addresses))

    async def stop(self, *error: Any) -> None:
        """Finish each pit's step and leave the replicas; also when the server hangs, in less than two seconds."""
        await super().stop(*error)
        if self._probes is not None:
            await self._probes.cleanup()
            self._probes = None
            structlog.get_logger().info("stopped")

    def _steps(self) -> Iterable["StepSubscriber"]:
        return [subscriber for subscriber in self.subscribers if isinstance(subscriber, StepSubscriber)]

    def _is_live(self) -> bool:
        return all(step.ownership.is_live() for step in self._steps())

    async def _is_ready(self) -> bool:
        try:
            client = await self.connect()
            await asyncio.wait_for(client.ping(), ANSWER_SECONDS)
        except (RedisError, OSError, TimeoutError):
            return False
        return all(step.ownership.is_ready() for step in self._steps())


class StepSubscriber(SubscriberUsecase[Any]):
    """A service's step as a subscriber: its start and stop are the ownership's of pits."""

    def __init__(self, broker: PitBroker, ownership: Ownership, service: Service) -> None:
        outer: Any = broker.config
        super().__init__(_StepConfig(_outer_config=outer), StepSpecification(outer, service), CallsCollection())
        self._broker = broker
        self.service = service
        self.ownership = ownership
        self.log = structlog.get_logger().bind(service=service, replica=ownership.replica)

    async def start(self) -> None:
        """Begin to beat and to take pits."""
        self.ownership.start(await self._broker.connect())
        self.running = True

    async def stop(self) -> None:
        """Let go of the pits, each with its step finished."""
        if self.running:
            self.running = False
            await self.ownership.stop(await self._broker.connect())

    def _make_response_publisher(self, message: Any) -> NoReturn:
        raise NotImplementedError("a step answers by its commit")

    async def get_one(self, *, timeout: float = 5) -> NoReturn:  # noqa: ASYNC109 - FastStream's own signature
        """A step takes what its streams bring, and not one message."""
        raise NotImplementedError("a step takes what its streams bring")

    def __aiter__(self) -> AsyncIterator[Any]:
        raise NotImplementedError("a step takes what its streams bring")


class _StepConfig(SubscriberUsecaseConfig):
    parser = decoder = staticmethod(lambda message: message)

    @property
    def ack_policy(self) -> AckPolicy:
        return AckPolicy.MANUAL


def source_digest() -> str:
    """SHA-256 over the project's own source, cut to 12 hex digits: which code took a pit."""
    digest = hashlib.sha256()
    for folder in ("schemas", "services"):
        for path in sorted((_PROJECT / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def run(app: FastStream) -> None:
    """Run a service until SIGTERM or SIGINT."""
    uvloop.run(app.run())
