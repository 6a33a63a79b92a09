"""Records of MirrorMaker's internal topics, decoded in Spark.

Big-endian; a string is its length in two bytes, then UTF-8. The layouts are those of Kafka 4.3:

| topic | key | value |
|---|---|---|
| checkpoints | group, target topic, partition | version 0, offsets up- and downstream, metadata |
| offset-syncs | source topic, partition | offsets up- and downstream, no version |
| heartbeats | source alias, target alias | version 0, timestamp |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition

SHORT, INT, LONG = 2, 4, 8
VERSION = 0


@dataclass(frozen=True)
class Checkpoint:
    """A committed offset of a group on the source, translated to the target."""

    upstream: int
    downstream: int


@dataclass(frozen=True)
class OffsetSync:
    """The record at `upstream` on the source is at `downstream` on the target."""

    upstream: int
    downstream: int
    at: int
    """The offset of the offset sync itself: they are ordered by time of writing."""
    written: int
    """When it was written, in milliseconds."""


def decode_checkpoints(records: DataFrame) -> dict[tuple[str, TopicPartition], Checkpoint]:
    """The newest of each group and partition of the target."""
    group_length = _number("key", F.lit(1), SHORT)
    topic_at = F.lit(1 + SHORT) + group_length
    topic_length = _number("key", topic_at, SHORT)
    decoded = _without_tombstones(records).select(
        "offset",
        _number("value", F.lit(1), SHORT).alias("version"),
        _text("key", F.lit(1)).alias("group"),
        _text("key", topic_at).alias("topic"),
        _number("key", topic_at + SHORT + topic_length, INT).alias("partition"),
        _number("value", F.lit(1 + SHORT), LONG).alias("upstream"),
        _number("value", F.lit(1 + SHORT + LONG), LONG).alias("downstream"),
    )
    rows = _check_version(decoded, "checkpoints").orderBy("offset").collect()
    return {
        (row["group"], TopicPartition(row["topic"], row["partition"])): Checkpoint(
            row["upstream"], row["downstream"]
        )
        for row in rows
    }


def decode_offset_syncs(records: DataFrame) -> dict[TopicPartition, list[OffsetSync]]:
    """Those that compaction has left, in the order of writing, by partition of the source."""
    length = _number("key", F.lit(1), SHORT)
    rows = (
        _without_tombstones(records)
        .select(
            "offset",
            F.unix_millis("timestamp").alias("written"),
            _text("key", F.lit(1)).alias("topic"),
            _number("key", F.lit(1 + SHORT) + length, INT).alias("partition"),
            _number("value", F.lit(1), LONG).alias("upstream"),
            _number("value", F.lit(1 + LONG), LONG).alias("downstream"),
        )
        .orderBy("offset")
        .collect()
    )
    found: dict[TopicPartition, list[OffsetSync]] = {}
    for row in rows:
        sync = OffsetSync(row["upstream"], row["downstream"], row["offset"], row["written"])
        found.setdefault(TopicPartition(row["topic"], row["partition"]), []).append(sync)
    return found


def decode_heartbeats(records: DataFrame) -> Mapping[tuple[str, str], int]:
    """The newest heartbeat, in milliseconds, by the aliases of source and target."""
    length = _number("key", F.lit(1), SHORT)
    decoded = _without_tombstones(records).select(
        _number("value", F.lit(1), SHORT).alias("version"),
        _text("key", F.lit(1)).alias("source"),
        _text("key", F.lit(1 + SHORT) + length).alias("target"),
        _number("value", F.lit(1 + SHORT), LONG).alias("at"),
    )
    rows = (
        _check_version(decoded, "heartbeats")
        .groupBy("source", "target")
        .agg(F.max("at").alias("at"))
    )
    return {(row["source"], row["target"]): row["at"] for row in rows.collect()}


def _without_tombstones(records: DataFrame) -> DataFrame:
    return records.where(F.col("key").isNotNull() & F.col("value").isNotNull())


def _check_version(decoded: DataFrame, what: str) -> DataFrame:
    """Another version is refused, not misread; MirrorMaker does the same since 4.4."""
    other = decoded.where(F.col("version") != VERSION).select("version").head()
    if other is not None:
        raise UserError(
            f"MirrorMaker's {what} have version {other['version']}; this release reads version "
            f"{VERSION} only.",
            "use a release of Mirrorstack that supports this version of Kafka",
        )
    return decoded


def _number(column: str, at: Column, size: int) -> Column:
    """`size` bytes from position `at`, counted from 1, as a signed number."""
    hexed = F.hex(F.substring(F.col(column), at, F.lit(size)))
    unsigned = F.conv(hexed, 16, -10).cast("bigint")
    if size == LONG:
        return unsigned  # conv to base -10 wraps as a signed 64-bit number does
    half, whole = 1 << (8 * size - 1), 1 << (8 * size)
    return F.when(unsigned >= half, unsigned - whole).otherwise(unsigned).cast("int")


def _text(column: str, at: Column) -> Column:
    length = _number(column, at, SHORT)
    return F.decode(F.substring(F.col(column), at + SHORT, length), "UTF-8")
