"""The KafkaUser of a cluster of Strimzi's, and the wait for its operators."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi

from components.platforms.strimzi_cluster import OperatedCluster, OperatedClusterArgs
from components.topics import Topics, TopicsArgs
from mirrorstack.config.clusters import AclMode
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.mm2.target_topics import TargetTopic
from mirrorstack.planning.cluster_acls import ClusterAcls
from tests.unit.components.declaring import Declared, declare
from tests.unit.strimzi.clusters import strimzi_cluster

READ = Acl("west", ResourcePattern(ResourceType.TOPIC, "orders"), Operation.READ, "it reads")
ORDERS = TargetTopic("orders", 3, 1, {})


def operated(acls: Sequence[Acl] = (READ,), topics: Sequence[TargetTopic] = (ORDERS,)) -> Declared:
    def program() -> None:
        cluster = strimzi_cluster()
        args = OperatedClusterArgs(
            alias="west",
            cluster=cluster,
            acls=ClusterAcls(AclMode.MANAGED, "mirror", (READ,), (), tuple(acls)),
            topics=[Topics("topics", TopicsArgs(topics=topics, strimzi=cluster))],
        )
        OperatedCluster("operators", args, pulumi.ResourceOptions())

    return declare(program)


def test_the_acls_are_a_patch_of_the_principal_s_kafka_user() -> None:
    (patch,) = operated().of_type(":KafkaUserPatch")

    assert patch.type == "kubernetes:kafka.strimzi.io/v1:KafkaUserPatch"
    assert patch.inputs["metadata"]["name"] == "mirror"
    (acl,) = patch.inputs["spec"]["authorization"]["acls"]
    assert acl["operations"] == ["Read"]
    assert not patch.request.retainOnDelete


def test_the_wait_is_for_all_topics_and_the_user() -> None:
    declared = operated()

    readiness = declared.resources["operators-readiness"]
    assert readiness.inputs["objects"] == ["v1/KafkaTopic/orders", "v1/KafkaUser/mirror"]
    assert readiness.inputs["wait_seconds"] == 60
    assert {"operators-kafka-user", "topics-orders"} <= readiness.dependencies


def test_a_change_of_the_acls_is_waited_for() -> None:
    other = Acl("west", READ.resource, Operation.WRITE, "it writes")
    revisions = [
        operated(acls).resources["operators-readiness"].inputs["revision"]
        for acls in ([READ], [READ, other])
    ]

    assert revisions[0] != revisions[1]


def test_without_acls_the_kafka_user_is_left_alone() -> None:
    declared = operated(acls=())

    assert declared.of_type(":KafkaUserPatch") == []
    assert declared.resources["operators-readiness"].inputs["objects"] == ["v1/KafkaTopic/orders"]


def test_the_state_says_that_topics_are_kafka_topics_even_without_any() -> None:
    declared = operated(acls=(), topics=())

    assert "operators-readiness" not in declared.resources
    assert declared.outputs["operators"] == {"cluster": "west", "acls": False}
    assert operated().outputs["operators"] == {"cluster": "west", "acls": True}
