"""What stage two reads: the buckets that stage one could not prove equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import zip_longest

from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges
from mirrorstack.verify.compare.classification import UnmatchedRecord, Zone
from mirrorstack.verify.compare.digests import PairReader
from mirrorstack.verify.reading.local_frames import given
from mirrorstack.verify.reading.records import SOURCE, TARGET, part_hashes
from mirrorstack.verify.reading.scope import TopicPair

PLACE = ("topic", "partition")
PARTS = ("offset", "stamp", "timestamp", "key", "key_hash", "value_hash", "headers_hash", "payload")
LONGEST_PAYLOAD = 4096


@dataclass(frozen=True)
class Suspects:
    """The partitions that stage one could not prove equal; names of the source."""

    judged: Mapping[TopicPartition, BucketComparison]
    required: Mapping[TopicPartition, int]
    pairs: Sequence[TopicPair]
    widths: Mapping[str, int]
    payloads: bool = False

    @property
    def target_topic(self) -> dict[str, str]:
        return {pair.topic: pair.target_topic for pair in self.pairs}


def suspicious(
    spark: SparkSession, sides: PairReader, suspects: Suspects, bucket: Column, *, whole: bool
) -> DataFrame:
    """The records of suspicious buckets; both sides under the source's names."""
    remote = suspects.target_topic
    rows = [
        (side, name, number, each, topic)
        for (topic, number), judged in suspects.judged.items()
        for each in judged.suspects
        for side, name in ((SOURCE, topic), (TARGET, remote[topic]))
    ]
    wanted = given(
        spark, rows, "side string, name string, partition int, bucket bigint, known string"
    )
    payload = (
        F.substring("value", 1, LONGEST_PAYLOAD)
        if suspects.payloads
        else F.lit(None).cast("binary")
    )
    read = [layer.of(suspects.pairs) for layer in _layers(sides, suspects, whole=whole)]
    return (
        reduce(DataFrame.unionByName, read)
        .withColumns({"bucket": bucket, "payload": payload})
        .withColumnRenamed("topic", "name")
        .join(F.broadcast(wanted), on=["side", "name", "partition", "bucket"], how="inner")
        .withColumnRenamed("known", "topic")
        .select("*", *part_hashes())
    )


def _layers(sides: PairReader, suspects: Suspects, *, whole: bool) -> Iterator[PairReader]:
    """Spark reads one stretch of a partition at a time: where several are wanted, several reads."""
    remote = suspects.target_topic
    if whole:
        places = suspects.judged.keys()
        there = {(remote[topic], number) for topic, number in places}
        yield replace(
            sides,
            source_ranges={p: r for p, r in sides.source_ranges.items() if p in places},
            target_ranges={p: r for p, r in sides.target_ranges.items() if p in there},
        )
        return
    source = [[(place, r) for r in judged.source] for place, judged in suspects.judged.items()]
    target = [
        [(TopicPartition(remote[topic], number), r) for r in judged.target]
        for (topic, number), judged in suspects.judged.items()
    ]
    ours, theirs = _slices(source), _slices(target)
    for turn in range(max(len(ours), len(theirs))):
        yield replace(
            sides,
            source_ranges=ours[turn] if turn < len(ours) else {},
            target_ranges=theirs[turn] if turn < len(theirs) else {},
        )


def _slices(
    stretches: list[list[tuple[TopicPartition, OffsetRange]]],
) -> list[dict[TopicPartition, OffsetRange]]:
    return [dict(each for each in layer if each is not None) for layer in zip_longest(*stretches)]


def matched_in(both: DataFrame) -> dict[TopicPartition, MatchedRanges]:
    rows = both.groupBy(*PLACE).agg(
        F.count(F.lit(1)).alias("count"),
        F.min("here.offset").alias("first_here"),
        F.max("here.offset").alias("last_here"),
        F.min("there.offset").alias("first_there"),
        F.max("there.offset").alias("last_there"),
    )
    return {
        TopicPartition(row["topic"], row["partition"]): MatchedRanges(
            OffsetRange(row["first_here"], row["last_here"] + 1),
            OffsetRange(row["first_there"], row["last_there"] + 1),
            row["count"],
        )
        for row in rows.collect()
    }


def limits(matched: OffsetRange | None) -> tuple[int | None, int | None]:
    return (matched.start, matched.end - 1) if matched else (None, None)


def sighting(it: Row, zone: Zone, original: int | None = None) -> UnmatchedRecord:
    payload = it["payload"]
    return UnmatchedRecord(
        offset=it["offset"],
        zone=zone,
        key=None if it["key"] is None else bytes(it["key"]),
        stamp=it["stamp"],
        parts=(it["key_hash"], it["value_hash"], it["headers_hash"], it["timestamp"]),
        original=original,
        payload=None if payload is None else bytes(payload).decode(errors="replace"),
    )
