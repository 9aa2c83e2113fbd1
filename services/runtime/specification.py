"""What FastStream's documents (`faststream docs gen`) say of a step: its streams with rank and types."""

from typing import Any

import msgspec
from faststream._internal.configs import BrokerConfig, SubscriberSpecificationConfig
from faststream._internal.endpoint.subscriber import SubscriberSpecification
from faststream._internal.endpoint.subscriber.call_item import CallsCollection
from faststream.specification.schema import Message, Operation, SubscriberSpec
from faststream.specification.schema.bindings import ChannelBinding, redis

from schemas.events import Event, Fact
from schemas.streams import EVENTS, FACT_STREAMS, READS, Service, Stream, decider


class StepSpecification(SubscriberSpecification[BrokerConfig, SubscriberSpecificationConfig]):
    """The specification of one service's step."""

    def __init__(self, outer_config: Any, service: Service) -> None:
        super().__init__(outer_config, SubscriberSpecificationConfig(title_=None, description_=None), CallsCollection())
        self._service = service

    @property
    def call_name(self) -> str:
        """The service."""
        return self._service

    @property
    def channel_labels(self) -> list[str]:
        """The streams, the first ranked highest."""
        return list(READS[self._service])

    def get_schema(self) -> dict[str, SubscriberSpec]:
        """A channel a stream."""
        return {stream: self._channel(stream, rank) for rank, stream in enumerate(READS[self._service], start=1)}

    def _channel(self, stream: Stream, rank: int) -> SubscriberSpec:
        address = f"baccarat:{{pit}}:{stream}"
        types = [event for event in EVENTS[stream] if self._answers(stream, event)]
        return SubscriberSpec(
            address=address,
            description=f"Rank {rank} of what {self._service} reads; it writes {FACT_STREAMS[self._service]}.",
            operation=Operation(message=Message(title=f"{stream}:Message", payload=_payload(types)), bindings=None),
            bindings=ChannelBinding(redis=redis.ChannelBinding(channel=address, method="xread")),
        )

    def _answers(self, stream: Stream, event: type[Event]) -> bool:
        return issubclass(event, Fact) or decider(stream, event.type) == self._service


def _payload(events: list[type[Event]]) -> dict[str, Any]:
    """The schemas of these types, as FastStream wants them: each under its name, what they share in `$defs`."""
    _, components = msgspec.json.schema_components(events, ref_template="#/components/schemas/{name}")
    own = {event.type: components.pop(event.__name__) for event in events}
    if len(own) == 1:
        ((name, schema),) = own.items()
        return {**schema, "title": name, "$defs": components}
    return {"oneOf": own, "$defs": components}
