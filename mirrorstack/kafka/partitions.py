"""A partition of a topic."""

from __future__ import annotations

from typing import NamedTuple


class TopicPartition(NamedTuple):
    topic: str
    partition: int

    def __str__(self) -> str:
        """As Kafka writes it: `orders-3`."""
        return f"{self.topic}-{self.partition}"
