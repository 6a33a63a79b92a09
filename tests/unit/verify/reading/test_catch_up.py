"""The newest records of partitions, and waiting for them, with a fake consumer."""

from __future__ import annotations

import pytest

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.reading.catch_up import newest_records, wait_until_seen
from tests.unit.kafka.fakes import FakeAdmin, FakeMessage, cluster, end_of, install_consumer

ORDERS, CLICKS = TopicPartition("orders", 0), TopicPartition("clicks", 0)


def test_the_newest_record_is_the_last_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = install_consumer(
        monkeypatch, [FakeMessage(*ORDERS, offset_=n) for n in (97, 98, 99, 100)]
    )

    found = newest_records(cluster(FakeAdmin()), {ORDERS: OffsetRange(0, 100)})

    assert fake.assigned == [[("orders", 0, 80)]]
    assert found[ORDERS].timestamp == 1099


def test_it_reads_further_back_where_the_end_holds_only_markers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = install_consumer(
        monkeypatch, [end_of(*ORDERS)], [FakeMessage(*ORDERS, offset_=5), end_of(*ORDERS)]
    )

    found = newest_records(cluster(FakeAdmin()), {ORDERS: OffsetRange(0, 100)})

    assert fake.assigned == [[("orders", 0, 80)], [("orders", 0, 0)]]
    assert found[ORDERS].timestamp == 1005


def test_an_empty_range_has_no_newest_record() -> None:
    assert newest_records(cluster(FakeAdmin()), {ORDERS: OffsetRange(7, 7)}) == {}


@pytest.mark.parametrize("seconds", [0.0, 30.0])
def test_partitions_whose_record_is_not_seen_in_time_are_returned(
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
) -> None:
    install_consumer(monkeypatch, [FakeMessage(*ORDERS, offset_=3)])
    progress: list[tuple[int, int]] = []

    missing = wait_until_seen(
        cluster(FakeAdmin()),
        {ORDERS: 0, CLICKS: 0},
        {ORDERS: lambda record: record.timestamp == 1003, CLICKS: lambda _record: True},
        seconds,
        lambda done, of: progress.append((done, of)),
    )

    assert list(missing) == [CLICKS]
    assert progress[-1] == (1, 2)
