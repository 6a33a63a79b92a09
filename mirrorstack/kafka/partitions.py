"""A partition of a topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class TopicPartition(NamedTuple):
    topic: str
    partition: int

    def __str__(self) -> str:
        """As Kafka writes it: `orders-3`."""
        return f"{self.topic}-{self.partition}"


def all_partitions(counts: Mapping[str, int]) -> list[TopicPartition]:
    """Every partition of the topics, given how many each topic has."""
    return [TopicPartition(topic, n) for topic, count in counts.items() for n in range(count)]
