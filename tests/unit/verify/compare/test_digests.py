"""Stage one on a local Spark session: all topics of the test are scanned at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import BucketComparison, MatchedRanges, compare_buckets
from mirrorstack.verify.compare.digests import ScanResult, scan_compacted, scan_logs
from tests.unit.verify.kafka_frames import BothSides, KafkaRecord, at_offsets, records

WIDTH = 4096
TEN = records(10)
"""In the buckets 0, 1 and 2: of five, four and one record."""


def altered(index: int, **changes: object) -> list[KafkaRecord]:
    return [*TEN[:index], replace(TEN[index], **changes), *TEN[index + 1 :]]  # type: ignore[arg-type]


LOGS = BothSides(
    {
        "equal": (TEN, at_offsets(TEN, 700)),
        "value": (TEN, altered(6, value=b"other")),
        "nulls": (
            [
                *altered(2, headers=(("a", None), ("b", b"1")))[:6],
                *altered(6, key=b"")[6:],
            ],
            [
                *altered(2, headers=(("a", b"1"), ("b", None)))[:6],
                *altered(6, key=None)[6:],
            ],
        ),
        "swapped": (TEN, at_offsets([*TEN[:5], TEN[6], TEN[5], *TEN[7:]])),
        "missing": (TEN, at_offsets(TEN[1:])),
        "append-time": (TEN, [replace(each, timestamp=each.timestamp + 99) for each in TEN]),
        "empty": (TEN, []),
    },
    unstamped=("append-time",),
)
COMPACTED = BothSides(
    {
        "cleaned": (
            [
                KafkaRecord(0, b"a", b"old"),
                KafkaRecord(1, b"b", b"deleted later"),
                KafkaRecord(2, b"a", b"new"),
                KafkaRecord(3, b"b", None),
            ],
            [KafkaRecord(9, b"a", b"new")],
        ),
        "stale": ([KafkaRecord(0, b"a", b"new")], [KafkaRecord(0, b"a", b"old")]),
    },
    compacted=True,
)


@pytest.fixture(scope="module")
def logs(spark: SparkSession) -> ScanResult:
    return scan_logs(LOGS.reader(spark), LOGS.scope, dict.fromkeys(LOGS.topics, WIDTH))


@pytest.fixture(scope="module")
def compacted(spark: SparkSession) -> ScanResult:
    return scan_compacted(COMPACTED.reader(spark, ordered=False), COMPACTED.scope)


def compared(scan: ScanResult, topic: str, *, ordered: bool = True) -> BucketComparison:
    partition = TopicPartition(topic, 0)
    return compare_buckets(scan.source[partition], scan.target[partition], ordered=ordered)


def test_records_are_counted_in_buckets_of_their_timestamps(logs: ScanResult) -> None:
    side = logs.source[TopicPartition("equal", 0)]

    assert {bucket: digest.count for bucket, digest in side.digests.items()} == {0: 5, 1: 4, 2: 1}
    assert side.newest == 9000


def test_equal_records_at_other_offsets_are_proven_equal(logs: ScanResult) -> None:
    result = compared(logs, "equal")

    assert not result.unproven
    assert result.matched == MatchedRanges(OffsetRange(0, 10), OffsetRange(700, 710), 10)


def test_the_bucket_of_an_altered_record_is_unproven(logs: ScanResult) -> None:
    assert compared(logs, "value").unproven == {1}


def test_a_null_in_a_key_or_a_header_is_not_an_empty_value(logs: ScanResult) -> None:
    assert compared(logs, "nulls").unproven == {0, 1}


def test_another_order_has_the_same_sums_and_is_unproven(logs: ScanResult) -> None:
    assert compared(logs, "swapped").unproven == {1}
    assert not compared(logs, "swapped", ordered=False).unproven


def test_a_missing_record_makes_only_its_own_bucket_unproven(logs: ScanResult) -> None:
    assert compared(logs, "missing").unproven == {0}


def test_a_topic_whose_timestamps_are_not_compared_is_one_bucket(logs: ScanResult) -> None:
    assert logs.source[TopicPartition("append-time", 0)].digests.keys() == {0}
    assert not compared(logs, "append-time").unproven
    assert logs.target[TopicPartition("append-time", 0)].newest == 9099, "it is still reported"


def test_a_partition_without_records_has_no_digests(logs: ScanResult) -> None:
    assert TopicPartition("empty", 0) in logs.source
    assert TopicPartition("empty", 0) not in logs.target


def test_older_values_and_deleted_keys_do_not_count_in_compacted_topics(
    compacted: ScanResult,
) -> None:
    assert compacted.source[TopicPartition("cleaned", 0)].count == 1
    assert not compared(compacted, "cleaned", ordered=False).unproven


def test_another_last_value_of_a_key_is_unproven(compacted: ScanResult) -> None:
    assert compared(compacted, "stale", ordered=False).unproven
