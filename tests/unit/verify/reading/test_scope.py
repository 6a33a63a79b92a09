from __future__ import annotations

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.verify.groups.group_positions import marks
from mirrorstack.verify.reading.internal_topics import Checkpoint
from mirrorstack.verify.reading.scope import scope

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})
DELETE, COMPACT = {"cleanup.policy": "delete"}, {"cleanup.policy": "compact,delete"}
APPENDED = {"message.timestamp.type": "LogAppendTime"}


def test_topics_are_compared_as_either_side_keeps_them() -> None:
    flow = ResolvedFlow(FLOW, ("a", "b", "c", "heartbeats"), ("billing",))
    source = {"a": DELETE, "b": COMPACT, "c": DELETE | APPENDED}
    target = {"east.a": COMPACT, "east.b": DELETE, "east.c": DELETE | APPENDED}

    found = scope(flow, {"a": 1, "b": 2, "c": 3, "heartbeats": 1}, source, target)

    assert [pair.topic for pair in found.tables] == ["a", "b"], "one side that compacts is enough"
    (log,) = found.logs
    assert (log.topic, log.target_topic, log.partitions, log.timestamps) == (
        "c",
        "east.c",
        3,
        False,
    )
    assert found.groups == ("billing",)


def test_what_a_group_has_committed_on_the_target_outweighs_its_checkpoint() -> None:
    flow = ResolvedFlow(FLOW, ("a",), ("billing", "audit"))
    held = marks(
        scope(flow, {"a": 1}, {}, {}),
        source={
            "billing": {TopicPartition("a", 0): 10, TopicPartition("other", 0): 5},
            "audit": {TopicPartition("a", 0): 7},
        },
        target={"billing": {TopicPartition("east.a", 0): 8, TopicPartition("a", 0): 99}},
        translated={
            ("billing", TopicPartition("east.a", 0)): Checkpoint(10, 9),
            ("audit", TopicPartition("east.a", 0)): Checkpoint(7, 6),
        },
    )

    assert held.source == {("billing", ("a", 0)): 10, ("audit", ("a", 0)): 7}
    assert held.target == {("billing", ("a", 0)): 8, ("audit", ("a", 0)): 6}
    assert held.committed == {("billing", ("a", 0))}
