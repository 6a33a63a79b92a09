"""Writing a few records, and ending the transactions of a producer that is gone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Producer

from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Operation
from mirrorstack.kafka.admin_client import ClusterClient
from mirrorstack.kafka.errors import NOT_AUTHORIZED

WRITE_SECONDS = 30.0


def write_records(
    cluster: ClusterClient,
    topic: str,
    records: Iterable[tuple[bytes, bytes | None]],
    *,
    partition: int | None = None,
) -> None:
    """Keys and values; None deletes a key of a compacted topic. Returns when the brokers have
    acknowledged all of them. By default each goes to the partition that Java clients choose."""
    failed: list[KafkaError] = []
    producer = _producer(cluster, partitioner="murmur2", acks="all")
    for key, value in records:
        producer.produce(
            topic,
            value=value,
            key=key,
            partition=-1 if partition is None else partition,
            on_delivery=lambda error, _message: failed.append(error) if error else None,
        )
        producer.poll(0)
    left = producer.flush(WRITE_SECONDS)
    if failed:
        raise _not_written(cluster, topic, failed[0])
    if left:
        raise _not_written(cluster, topic, KafkaError(KafkaError._TIMED_OUT))


def end_transactions(cluster: ClusterClient, transactional_ids: Iterable[str]) -> None:
    """Abort what their producers have left open, and fence them: they cannot write any more."""
    for each in transactional_ids:
        producer = _producer(cluster, **{"transactional.id": each})
        try:
            producer.init_transactions(WRITE_SECONDS)
        except KafkaException as error:
            raise cluster.request_failed(error) from error


def _producer(cluster: ClusterClient, **options: Any) -> Producer:
    return Producer(
        {
            **cluster.connection.client_config(),
            "enable.idempotence": True,
            "message.timeout.ms": int(WRITE_SECONDS * 1000),
            "log_level": 0,
            **options,
        }
    )


def _not_written(cluster: ClusterClient, topic: str, error: KafkaError) -> UserError:
    if error.code() in NOT_AUTHORIZED:
        return cluster.not_authorized(Operation.WRITE, [topic])
    return cluster.request_failed(KafkaException(error))
