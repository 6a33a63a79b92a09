"""The connectors of one flow, side by side."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.catalogue import CONNECTORS
from mirrorstack.rules.connector_consistency import Named, disagreements

SHARED = {
    "source.cluster.alias": "east",
    "target.cluster.alias": "west",
    "source.cluster.bootstrap.servers": "e1:9092,e2:9092",
    "target.cluster.bootstrap.servers": "w1:9092",
}
SOURCE, CHECKPOINT, HEARTBEAT = CONNECTORS


def flow(checkpoint: dict[str, str], source: dict[str, str] | None = None) -> list[Named]:
    return [
        Named("source", {"connector.class": SOURCE, **SHARED, **(source or {})}),
        Named("checkpoint", {"connector.class": CHECKPOINT, **SHARED, **checkpoint}),
        Named("heartbeat", {"connector.class": HEARTBEAT, **SHARED}),
    ]


def test_what_agrees_is_not_mentioned() -> None:
    assert disagreements(flow({})) == []
    assert disagreements(flow({"offset-syncs.topic.location": "source"})) == []
    turned = {"source.cluster.bootstrap.servers": "e2:9092, e1:9092"}
    assert disagreements(flow(turned)) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("replication.policy.class", "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"),
        ("replication.policy.separator", "_"),
        ("offset-syncs.topic.location", "target"),
        ("source.cluster.alias", "EAST"),
        ("target.cluster.bootstrap.servers", "other:9092"),
    ],
)
def test_who_differs_is_named_with_both_values(key: str, value: str) -> None:
    ((number, finding),) = disagreements(flow({key: value}))

    assert (number, finding.key) == (1, key)
    assert value in finding.message
    assert "for source" in finding.message


def test_a_default_disagrees_with_what_only_one_of_them_says() -> None:
    ((number, finding),) = disagreements(flow({}, {"offset-syncs.topic.location": "target"}))

    assert number == 1
    assert "'source' for checkpoint and 'target' for source" in finding.message


def test_other_flows_and_other_connectors_are_left_alone() -> None:
    back = {
        "connector.class": SOURCE,
        "source.cluster.alias": "west",
        "target.cluster.alias": "east",
        "replication.policy.separator": "_",
    }
    other = {"connector.class": "org.example.Sink", **SHARED, "replication.policy.separator": "_"}

    assert disagreements([*flow({}), Named("back", back), Named("sink", other)]) == []


@pytest.mark.parametrize(
    ("key", "value", "consequence"),
    [
        ("target.cluster.bootstrap.servers", "other:9092", "they write to different clusters"),
        ("target.cluster.alias", "wset", "one flow has two names for its target"),
    ],
)
def test_a_heartbeat_connector_that_points_elsewhere_is_named_though_it_says_no_source_address(
    key: str, value: str, consequence: str
) -> None:
    beside = {k: v for k, v in SHARED.items() if k != "source.cluster.bootstrap.servers"}
    heartbeat = Named("beat", {"connector.class": HEARTBEAT, **beside, key: value})

    ((number, finding),) = disagreements([*flow({}), heartbeat])
    assert (number, finding.key) == (3, key)
    assert consequence in finding.message


def test_a_reference_is_not_compared() -> None:
    assert disagreements(flow({"replication.policy.separator": "${file:/x:y}"})) == []
