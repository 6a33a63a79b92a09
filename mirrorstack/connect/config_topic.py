"""Deleting a connector from Connect's config topic, for a Connect cluster that has no workers.

Connect itself deletes a connector with two tombstones, one for its config and one for its target
state (`KafkaConfigBackingStore`). Without workers nobody else reads or writes the topic, and the
next worker finds the connector deleted. As with Connect's own deletion, its offsets stay.
"""

from __future__ import annotations

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.keyed_topic import KeyedTopic
from mirrorstack.kafka.record_writer import write_records

PARTITION = 0
"""Connect requires that the topic has one partition."""


def tombstone_keys(connector: str) -> tuple[str, str]:
    return f"connector-{connector}", f"target-state-{connector}"


def is_in_config_topic(cluster: KafkaCluster, topic: str, connector: str) -> bool:
    """Whether the workers of the group have such a connector."""
    key, _ = tombstone_keys(connector)
    return key.encode() in KeyedTopic(cluster, topic).read()


def delete_from_config_topic(cluster: KafkaCluster, topic: str, connector: str) -> None:
    """Returns when the brokers have acknowledged it. Without the topic there is nothing to do."""
    if cluster.describe_topics([topic]):
        tombstones = [(key.encode(), None) for key in tombstone_keys(connector)]
        write_records(cluster, topic, tombstones, partition=PARTITION)
