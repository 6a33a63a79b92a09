"""Writing the test data to the mock cluster of librdkafka."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from confluent_kafka import KafkaError, KafkaException

from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.sandbox import seed_writer
from mirrorstack.sandbox.seed_plan import Record, SeedPlan, Step, Transaction
from mirrorstack.sandbox.seed_topics import ORDERS, PAYMENTS, TOPICS, TopicPlan
from mirrorstack.sandbox.seed_writer import SeedWriter, WrittenSeed
from tests.loopback import refused_connections
from tests.unit.sandbox.mock_cluster import MockCluster, plaintext


@dataclass(frozen=True)
class Steps(SeedPlan):
    """A plan with a few steps, by topic."""

    of: Sequence[Step] = ()

    def steps(self, topic: TopicPlan) -> Iterator[Step]:
        for step in self.of:
            record = step if isinstance(step, Record) else step.records[0]
            if record.topic == topic.name:
                yield step


def record(topic: str, partition: int, value: bytes | None) -> Record:
    return Record(topic, partition, 1_700_000_000_000, b"key", value, (("trace", None),))


@pytest.fixture(scope="module")
def cluster() -> MockCluster:
    return MockCluster()


@pytest.fixture
def writer(cluster: MockCluster) -> SeedWriter:
    writer = SeedWriter(cluster.connection)
    writer.abort_open_transaction()
    return writer


def test_records_are_written_as_planned_and_in_order(
    writer: SeedWriter, cluster: MockCluster
) -> None:
    planned = [record(ORDERS, 1, b"first"), record(ORDERS, 1, None), record(ORDERS, 1, b"")]
    progress: list[tuple[int, str]] = []

    written = writer.write(Steps(of=planned), lambda *step: progress.append(step))

    found = cluster.records(ORDERS, [1])
    assert [message.value() for message in found] == [b"first", None, b""]
    assert {message.key() for message in found} == {b"key"}
    assert {message.timestamp()[1] for message in found} == {1_700_000_000_000}
    assert found[0].headers() == [("trace", None)]
    assert written.ends[TopicPartition(ORDERS, 1)] == 3
    assert progress[-1] == (3, "waiting for the brokers")


def test_every_planned_partition_has_an_end_offset(writer: SeedWriter) -> None:
    written = writer.write(Steps(), lambda *_: None)

    assert set(written.ends.values()) == {0}
    assert len(written.ends) == sum(topic.partitions for topic in TOPICS)


@pytest.mark.parametrize(("commits", "aborted"), [(True, 0), (False, 3)])
def test_a_transaction_takes_one_more_offset_in_each_of_its_partitions(
    writer: SeedWriter, commits: bool, aborted: int
) -> None:
    payments = [record(PAYMENTS, number, b"paid") for number in (0, 0, 2)]

    written = writer.write(
        Steps(of=[record(PAYMENTS, 3, b"paid"), Transaction(tuple(payments), commits)]),
        lambda *_: None,
    )

    ends = {partition.partition: end for partition, end in written.ends.items() if end}
    assert ends == {0: 2 + 1, 2: 1 + 1, 3: 1}, "no control record without a transaction"
    assert written.aborted == aborted


def test_aborted_records_are_in_the_log(writer: SeedWriter, cluster: MockCluster) -> None:
    aborted = Transaction((record(PAYMENTS, 1, b"never paid"),), commits=False)

    writer.write(Steps(of=[aborted]), lambda *_: None)

    assert [message.value() for message in cluster.records(PAYMENTS, [1])] == [b"never paid"]


def test_groups_commit_their_share_of_each_partition(
    writer: SeedWriter, cluster: MockCluster
) -> None:
    partition = TopicPartition(ORDERS, 2)

    writer.commit_groups(WrittenSeed({partition: 90}, 0))

    shares = {"billing": 0, "fulfilment": 45, "reporting": 90, "analytics": 30}
    assert {group: cluster.committed_offset(group, partition) for group in shares} == shares


def test_records_that_no_broker_acknowledges_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seed_writer, "DELIVERY_TIMEOUT_MS", 100)
    with refused_connections() as url:
        writer = SeedWriter(plaintext(url.partition("//")[2]))

        with pytest.raises(KafkaException) as raised:
            writer.write(Steps(of=[record(ORDERS, 0, b"lost")]), lambda *_: None)

    assert raised.value.args[0].code() == KafkaError._MSG_TIMED_OUT
