"""What a cluster does not let its user see is named at once and wholly, with what grants it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from confluent_kafka.admin import NewTopic

from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.kafka.record_scan import records_at
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import acl, admin, exactly

TOPICS = ["refused-first", "refused-second"]


@pytest.fixture(scope="module")
def cluster(sandbox: Sandbox) -> Iterator[KafkaCluster]:
    """As the mirroring principal sees it, which may describe the topics and no more."""
    owner = admin(sandbox, Cluster.EAST)
    for made in owner.create_topics([NewTopic(topic, 1) for topic in TOPICS]).values():
        made.result(15)
    given = [
        acl(Acl("east", ResourcePattern(ResourceType.TOPIC, topic), Operation.DESCRIBE, ""))
        for topic in TOPICS
    ]
    for granted in owner.create_acls(given).values():
        granted.result(15)
    cluster = KafkaCluster("east", sandbox.connection(Cluster.EAST, Principal.MIRROR), "")
    seen = cluster.admin([])
    eventually(
        lambda: set(TOPICS) <= set(seen.list_topics(timeout=15).topics), "it may see the topics"
    )
    yield cluster
    for taken in owner.delete_acls([exactly(each) for each in given]).values():
        taken.result(15)


def test_configs_that_may_not_be_described_are_named_all_at_once(cluster: KafkaCluster) -> None:
    with pytest.raises(UserError) as raised:
        cluster.inventory(lambda topic: topic in TOPICS)

    said = str(raised.value)
    assert f"let mirror do DescribeConfigs on topics {TOPICS[0]}, {TOPICS[1]}." in said
    for topic in TOPICS:
        assert f"--operation DescribeConfigs --topic '{topic}'" in said


def test_records_that_may_not_be_read_are_named(cluster: KafkaCluster) -> None:
    with pytest.raises(UserError) as raised:
        records_at(cluster, {TopicPartition(TOPICS[0], 0): 0})

    assert f"let mirror do Read on topic {TOPICS[0]}." in str(raised.value)


def test_what_somebody_granted_before_is_known(cluster: KafkaCluster, sandbox: Sandbox) -> None:
    owner = replace(cluster, connection=sandbox.connection(Cluster.EAST, Principal.ADMIN))
    topic = ResourcePattern(ResourceType.TOPIC, TOPICS[0])
    asked = [Acl("east", topic, each, "") for each in (Operation.DESCRIBE, Operation.READ)]

    assert owner.existing_acls("mirror", asked) == asked[:1]
    assert owner.existing_acls("nobody", asked) == []
