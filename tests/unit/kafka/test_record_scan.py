"""Single records and Connect's offsets, with a fake consumer."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from mirrorstack.findings import UserError
from mirrorstack.kafka import record_scan
from mirrorstack.kafka.offset_ranges import ConsumedRecord
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.kafka.record_scan import connect_offsets, partitions_missing_record, records_at
from tests.unit.kafka.fakes import FakeAdmin, FakeConsumer, FakeMessage, cluster, end_of

Consumers = Callable[..., FakeConsumer]

ORDERS = TopicPartition("orders", 0)


def committed(connector: str, topic: str, offset: int | None) -> FakeMessage:
    source = {"cluster": "east", "topic": topic, "partition": 0}
    value = None if offset is None else json.dumps({"offset": offset}).encode()
    return FakeMessage("offsets", 0, 0, value, json.dumps([connector, source]).encode())


def test_the_last_offset_of_each_partition_counts(consumer: Consumers) -> None:
    consumer(
        [
            committed("source", "orders", 3),
            committed("source", "orders", 7),
            committed("another", "orders", 99),
            committed("source", "clicks", 1),
            committed("source", "clicks", None),
            end_of("offsets", 0),
        ]
    )

    assert connect_offsets(cluster(FakeAdmin()), "offsets", 1, "source") == {ORDERS: 7}


def test_a_record_that_was_compacted_away_is_absent(consumer: Consumers) -> None:
    audit = TopicPartition("audit", 0)
    consumer([FakeMessage("orders", 0, 5), FakeMessage("audit", 0, 9)])

    found = records_at(cluster(FakeAdmin()), {ORDERS: 5, audit: 6})

    assert found == {ORDERS: ConsumedRecord(None, b"value", (), 1005)}


def test_a_partition_that_ends_without_the_record_is_named(consumer: Consumers) -> None:
    clicks = TopicPartition("clicks", 0)
    consumer(
        [
            FakeMessage("orders", 0, 0, b"other"),
            end_of("orders", 0),
            FakeMessage("clicks", 0, 0, b"wanted"),
            end_of("clicks", 0),
        ]
    )
    wanted = ConsumedRecord(None, b"wanted", (), 0)

    missing = partitions_missing_record(
        cluster(FakeAdmin()), {ORDERS: wanted, clicks: wanted}, {ORDERS: 0, clicks: 0}
    )

    assert missing == {ORDERS}


def test_a_partition_with_too_many_records_is_inconclusive(
    consumer: Consumers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_scan, "MAX_RECORDS", 2)
    consumer([FakeMessage("orders", 0, n, b"other") for n in range(3)] + [end_of("orders", 0)])
    wanted = {ORDERS: ConsumedRecord(None, b"wanted", (), 0)}

    assert partitions_missing_record(cluster(FakeAdmin()), wanted, {ORDERS: 0}) == set()


def test_a_partition_that_is_not_read_in_time_is_an_error(consumer: Consumers) -> None:
    consumer()

    with pytest.raises(UserError, match="could not read orders within 60 s"):
        records_at(cluster(FakeAdmin()), {ORDERS: 0})


def test_without_partitions_nothing_is_read() -> None:
    assert records_at(cluster(FakeAdmin()), {}) == {}
