"""Topics on one cluster."""

from __future__ import annotations

from components.topics import Topics, TopicsArgs
from mirrorstack.mm2.target_topics import TargetTopic
from tests.unit.components.declaring import Registration, declare
from tests.unit.strimzi.clusters import strimzi_cluster

ORDERS = TargetTopic("east.orders", 3, 2, {"retention.ms": "1"})


def topic(**args: object) -> Registration:
    declared = declare(lambda: Topics("topics", TopicsArgs(topics=[ORDERS], **args)))  # type: ignore[arg-type]
    assert declared.outputs["topics"] == {"names": ["east.orders"]}
    (resource,) = declared.of_type(":Topic")
    return resource


def test_a_topic_is_declared_with_partitions_replicas_and_configs() -> None:
    resource = topic()

    assert (resource.name, resource.parent) == ("topics-east.orders", "topics")
    assert resource.inputs == {
        "name": "east.orders",
        "partitions": 3,
        "replicationFactor": 2,
        "config": {"retention.ms": "1"},
    }


def test_topics_outlive_the_stack_unless_declared_otherwise() -> None:
    assert topic().request.retainOnDelete is True
    assert topic(keep=False).request.retainOnDelete is False


def test_a_topic_that_another_stack_may_use_is_always_kept() -> None:
    assert topic(keep=False, always_kept=["east.orders"]).request.retainOnDelete is True
    assert topic(keep=False, always_kept=["heartbeats"]).request.retainOnDelete is False


def test_only_an_existing_topic_is_imported() -> None:
    assert topic(existing={"other": 3}).request.importId == ""
    assert topic(existing={"east.orders": 3}).request.importId == "east.orders"


def test_partitions_are_left_to_mm2_unless_the_topic_is_recreated() -> None:
    assert topic().request.ignoreChanges == ["partitions"]
    assert topic(recreated=["east.orders"]).request.ignoreChanges == []


class TestOnAClusterOfStrimzis:
    def kafka_topic(self, **args: object) -> Registration:
        args["strimzi"] = strimzi_cluster()
        declared = declare(lambda: Topics("topics", TopicsArgs(topics=[ORDERS], **args)))  # type: ignore[arg-type]
        assert declared.of_type(":Topic") == []
        assert declared.outputs["topics"] == {"names": ["east.orders"]}
        (resource,) = declared.of_type(":KafkaTopic")
        return resource

    def test_a_topic_is_a_resource_of_its_operator(self) -> None:
        resource = self.kafka_topic()

        assert (resource.name, resource.parent) == ("topics-east.orders", "topics")
        assert resource.type == "kubernetes:kafka.strimzi.io/v1:KafkaTopic"
        assert resource.inputs["metadata"]["labels"] == {"strimzi.io/cluster": "my-cluster"}
        assert resource.inputs["spec"] == {
            "topicName": "east.orders",
            "partitions": 3,
            "replicas": 2,
            "config": {"retention.ms": "1"},
        }

    def test_it_outlives_the_stack_unless_declared_otherwise(self) -> None:
        assert self.kafka_topic().request.retainOnDelete is True
        assert self.kafka_topic(keep=False).request.retainOnDelete is False

    def test_partitions_that_a_topic_has_are_kept(self) -> None:
        assert self.kafka_topic(existing={"east.orders": 5}).inputs["spec"]["partitions"] == 5

    def test_a_topic_with_too_many_partitions_is_replaced_if_that_is_declared(self) -> None:
        resource = self.kafka_topic(existing={"east.orders": 5}, recreated=["east.orders"])

        assert resource.inputs["spec"]["partitions"] == 3
        assert resource.request.replaceOnChanges == ["spec.partitions"]
        assert resource.request.deleteBeforeReplace
        assert self.kafka_topic().request.replaceOnChanges == []

    def test_another_version_of_the_api_is_the_same_resource(self) -> None:
        (alias,) = self.kafka_topic().request.aliases

        assert alias.spec.type == "kubernetes:kafka.strimzi.io/v1beta2:KafkaTopic"
