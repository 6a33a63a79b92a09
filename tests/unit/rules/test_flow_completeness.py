"""What a flow has besides its source connector."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.flow_completeness import (
    checkpoints_for_groups,
    emit_heartbeats,
    one_owner_of_topic_configs,
)
from mirrorstack.rules.subjects import FlowConnectors, FlowGroups, NamedConnector, TopicConfigSync

SOURCE, CHECKPOINT, HEARTBEAT = ConnectorKind


@pytest.mark.parametrize(
    ("kinds", "config", "connectors"),
    [
        ([SOURCE, HEARTBEAT], {}, []),
        ([SOURCE], {}, ["source"]),
        ([SOURCE, HEARTBEAT], {"emit.heartbeats.enabled": "false"}, ["heartbeat"]),
        ([CHECKPOINT], {}, []),
    ],
)
def test_a_source_connector_has_a_heartbeat_connector_that_emits(
    kinds: list[ConnectorKind], config: dict[str, str], connectors: list[str]
) -> None:
    flow = FlowConnectors({kind: NamedConnector(kind.value, config) for kind in kinds})

    assert [one.connector for one in emit_heartbeats.findings(flow)] == connectors


@pytest.mark.parametrize(
    ("groups", "kinds", "count"),
    [
        (["billing"], [SOURCE, CHECKPOINT], 0),
        (["billing"], [SOURCE], 1),
        ([], [SOURCE], 0),
        (["billing"], [], 0),
    ],
)
def test_declared_groups_need_a_checkpoint_connector(
    groups: list[str], kinds: list[ConnectorKind], count: int
) -> None:
    found = list(checkpoints_for_groups.findings(FlowGroups("east-to-west", groups, kinds)))

    assert [finding.flow for finding in found] == ["east-to-west"] * count


@pytest.mark.parametrize(
    ("config", "synced", "topics"),
    [
        ({"sync.topic.configs.enabled": "false"}, (), []),
        ({}, (), ["east.orders"]),
        ({}, ("retention.ms",), []),
        ({"config.properties.exclude": "retention.*"}, (), []),
        ({"topics": "clicks"}, (), []),
        ({"replication.policy.separator": "_"}, (), ["east_clicks"]),
    ],
)
def test_only_one_of_mirror_maker_and_pulumi_sets_a_topic_config(
    config: dict[str, str], synced: tuple[str, ...], topics: list[str]
) -> None:
    connector = NamedConnector("c", {"source.cluster.alias": "east", **config})
    owned = {
        "east.orders": ["retention.ms"],
        "payments": ["retention.ms"],
        "east_clicks": ["retention.ms"],
    }
    found = one_owner_of_topic_configs.findings(TopicConfigSync(connector, owned, synced))

    assert [finding.topic for finding in found] == topics
