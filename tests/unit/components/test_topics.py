"""Topics on one cluster."""

from __future__ import annotations

from components.topics import Topics, TopicsArgs
from mirrorstack.mm2.target_topics import TargetTopic
from tests.unit.components.declaring import Registration, declare

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
    assert topic(existing=["other"]).request.importId == ""
    assert topic(existing=["east.orders"]).request.importId == "east.orders"


def test_partitions_are_left_to_mm2_unless_the_topic_is_recreated() -> None:
    assert topic().request.ignoreChanges == ["partitions"]
    assert topic(recreated=["east.orders"]).request.ignoreChanges == []
