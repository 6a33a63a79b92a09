"""Deleting a connector from Connect's config topic, for a Connect cluster that has no workers.

Connect itself deletes a connector with two tombstones, one for its config and one for its target
state (`KafkaConfigBackingStore`). Without workers nobody else reads or writes the topic, and the
next worker finds the connector deleted. As with Connect's own deletion, its offsets stay.
"""

from __future__ import annotations

from confluent_kafka import KafkaError, KafkaException, Producer

from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Operation
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.errors import NOT_AUTHORIZED

PARTITION = 0
"""Connect requires that the topic has one partition."""
WRITE_SECONDS = 30.0


def tombstone_keys(connector: str) -> tuple[str, str]:
    return f"connector-{connector}", f"target-state-{connector}"


def delete_from_config_topic(cluster: KafkaCluster, topic: str, connector: str) -> None:
    """Returns when the brokers have acknowledged it. Without the topic there is nothing to do."""
    if not cluster.describe_topics([topic]):
        return
    failed: list[KafkaError] = []
    producer = Producer(
        {**cluster.connection.client_config(), "acks": "all", "enable.idempotence": True}
        | {"message.timeout.ms": int(WRITE_SECONDS * 1000), "log_level": 0}
    )
    for key in tombstone_keys(connector):
        producer.produce(
            topic,
            value=None,
            key=key,
            partition=PARTITION,
            on_delivery=lambda error, _message: failed.append(error) if error else None,
        )
    left = producer.flush(WRITE_SECONDS)
    if failed:
        raise _not_written(cluster, topic, failed[0])
    if left:
        raise _not_written(cluster, topic, KafkaError(KafkaError._TIMED_OUT))


def _not_written(cluster: KafkaCluster, topic: str, error: KafkaError) -> UserError:
    if error.code() in NOT_AUTHORIZED:
        return cluster.not_authorized(Operation.WRITE, [topic])
    return cluster.request_failed(KafkaException(error))
