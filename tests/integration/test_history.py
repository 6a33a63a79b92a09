"""Lag, rate and latency, measured with the brokers' timestamp index and Spark. The tests write the
offset syncs, so that every number is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.verify.history.replication_history import History, HistoryMeasurement
from mirrorstack.verify.reading.internal_topics import OffsetSync, decode_offset_syncs
from mirrorstack.verify.reading.records import RecordReader
from mirrorstack.verify.reading.session import session
from tests.integration.record_copier import BEGAN, Copier, plain

TIMED, TRIMMED, UNSYNCED = "past.timed", "past.trimmed", "past.unsynced"
WHOLE = OffsetRange(0, 200)
EVERY = 300
"""Milliseconds between two records."""


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    quick = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
    with session(more=quick) as opened:
        yield opened


@pytest.fixture(scope="module")
def notes(sandbox: Sandbox, spark: SparkSession) -> dict[TopicPartition, list[OffsetSync]]:
    copier = Copier(sandbox, "past")
    for topic in (TIMED, TRIMMED, UNSYNCED):
        copier.make(copier.source, topic)
        copier.write(copier.source, topic, plain(200))
    copier.trim(copier.source, TRIMMED, 150)
    for upstream, after in ((0, 10), (100, 250), (199, 40)):
        copier.sync(TIMED, upstream, upstream, BEGAN + upstream * EVERY + after)
    for upstream in (100, 199):
        copier.sync(TRIMMED, upstream, upstream, BEGAN + upstream * EVERY - 1)
    west = sandbox.connection(Cluster.WEST, Principal.ADMIN)
    return decode_offset_syncs(
        RecordReader(spark, west).read({TopicPartition(copier.syncs_topic, 0): OffsetRange(0, 5)})
    )


@pytest.fixture(scope="module")
def source(sandbox: Sandbox) -> KafkaCluster:
    east = sandbox.connection(Cluster.EAST, Principal.ADMIN)
    return KafkaCluster("east", east, "look at the sandbox")


def measured(
    spark: SparkSession,
    source: KafkaCluster,
    notes: dict[TopicPartition, list[OffsetSync]],
    topic: str,
    *,
    held: OffsetRange = WHOLE,
    lacking: int = 0,
) -> History | None:
    reader = RecordReader(spark, source.connection)
    return HistoryMeasurement(
        source, reader, {TopicPartition(topic, 0): held}, {TopicPartition(topic, 0): lacking}
    ).history(notes)


def test_brokers_look_up_the_end_offset_at_a_time(
    notes: dict[TopicPartition, list[OffsetSync]], source: KafkaCluster
) -> None:
    times = [BEGAN - 1, BEGAN, BEGAN + EVERY - 1, BEGAN + EVERY, BEGAN + 199 * EVERY]

    ended = source.end_offsets_at([TopicPartition(TIMED, 0)], times)

    assert [each[TopicPartition(TIMED, 0)] for each in ended] == [0, 1, 1, 2, None]


def test_offset_syncs_show_lag_rate_and_latency(
    spark: SparkSession, source: KafkaCluster, notes: dict[TopicPartition, list[OffsetSync]]
) -> None:
    found = measured(spark, source, notes, TIMED)

    assert found is not None
    times = [found.first + at * found.interval - BEGAN for at in range(len(found.lag))]
    written = [min(200, time // EVERY + 1) for time in times]
    noted = 100 * EVERY + 250
    copied = [
        200 if at == len(times) - 1 else 101 if time >= noted else 1
        for at, time in enumerate(times)
    ]
    assert found.lag == tuple(w - c for w, c in zip(written, copied, strict=True))
    assert max(found.lag) > 90, "the first hundred came long before their note"
    assert sum(found.rate) * found.interval / 1000 == pytest.approx(200, abs=1)
    assert (found.latency.samples, found.latency.median, found.latency.max) == (2, 40, 250)
    assert found.latency.backlog == 1, "the first record is older than the first note"


def test_deleted_records_and_later_timestamps_are_counted_separately(
    spark: SparkSession, source: KafkaCluster, notes: dict[TopicPartition, list[OffsetSync]]
) -> None:
    found = measured(spark, source, notes, TRIMMED, held=OffsetRange(150, 200))

    assert found is not None
    assert (found.latency.samples, found.latency.deleted, found.latency.clock_ahead) == (0, 1, 1)


def test_records_that_have_not_arrived_lag_until_now(
    spark: SparkSession, source: KafkaCluster, notes: dict[TopicPartition, list[OffsetSync]]
) -> None:
    found = measured(spark, source, notes, TIMED, lacking=7)

    assert found is not None
    assert found.lag[-1] == 7
    assert found.first + found.interval * len(found.rate) > BEGAN + 200 * EVERY


def test_without_offset_syncs_there_is_no_history(
    spark: SparkSession, source: KafkaCluster, notes: dict[TopicPartition, list[OffsetSync]]
) -> None:
    assert measured(spark, source, notes, UNSYNCED) is None
