"""Deletes topics with all their records."""

from __future__ import annotations

from collections.abc import Sequence

from confluent_kafka import KafkaError, KafkaException

from mirrorstack.kafka import errors
from mirrorstack.kafka.admin_client import TIMEOUT_SECONDS, ClusterClient, retried


@retried
def delete_topics(cluster: ClusterClient, names: Sequence[str]) -> None:
    """Those that exist: one that is gone already is no error."""
    if not names:
        return
    futures = cluster.client.delete_topics(list(names), request_timeout=TIMEOUT_SECONDS)
    for future in futures.values():
        try:
            future.result()
        except KafkaException as error:
            if errors.error_code(error) != KafkaError.UNKNOWN_TOPIC_OR_PART:
                raise cluster.request_failed(error) from error
