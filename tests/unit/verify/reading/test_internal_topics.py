"""MirrorMaker's own records, decoded in Spark: bytes as its schemas write them."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession

from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.internal_topics import (
    Checkpoint,
    OffsetSync,
    decode_checkpoints,
    decode_heartbeats,
    decode_offset_syncs,
)
from tests.unit.verify.kafka_frames import KafkaRecord, kafka_frame

WRITTEN = 1_767_225_600_000
CHECKPOINT_KEY = "000267310008412e6f726465727300000000"
SYNC_KEY = "00066f726465727300000003"
BEAT_KEY = "000142000141"


def records(spark: SparkSession, *pairs: tuple[str, str | None]) -> DataFrame:
    """Keys and values in hexadecimal, at offsets 0, 1, 2 …"""
    held = [
        KafkaRecord(
            offset, bytes.fromhex(key), None if value is None else bytes.fromhex(value), WRITTEN
        )
        for offset, (key, value) in enumerate(pairs)
    ]
    return kafka_frame(spark, {TopicPartition("internal", 0): held})


def test_of_checkpoints_the_newest_counts_and_deletions_do_not(spark: SparkSession) -> None:
    held = records(
        spark,
        (CHECKPOINT_KEY, "000000000000000001f300000000000000000000"),
        (CHECKPOINT_KEY, "000000000000000001f400000000000000010000"),
        (CHECKPOINT_KEY, None),
    )

    assert decode_checkpoints(held) == {("g1", ("A.orders", 0)): Checkpoint(500, 1)}


def test_offset_syncs_are_read_in_order_and_have_signs(spark: SparkSession) -> None:
    held = records(
        spark,
        (SYNC_KEY, "00000000000003e800000000000003e6"),
        (SYNC_KEY, "ffffffffffffffff00000000000003e7"),
    )

    assert decode_offset_syncs(held) == {
        ("orders", 3): [OffsetSync(1000, 998, 0, WRITTEN), OffsetSync(-1, 999, 1, WRITTEN)]
    }


def test_heartbeats_are_by_the_aliases_of_their_clusters(spark: SparkSession) -> None:
    held = records(spark, (BEAT_KEY, "00000000019b76daa800"))

    assert decode_heartbeats(held) == {("B", "A"): WRITTEN}


def test_names_may_be_in_any_language(spark: SparkSession) -> None:
    group, topic = "größe".encode(), "東京".encode()
    key = b"".join(len(text).to_bytes(2) + text for text in (group, topic)) + bytes(4)
    value = "00000000000000000001000000000000000100" + "00"

    found = decode_checkpoints(records(spark, (key.hex(), value)))

    assert found == {("größe", ("東京", 0)): Checkpoint(1, 1)}


def test_another_version_is_refused_and_not_misread(spark: SparkSession) -> None:
    with pytest.raises(UserError, match="version 1"):
        decode_heartbeats(records(spark, (BEAT_KEY, "00010000019b76daa800")))
