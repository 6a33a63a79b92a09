from __future__ import annotations

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.verify.reading.scope import TopicPair, build_scope

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})
DELETE, COMPACT = {"cleanup.policy": "delete"}, {"cleanup.policy": "compact,delete"}
APPENDED = {"message.timestamp.type": "LogAppendTime"}


def test_a_topic_is_compared_by_key_when_either_side_is_compacted() -> None:
    flow = ResolvedFlow(FLOW, ("a", "b", "c", "heartbeats"), ("billing",))
    source = {"a": DELETE, "b": COMPACT, "c": DELETE | APPENDED}
    target = {"east.a": COMPACT, "east.b": DELETE, "east.c": DELETE | APPENDED}

    found = build_scope(flow, {"a": 1, "b": 2, "c": 3, "heartbeats": 1}, source, target)

    assert [pair.topic for pair in found.compacted.topics] == ["a", "b"]
    (log,) = found.logs.topics
    assert (log.topic, log.target_topic, log.partitions, log.timestamps) == (
        "c",
        "east.c",
        3,
        False,
    )
    assert found.groups == ("billing",)


def test_partitions_are_mapped_between_source_and_target_topics() -> None:
    flow = ResolvedFlow(FLOW, ("a",))
    found = build_scope(flow, {"a": 2}, {}, {})

    assert found.partitions == (TopicPartition("a", 0), TopicPartition("a", 1))
    assert found.on_target(TopicPartition("a", 1)) == TopicPartition("east.a", 1)
    assert found.on_source(TopicPartition("east.a", 1)) == TopicPartition("a", 1)
    assert found.only(lambda pair: False).topics == ()
    assert found.topics == (TopicPair("a", "east.a", 2),)
