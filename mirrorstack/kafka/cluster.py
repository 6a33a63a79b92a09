"""What a cluster says of itself: its brokers and its topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, ClusterMetadata, ConfigResource, ConfigSource

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

    def broker_count(self) -> int:
        return len(self._metadata().brokers)

    def describe_topics(self, names: Sequence[str]) -> list[SourceTopic]:
        """Partitions and overridden configs, in the order asked for."""
        known = self._metadata().topics
        missing = [name for name in names if name not in known]
        if missing:
            raise Problem(
                f"Cluster {self.alias} has no topic {', '.join(missing)} that "
                f"{self.client_config.get('sasl.username', 'this client')} may see.",
                "create it or correct the name in the stack file; if it is there, grant DESCRIBE",
            )
        overrides = self._overrides(names)
        return [SourceTopic(name, len(known[name].partitions), overrides[name]) for name in names]

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
                raise self._unreachable(error, []) from error
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

    def _unreachable(self, error: KafkaException, last_words: list[str]) -> Problem:
        reason = last_words[-1] if last_words else error.args[0].str()
        servers = self.client_config["bootstrap.servers"]
        user = self.client_config.get("sasl.username", "nobody")
        return Problem(
            f"Cluster {self.alias} at {servers} does not answer {user}: {reason}", self.way_out
        )
