"""Offsets as Spark's Kafka source expects them."""

from __future__ import annotations

import json

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.records import _offsets


def test_offsets_are_grouped_by_topic() -> None:
    offsets = {TopicPartition("a", 0): 1, TopicPartition("a", 11): 2, TopicPartition("b", 0): 3}

    assert json.loads(_offsets(offsets)) == {"a": {"0": 1, "11": 2}, "b": {"0": 3}}
