"""What the connectors of a flow must agree on."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.catalogue import CONNECTORS
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.connector_consistency import consistent_connectors, differences
from mirrorstack.rules.subjects import FlowConnectors, NamedConnector

SHARED = {
    "source.cluster.alias": "east",
    "target.cluster.alias": "west",
    "source.cluster.bootstrap.servers": "e1:9092,e2:9092",
    "target.cluster.bootstrap.servers": "w1:9092",
}
SOURCE, CHECKPOINT, HEARTBEAT = CONNECTORS


def flow(checkpoint: dict[str, str], source: dict[str, str] | None = None) -> list[NamedConnector]:
    return [
        NamedConnector("source", {"connector.class": SOURCE, **SHARED, **(source or {})}),
        NamedConnector("checkpoint", {"connector.class": CHECKPOINT, **SHARED, **checkpoint}),
        NamedConnector("heartbeat", {"connector.class": HEARTBEAT, **SHARED}),
    ]


def test_equal_values_pass_in_any_order_and_as_defaults() -> None:
    assert differences(flow({})) == []
    assert differences(flow({"offset-syncs.topic.location": "source"})) == []
    turned = {"source.cluster.bootstrap.servers": "e2:9092, e1:9092"}
    assert differences(flow(turned)) == []


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
def test_a_different_value_is_found_with_both_values(key: str, value: str) -> None:
    (found,) = differences(flow({key: value}))

    assert (found.number, found.finding.key) == (1, key)
    assert found.finding.connector == "checkpoint"
    assert value in found.finding.message
    assert "for source" in found.finding.message


def test_a_default_differs_from_a_value_that_only_one_of_them_has() -> None:
    (found,) = differences(flow({}, {"offset-syncs.topic.location": "target"}))

    assert found.number == 1
    assert "'source' for checkpoint and 'target' for source" in found.finding.message


def test_other_flows_and_other_connectors_are_left_alone() -> None:
    back = {
        "connector.class": SOURCE,
        "source.cluster.alias": "west",
        "target.cluster.alias": "east",
        "replication.policy.separator": "_",
    }
    other = {"connector.class": "org.example.Sink", **SHARED, "replication.policy.separator": "_"}

    assert (
        differences([*flow({}), NamedConnector("back", back), NamedConnector("sink", other)]) == []
    )


@pytest.mark.parametrize(
    ("key", "value", "consequence"),
    [
        ("target.cluster.bootstrap.servers", "other:9092", "they write to different clusters"),
        ("target.cluster.alias", "wset", "one flow has two aliases for its target"),
    ],
)
def test_a_heartbeat_connector_of_another_target_is_found_without_a_source_address(
    key: str, value: str, consequence: str
) -> None:
    beside = {k: v for k, v in SHARED.items() if k != "source.cluster.bootstrap.servers"}
    heartbeat = NamedConnector("beat", {"connector.class": HEARTBEAT, **beside, key: value})

    (found,) = differences([*flow({}), heartbeat])
    assert (found.number, found.finding.key) == (3, key)
    assert consequence in found.finding.message


def test_a_reference_is_not_compared() -> None:
    assert differences(flow({"replication.policy.separator": "${file:/x:y}"})) == []


def test_source_and_checkpoint_connector_select_the_same_topics() -> None:
    def found(**checkpoint: str) -> list[str]:
        given = dict(zip(ConnectorKind, flow(checkpoint, {"topics": "orders,clicks"}), strict=True))
        return [one.key for one in consistent_connectors.findings(FlowConnectors(given))]

    assert found(topics="clicks, orders") == []
    assert found(topics="orders") == ["topics"]
    assert found() == ["topics"]
