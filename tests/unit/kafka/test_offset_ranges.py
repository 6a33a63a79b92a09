"""The offset-range reader, with a fake consumer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from confluent_kafka import KafkaError, KafkaException

from mirrorstack.findings import UserError
from mirrorstack.kafka.offset_ranges import ConsumedRecord, OffsetRange, OffsetRangeReader
from mirrorstack.kafka.partitions import TopicPartition
from tests.unit.kafka.fakes import FakeAdmin, FakeConsumer, FakeMessage, cluster, end_of

Consumers = Callable[..., FakeConsumer]

ORDERS, CLICKS = TopicPartition("orders", 0), TopicPartition("clicks", 1)


def message(partition: TopicPartition, offset: int) -> FakeMessage:
    return FakeMessage(*partition, offset)


def offsets(
    reader: OffsetRangeReader,
    starts: Mapping[TopicPartition, int],
    ends: Mapping[TopicPartition, int] | None = None,
    *,
    seconds: float = 5,
    idle: bool = False,
) -> list[tuple[TopicPartition, int | None]]:
    batches = reader.batches(starts, ends, seconds=seconds, idle=idle)
    return [(partition, each.offset()) for batch in batches for partition, each in batch]


def test_only_committed_records_are_read_and_nothing_is_committed(consumer: Consumers) -> None:
    fake = consumer()

    with OffsetRangeReader(cluster(FakeAdmin())):
        pass

    assert fake.config["isolation.level"] == "read_committed"
    assert fake.config["enable.auto.commit"] is False
    assert fake.config["sasl.username"] == "mirror"
    assert fake.is_closed


def test_bounded_reads_fetch_little_ahead_and_followers_do_not_poll_brokers_often(
    consumer: Consumers,
) -> None:
    bounded = consumer()
    OffsetRangeReader(cluster(FakeAdmin()))
    following = consumer()
    OffsetRangeReader(cluster(FakeAdmin()), follow=True)

    assert bounded.config["queued.max.messages.kbytes"] == 8192
    assert "fetch.wait.max.ms" not in following.config


def test_a_range_ends_before_its_end(consumer: Consumers) -> None:
    fake = consumer([message(ORDERS, 3), message(ORDERS, 4), message(ORDERS, 5)])

    with OffsetRangeReader(cluster(FakeAdmin())) as reader:
        assert offsets(reader, {ORDERS: 3}, {ORDERS: 5}) == [(ORDERS, 3), (ORDERS, 4)]

    assert fake.assigned == [[("orders", 0, 3)]]
    assert fake.unassigned == [("orders", 0)]
    assert reader.unfinished == set()


def test_a_range_whose_last_offset_is_a_marker_ends_with_the_next_record(
    consumer: Consumers,
) -> None:
    consumer([message(ORDERS, 3)], [message(ORDERS, 9)])

    with OffsetRangeReader(cluster(FakeAdmin())) as reader:
        assert offsets(reader, {ORDERS: 3}, {ORDERS: 6}) == [(ORDERS, 3)]

    assert not reader.unfinished
    assert not reader.ended, "the end of the partition was not seen"


def test_a_range_whose_last_offset_is_a_marker_ends_with_the_partition(
    consumer: Consumers,
) -> None:
    consumer([message(ORDERS, 3), end_of(*ORDERS)])

    with OffsetRangeReader(cluster(FakeAdmin())) as reader:
        assert offsets(reader, {ORDERS: 3}, {ORDERS: 6}) == [(ORDERS, 3)]

    assert reader.ended == {ORDERS}


def test_a_follower_reads_on_at_the_end_of_a_partition(consumer: Consumers) -> None:
    consumer([end_of(*ORDERS)], [message(ORDERS, 7)])

    with OffsetRangeReader(cluster(FakeAdmin()), follow=True) as reader:
        assert offsets(reader, {ORDERS: 7}) == [(ORDERS, 7)]

    assert reader.unfinished == {ORDERS}


def test_a_finished_partition_is_read_no_more(consumer: Consumers) -> None:
    fake = consumer(
        [message(ORDERS, 0), message(CLICKS, 0)],
        [message(ORDERS, 1), message(CLICKS, 1), end_of(*CLICKS)],
    )
    seen = []

    with OffsetRangeReader(cluster(FakeAdmin())) as reader:
        for batch in reader.batches({ORDERS: 0, CLICKS: 0}, seconds=5):
            seen += [partition for partition, _ in batch]
            reader.finish([ORDERS])

    assert seen == [ORDERS, CLICKS, CLICKS]
    assert fake.unassigned[0] == ("orders", 0)


def test_a_partition_that_is_not_read_in_time_is_unfinished(consumer: Consumers) -> None:
    consumer([end_of(*CLICKS)])

    with OffsetRangeReader(cluster(FakeAdmin())) as reader:
        assert offsets(reader, {ORDERS: 0, CLICKS: 0}) == []

    assert reader.unfinished == {ORDERS}
    error = reader.timed_out(5)
    assert str(error) == "Cluster east: could not read orders within 5 s.\nfix: start the brokers"


def test_an_idle_deadline_is_extended_by_every_record(
    consumer: Consumers, monkeypatch: pytest.MonkeyPatch
) -> None:
    consumer(*([message(ORDERS, n)] for n in range(10)), [end_of(*ORDERS)])
    now = iter(range(0, 1000, 2))
    monkeypatch.setattr("mirrorstack.kafka.offset_ranges.time.monotonic", lambda: next(now))

    with OffsetRangeReader(cluster(FakeAdmin())) as reader:
        assert len(offsets(reader, {ORDERS: 0}, idle=True)) == 10


def test_several_ranges_are_read_with_one_consumer(consumer: Consumers) -> None:
    fake = consumer([message(ORDERS, 0)], [message(ORDERS, 8)])

    with OffsetRangeReader(cluster(FakeAdmin())) as reader:
        assert offsets(reader, {ORDERS: 0}, {ORDERS: 1}) == [(ORDERS, 0)]
        assert offsets(reader, {ORDERS: 8}, {ORDERS: 9}) == [(ORDERS, 8)]

    assert fake.assigned == [[("orders", 0, 0)], [("orders", 0, 8)]]


def test_a_topic_that_may_not_be_read_is_an_error_with_the_acl_to_add(consumer: Consumers) -> None:
    refused = KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED)
    consumer([FakeMessage(*ORDERS, error_=refused)])

    with (
        OffsetRangeReader(cluster(FakeAdmin())) as reader,
        pytest.raises(UserError, match="not authorized: Read on topic orders") as raised,
    ):
        offsets(reader, {ORDERS: 0})

    assert "--operation Read --topic 'orders'" in raised.value.fix


def test_errors_of_the_client_are_user_errors(consumer: Consumers) -> None:
    consumer(KafkaException(KafkaError(KafkaError._TRANSPORT, "connection refused")))

    with (
        OffsetRangeReader(cluster(FakeAdmin())) as reader,
        pytest.raises(UserError, match="Cluster east at east:9093: request as mirror failed"),
    ):
        offsets(reader, {ORDERS: 0})


def test_errors_can_be_left_to_the_deadline(consumer: Consumers) -> None:
    refused = KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED)
    consumer([FakeMessage(*ORDERS, error_=refused), message(CLICKS, 0), end_of(*CLICKS)])

    with OffsetRangeReader(cluster(FakeAdmin()), ignore_errors=True) as reader:
        assert offsets(reader, {ORDERS: 0, CLICKS: 0}) == [(CLICKS, 0)]

    assert reader.unfinished == {ORDERS}


def test_a_trimmed_range_starts_after_its_first_offset() -> None:
    assert OffsetRange(5, 9).is_trimmed
    assert not OffsetRange(5, 9, begins=5).is_trimmed


def test_the_content_of_a_record_is_what_mirror_maker_replicates() -> None:
    one, other = ConsumedRecord(b"k", b"v", (), 1), ConsumedRecord(b"k", b"v", (), 2)

    assert one != other
    assert one.content == other.content
