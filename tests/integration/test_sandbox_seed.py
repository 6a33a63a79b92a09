"""The test data on a real cluster equals its plan; writing at a rate."""

from __future__ import annotations

import signal
from collections import Counter, defaultdict

import pytest
from confluent_kafka import (
    ConsumerGroupTopicPartitions,
    Message,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, ConfigResource, OffsetSpec, ResourceType

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.kafka import partitions
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_plan import Record, SeedPlan
from mirrorstack.sandbox.seed_topics import (
    CUSTOMERS,
    GROUPS,
    PAYMENTS,
    TOPICS,
    GroupPlan,
    committed_offsets,
)
from mirrorstack.sandbox.seeder import Seeder
from tests.integration.conftest import CommandLine, eventually, read

Partition = tuple[str, int]
PARTITIONS = [(topic.name, number) for topic in TOPICS for number in range(topic.partitions)]
SEED = ("sandbox", "seed", "--name", "shared")


@pytest.fixture(scope="module")
def app(sandbox: Sandbox) -> AdminClient:
    config = sandbox.connection(Cluster.EAST, Principal.APP).client_config()
    return AdminClient(config | {"log_level": 0})


def end_offsets(app: AdminClient, wanted: list[Partition]) -> dict[Partition, int]:
    latest = OffsetSpec.latest()  # type: ignore[no-untyped-call]
    requests = {TopicPartition(topic, number): latest for topic, number in wanted}
    offsets = app.list_offsets(requests).items()
    return {(key.topic, key.partition): future.result(15).offset for key, future in offsets}


def planned_ends(plan: SeedPlan) -> dict[Partition, int]:
    """One offset per record, and one per transaction in a partition for its control record."""
    ends: Counter[Partition] = Counter(dict.fromkeys(PARTITIONS, 0))
    for topic in TOPICS:
        for step in plan.steps(topic):
            records = (step,) if isinstance(step, Record) else step.records
            written = [(record.topic, record.partition) for record in records]
            ends.update(written)
            if not isinstance(step, Record):
                ends.update(set(written))
    return dict(ends)


def as_record(message: Message) -> Record:
    topic, partition = message.topic(), message.partition()
    assert topic is not None
    assert partition is not None
    headers = message.headers() or []
    assert isinstance(headers, list)
    return Record(
        topic=topic,
        partition=partition,
        timestamp=message.timestamp()[1],
        key=message.key(),
        value=message.value(),
        headers=tuple((name, value) for name, value in headers if not isinstance(value, str)),
    )


@pytest.fixture(scope="module")
def plan(seeded: Sandbox) -> SeedPlan:
    """The plan of the seeded sandbox."""
    return SeedPlan()


def test_the_committed_records_are_those_of_the_plan(sandbox: Sandbox, plan: SeedPlan) -> None:
    expected: dict[Partition, list[Record]] = defaultdict(list)
    for record in plan.visible():
        expected[record.topic, record.partition].append(record)
    found: dict[Partition, list[Record]] = defaultdict(list)
    connection = sandbox.connection(Cluster.EAST, Principal.APP)
    for message in read(connection, planned_ends(plan)):
        record = as_record(message)
        found[record.topic, record.partition].append(record)
    assert found.keys() == expected.keys()
    for partition in expected:
        if partition[0] == CUSTOMERS:
            assert_compacted(found[partition], expected[partition])
        else:
            assert found[partition] == expected[partition], partition


def assert_compacted(found: list[Record], written: list[Record]) -> None:
    """The broker may compact at any time: records stay in order, and the last of each key stays."""
    rest = iter(written)
    assert all(record in rest for record in found), "in the order of the plan"
    last = {record.key: record for record in found}
    for key, record in {record.key: record for record in written}.items():
        assert record.value is None or last[key] == record


def test_aborted_records_are_in_the_log_but_not_committed(sandbox: Sandbox, plan: SeedPlan) -> None:
    ends = {
        partition: end for partition, end in planned_ends(plan).items() if partition[0] == PAYMENTS
    }
    committed = read(sandbox.connection(Cluster.EAST, Principal.APP), ends)
    written = next(topic.records for topic in TOPICS if topic.name == PAYMENTS)
    assert len(committed) < written
    assert sum(ends.values()) > written, "each control record takes an offset as well"


def test_end_offsets_are_those_of_the_plan(app: AdminClient, plan: SeedPlan) -> None:
    planned = planned_ends(plan)
    actual = end_offsets(app, PARTITIONS)
    live = {"orders", "clicks"}  # --rate writes to these
    for partition, end in planned.items():
        assert actual[partition] == end or (partition[0] in live and actual[partition] > end), (
            partition
        )


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_the_committed_offsets_of_a_group_are_those_of_the_plan(
    app: AdminClient, plan: SeedPlan, group: GroupPlan
) -> None:
    request = ConsumerGroupTopicPartitions(group.name)
    result = app.list_consumer_group_offsets([request])[group.name].result(15)
    offsets = {(each.topic, each.partition): each.offset for each in result.topic_partitions}
    assert offsets == committed_offsets(
        group,
        {
            partitions.TopicPartition(*partition): end
            for partition, end in planned_ends(plan).items()
        },
    )


def test_topics_have_their_partitions_and_configs(app: AdminClient, plan: SeedPlan) -> None:
    topics = app.list_topics(timeout=15).topics
    for topic in TOPICS:
        assert len(topics[topic.name].partitions) == topic.partitions
        resource = ConfigResource(ResourceType.TOPIC, topic.name)
        entries = app.describe_configs([resource])[resource].result(15)
        overrides = {name: entries[name].value for name in topic.config}
        assert overrides == dict(topic.config)
        assert entries["message.timestamp.type"].value == "CreateTime"


def test_seeding_again_changes_nothing(
    app: AdminClient, plan: SeedPlan, mirrorstack: CommandLine
) -> None:
    before = end_offsets(app, PARTITIONS)
    ended = mirrorstack(*SEED)
    assert ended.returncode == 0, ended.stderr
    assert "is already seeded" in ended.stderr
    assert "payments" in ended.stdout
    assert end_offsets(app, PARTITIONS) == before


def test_another_seed_is_refused(plan: SeedPlan, sandbox: Sandbox) -> None:
    with pytest.raises(UserError) as raised:
        Seeder(sandbox, Console()).seed(SeedPlan(plan.seed + 1))
    assert "--seed 42" in raised.value.message
    assert "mirrorstack sandbox reset --name shared" in raised.value.fix


def live_records(app: AdminClient) -> int:
    return sum(end_offsets(app, [p for p in PARTITIONS if p[0] in {"orders", "clicks"}]).values())


def test_records_are_written_at_the_rate_for_the_given_seconds(
    app: AdminClient, plan: SeedPlan, mirrorstack: CommandLine
) -> None:
    before = live_records(app)
    ended = mirrorstack(*SEED, "--rate", "300", "--for", "2")
    assert ended.returncode == 0, ended.stderr
    written = live_records(app) - before
    assert f"wrote {written:,} records" in ended.stdout
    assert 500 <= written <= 602, "600 are due; a busy machine may write fewer"


def test_an_interrupt_stops_writing_and_prints_the_number_of_records(
    app: AdminClient, plan: SeedPlan, mirrorstack: CommandLine
) -> None:
    before = live_records(app)
    with mirrorstack.start(*SEED, "--rate", "200") as process:
        eventually(lambda: live_records(app) > before + 100, "a hundred records are written")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    assert f"wrote {live_records(app) - before:,} records" in output
    assert "Traceback" not in errors
