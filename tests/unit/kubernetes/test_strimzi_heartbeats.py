"""Heartbeat connectors beside a KafkaMirrorMaker2."""

from __future__ import annotations

from dataclasses import replace

from mirrorstack.kubernetes.strimzi_heartbeats import (
    heartbeat_connector_name,
    heartbeat_resources,
)
from mirrorstack.kubernetes.strimzi_resources import SOURCE
from tests.unit.kubernetes.strimzi_examples import CONNECTOR, MIRROR, strimzi_workers, wrong_fields


def test_each_flow_has_a_connector_and_all_have_workers_of_their_own() -> None:
    connect, connector = heartbeat_resources(strimzi_workers())

    assert connect["kind"] == "KafkaConnect"
    assert connect["metadata"]["annotations"] == {"strimzi.io/use-connector-resources": "true"}
    assert connect["spec"]["groupId"] == "mirrorstack-west-heartbeats"
    assert connect["spec"]["config"]["exactly.once.source.support"] == "enabled"
    assert connector["metadata"]["name"] == "mirrorstack-dr-west-heartbeats-east"
    assert connector["metadata"]["labels"]["strimzi.io/cluster"] == connect["metadata"]["name"]


def test_both_are_valid_for_the_api_of_the_operator() -> None:
    for manifest in heartbeat_resources(strimzi_workers()):
        assert wrong_fields(manifest) == []


def test_the_connector_keeps_the_keys_of_the_clusters() -> None:
    """The operator derives them only for a KafkaMirrorMaker2."""
    _, connector = heartbeat_resources(strimzi_workers())

    assert connector["spec"]["class"].endswith(".MirrorHeartbeatConnector")
    assert connector["spec"]["config"]["target.cluster.bootstrap.servers"] == "west:9093"
    assert "connector.class" not in connector["spec"]["config"]


def test_flows_without_heartbeats_have_none() -> None:
    silent = replace(MIRROR, source="north", connectors={SOURCE: CONNECTOR})

    assert len(heartbeat_resources(strimzi_workers(mirrors=[MIRROR, silent]))) == 2
    assert heartbeat_resources(strimzi_workers(heartbeats=None)) == []


def test_a_name_has_only_characters_that_kubernetes_accepts() -> None:
    assert heartbeat_connector_name("dr-west", "EU_1") == "dr-west-heartbeats-eu-1"
