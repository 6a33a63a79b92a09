"""Which topics of a flow are compared, and which are not deployed yet."""

from __future__ import annotations

from typing import Any, cast

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.inventory import TopicDescription
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.verify.reading.flow_endpoints import FlowEndpoints
from mirrorstack.verify.reading.internal_topics import OffsetSync
from mirrorstack.verify.reading.scope import Scope, TopicPair

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})
TOPICS = ("orders", "invoices", "payments")
SYNC = OffsetSync(0, 0, at=0, written=0)


def endpoints(target_topics: tuple[str, ...], replicated: tuple[str, ...]) -> FlowEndpoints:
    unused = cast("Any", None)
    made = FlowEndpoints(unused, unused, unused, ResolvedFlow(FLOW, TOPICS))
    # What the clusters would answer.
    made.__dict__["_matching"] = Scope(
        FLOW, tuple(TopicPair(topic, f"east.{topic}", 1) for topic in TOPICS)
    )
    described = cast("TopicDescription", None)
    made.__dict__["target_topics"] = dict.fromkeys(target_topics, described)
    made.__dict__["offset_syncs"] = {TopicPartition(topic, 0): [SYNC] for topic in replicated}
    return made


def test_a_topic_without_target_topic_and_offset_syncs_is_not_deployed() -> None:
    found = endpoints(("east.orders",), replicated=("orders", "payments"))

    assert found.undeployed_topics == {"invoices"}
    assert [pair.topic for pair in found.scope.topics] == ["orders", "payments"]


def test_a_replicated_topic_whose_target_topic_was_deleted_is_compared() -> None:
    found = endpoints(("east.orders", "east.invoices"), replicated=("orders", "payments"))

    assert not found.undeployed_topics
    assert "payments" in found.scope.by_topic
