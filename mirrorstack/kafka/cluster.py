"""What a cluster says of itself: its brokers and its topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import (
    AdminClient,
    ClusterMetadata,
    ConfigResource,
    ConfigSource,
    OffsetSpec,
)

from mirrorstack.model.plan import Inventory
from mirrorstack.model.topics import SourceTopic
from mirrorstack.problem import Problem

TIMEOUT_SECONDS = 10.0

ClientConfig = Mapping[str, str | int | float | bool]


@dataclass(frozen=True)
class KafkaCluster:
    """A cluster, by its alias in the stack file and a librdkafka configuration."""

    alias: str
    client_config: ClientConfig
    way_out: str
    """What to type when it does not answer."""

    def inventory(self, is_wanted: Callable[[str], bool]) -> Inventory:
        """Its brokers, groups and topics, with the configs of those topics that are wanted."""
        metadata = self._metadata()
        names = [name for name in metadata.topics if is_wanted(name)]
        overrides = self._overrides(names) if names else {}
        return Inventory(
            brokers=len(metadata.brokers),
            topics={
                name: SourceTopic(name, len(topic.partitions), overrides.get(name, {}))
                for name, topic in metadata.topics.items()
            },
            groups=frozenset(self._groups()),
            seen_by=str(self.client_config.get("sasl.username", "nobody")),
            address=str(self.client_config["bootstrap.servers"]),
        )

    def with_records(self, partitions: Mapping[str, int]) -> frozenset[str]:
        """Which of the topics hold records; those of aborted transactions count, too."""
        places = [
            TopicPartition(topic, n) for topic in partitions for n in range(partitions[topic])
        ]
        if not places:
            return frozenset()
        admin = self._admin([])
        ends = _offsets(admin, places, OffsetSpec.latest())  # type: ignore[no-untyped-call]
        starts = _offsets(admin, places, OffsetSpec.earliest())  # type: ignore[no-untyped-call]
        return frozenset(place.topic for place in places if ends[place] > starts[place])

    def _groups(self) -> list[str]:
        admin = self._admin([])
        try:
            listed = admin.list_consumer_groups(request_timeout=TIMEOUT_SECONDS).result()
        except KafkaException as error:
            raise self._unreachable(error, []) from error
        return [group.group_id for group in listed.valid]

    def _metadata(self) -> ClusterMetadata:
        last_words: list[str] = []
        admin = self._admin(last_words)
        try:
            return admin.list_topics(timeout=TIMEOUT_SECONDS)
        except KafkaException as error:
            raise self._unreachable(error, last_words) from error

    def _overrides(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        resources = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in names]
        admin = self._admin([])  # kept until the answers are in: its end cancels them
        futures = admin.describe_configs(resources, request_timeout=TIMEOUT_SECONDS)
        result: dict[str, dict[str, str]] = {}
        for resource, future in futures.items():
            try:
                entries = future.result()
            except KafkaException as error:
                raise self._refused(error, "DescribeConfigs", resource.name) from error
            result[resource.name] = {
                key: entry.value
                for key, entry in entries.items()
                if entry.source == ConfigSource.DYNAMIC_TOPIC_CONFIG.value
            }
        return result

    def _admin(self, last_words: list[str]) -> AdminClient:
        def remember(error: KafkaError) -> None:
            last_words.append(error.str())

        # Without a logger of its own librdkafka writes to standard error behind everybody's back.
        config: dict[str, Any] = {**self.client_config, "error_cb": remember, "log_level": 0}
        return AdminClient(config)

    def _refused(self, error: KafkaException, operation: str, topic: str) -> Problem:
        if error.args[0].code() != KafkaError.TOPIC_AUTHORIZATION_FAILED:
            return self._unreachable(error, [])
        user = self.client_config.get("sasl.username", "nobody")
        return Problem(
            f"Cluster {self.alias} does not let {user} do {operation} on topic {topic}.",
            f"have its owner grant User:{user} the operation {operation} on it",
        )

    def _unreachable(self, error: KafkaException, last_words: list[str]) -> Problem:
        reason = last_words[-1] if last_words else error.args[0].str()
        servers = self.client_config["bootstrap.servers"]
        user = self.client_config.get("sasl.username", "nobody")
        return Problem(
            f"Cluster {self.alias} at {servers} does not answer {user}: {reason}", self.way_out
        )


def _offsets(
    admin: AdminClient, places: Sequence[TopicPartition], which: OffsetSpec
) -> dict[TopicPartition, int]:
    futures = admin.list_offsets(dict.fromkeys(places, which), request_timeout=TIMEOUT_SECONDS)
    return {place: future.result().offset for place, future in futures.items()}
