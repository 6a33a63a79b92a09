"""Rules about connectors, applied to files and to flows of a stack file."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.findings import Severity
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.flow_connectors import connector_findings, flow_findings

JSON = "org.apache.kafka.connect.json.JsonConverter"


def flow(**more: Any) -> FlowSettings:
    given = {"from": "east", "to": "west", "topics": ["orders"], "groups": ["billing"], **more}
    return FlowSettings.model_validate(given)


@pytest.mark.parametrize(
    ("more", "key", "severity"),
    [
        ({"heartbeats": False}, "flows[2].heartbeats", Severity.WARNING),
        ({"sync-group-offsets": False}, "flows[2].sync-group-offsets", Severity.WARNING),
        ({"exclude-groups": ["b.*"]}, "flows[2].groups", Severity.ERROR),
        (
            {"override": {"source": {"value.converter": JSON}}},
            "flows[2].override.source.value.converter",
            Severity.ERROR,
        ),
        (
            {"override": {"source": {"sync.topic.acls.enabled": "true"}}},
            "flows[2].override.source.sync.topic.acls.enabled",
            Severity.ERROR,
        ),
    ],
)
def test_a_finding_has_the_path_of_the_key_in_the_stack_file(
    more: dict[str, Any], key: str, severity: Severity
) -> None:
    (finding,) = flow_findings(flow(**more), ("flows", 2))

    assert (finding.flow, finding.key, finding.severity) == ("east-to-west", key, severity)


def test_a_flow_with_defaults_has_no_findings() -> None:
    assert list(flow_findings(flow(), ("flows", 0))) == []


def test_a_disabled_connector_is_not_checked() -> None:
    config = {"connector.class": ConnectorKind.SOURCE.java_class, "key.converter": JSON}

    assert len(list(connector_findings("c", config))) == 1
    assert list(connector_findings("c", {**config, "enabled": "false"})) == []
