"""Requests that a real broker does not authorize: one error with all topics and the commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from confluent_kafka.admin import NewTopic

from mirrorstack.findings import UserError
from mirrorstack.kafka.acl_bindings import describe_acls
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.kafka.record_scan import records_at
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import acl, admin, exactly

TOPICS = ["refused-first", "refused-second"]
HIDDEN = "refused-hidden"


@pytest.fixture(scope="module")
def cluster(sandbox: Sandbox) -> Iterator[KafkaCluster]:
    """As a principal that has only Describe on the topics."""
    owner = admin(sandbox, Cluster.EAST)
    for made in owner.create_topics([NewTopic(topic, 1) for topic in (*TOPICS, HIDDEN)]).values():
        made.result(15)
    given = [
        acl(Acl("east", ResourcePattern(ResourceType.TOPIC, topic), Operation.DESCRIBE, ""))
        for topic in TOPICS
    ]
    for granted in owner.create_acls(given).values():
        granted.result(15)
    cluster = KafkaCluster("east", sandbox.connection(Cluster.EAST, Principal.MIRROR), "")
    eventually(lambda: set(TOPICS) <= set(cluster.metadata().topics), "the ACLs are effective")
    yield cluster
    for taken in owner.delete_acls([exactly(each) for each in given]).values():
        taken.result(15)


@pytest.fixture
def owner(cluster: KafkaCluster, sandbox: Sandbox) -> KafkaCluster:
    return replace(cluster, connection=sandbox.connection(Cluster.EAST, Principal.ADMIN))


def test_all_topics_without_describe_configs_are_in_one_error(cluster: KafkaCluster) -> None:
    with pytest.raises(UserError) as raised:
        cluster.inventory(lambda topic: topic in TOPICS)

    said = str(raised.value)
    assert (
        f"User:mirror is not authorized: DescribeConfigs on topics {TOPICS[0]}, {TOPICS[1]}."
        in said
    )
    for topic in TOPICS:
        assert f"--operation DescribeConfigs --topic '{topic}'" in said


def test_a_topic_without_read_is_named(cluster: KafkaCluster) -> None:
    with pytest.raises(UserError) as raised:
        records_at(cluster, {TopicPartition(TOPICS[0], 0): 0})

    assert f"User:mirror is not authorized: Read on topic {TOPICS[0]}." in str(raised.value)
    assert f"--operation Read --topic '{TOPICS[0]}'" in raised.value.fix


def test_offsets_of_a_topic_without_describe_are_an_error_that_names_it(
    cluster: KafkaCluster,
) -> None:
    with pytest.raises(UserError) as raised:
        cluster.offset_ranges({TOPICS[0]: 1, HIDDEN: 1})

    assert f"User:mirror is not authorized: Describe on topic {HIDDEN}." in str(raised.value)


def test_a_topic_that_does_not_exist_has_no_offsets(owner: KafkaCluster) -> None:
    absent = TopicPartition("refused-absent", 0)

    assert owner.latest_offsets([absent, TopicPartition(TOPICS[0], 0)]) == {(TOPICS[0], 0): 0}
    assert owner.latest_offsets([absent]) == {}
    assert owner.describe_topics(["refused-absent"]) == {}
    with pytest.raises(UserError, match="refused-absent-0 does not exist"):
        owner.offset_ranges({"refused-absent": 1})


def test_acls_that_exist_are_found(owner: KafkaCluster) -> None:
    topic = ResourcePattern(ResourceType.TOPIC, TOPICS[0])
    asked = [Acl("east", topic, each, "") for each in (Operation.DESCRIBE, Operation.READ)]

    assert describe_acls(owner, "mirror").existing(asked) == asked[:1]
    assert describe_acls(owner, "nobody").existing(asked) == []


def test_who_may_not_describe_acls_learns_that_there_is_an_authorizer(
    cluster: KafkaCluster,
) -> None:
    answered = describe_acls(cluster, "mirror")

    assert (answered.has_authorizer, answered.is_known) == (True, False)
