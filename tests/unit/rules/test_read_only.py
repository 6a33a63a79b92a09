"""Clusters that are `read-only: true`."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.read_only import no_offset_syncs, no_topics, no_write_acls
from mirrorstack.rules.subjects import (
    DeclaredAcl,
    NamedConnector,
    ReadOnlySource,
    TopicConfig,
    TopicOnCluster,
)


@pytest.mark.parametrize(
    ("operation", "read_only", "count"),
    [("Read", True, 0), ("DescribeConfigs", True, 0), ("Write", True, 1), ("Alter", False, 0)],
)
def test_acls_allow_only_reading(operation: str, read_only: bool, count: int) -> None:
    acl = DeclaredAcl("east", "User:m", operation, "Topic", "orders", "Literal", read_only)
    found = list(no_write_acls.findings(acl))

    assert [finding.cluster for finding in found] == ["east"] * count


@pytest.mark.parametrize(("read_only", "count"), [(True, 1), (False, 0)])
def test_no_topic_is_created(read_only: bool, count: int) -> None:
    placed = TopicOnCluster(TopicConfig("orders", 1, {}), "east", None, read_only)
    found = list(no_topics.findings(placed))

    assert [(finding.cluster, finding.topic) for finding in found] == [("east", "orders")] * count


@pytest.mark.parametrize(
    ("kind", "location", "count"),
    [
        (ConnectorKind.SOURCE, {"offset-syncs.topic.location": "target"}, 0),
        (ConnectorKind.SOURCE, {}, 1),
        (ConnectorKind.CHECKPOINT, {"offset-syncs.topic.location": "source"}, 1),
        (ConnectorKind.HEARTBEAT, {}, 0),
    ],
)
def test_offset_syncs_are_on_the_target(
    kind: ConnectorKind, location: dict[str, str], count: int
) -> None:
    connector = NamedConnector("c", {"connector.class": kind.java_class, **location})

    assert len(list(no_offset_syncs.findings(ReadOnlySource(connector, "east")))) == count
