"""Existing deployments to import in tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mirrorstack.importing.discovered_flows import (
    ExistingConnector,
    flows_in_connectors,
    flows_in_properties,
)
from mirrorstack.importing.stack import ImportedStack, import_flows

MM2 = {
    "clusters": "east, west",
    "east.bootstrap.servers": "east-1:9092, east-2:9092",
    "west.bootstrap.servers": "west-1:9092",
    "east->west.enabled": "true",
    "east->west.topics": "orders, clicks-.*",
}
SECURE = {
    "east.security.protocol": "SASL_SSL",
    "east.sasl.mechanism": "SCRAM-SHA-256",
    "east.ssl.truststore.type": "PEM",
    "east.ssl.truststore.location": "/etc/ca.pem",
    "east.sasl.jaas.config": 'ScramLoginModule required username="mm2" password="hunter2";',
}


def from_mm2(**more: str) -> ImportedStack:
    return import_flows(flows_in_properties({**MM2, **more}), "mm2.properties")


def from_connectors(*connectors: ExistingConnector) -> ImportedStack:
    return import_flows(flows_in_connectors(connectors), "connectors")


def connectors(*kinds: str, **config: str) -> list[ExistingConnector]:
    """Connectors from east to west, named after their kinds."""
    shared = {
        "source.cluster.alias": "east",
        "target.cluster.alias": "west",
        "source.cluster.bootstrap.servers": "east-1:9092",
        "target.cluster.bootstrap.servers": "west-1:9092",
        **config,
    }
    return [
        ExistingConnector(kind, {"connector.class": f"Mirror{kind}Connector", **shared})
        for kind in kinds
    ]


def only_flow(stack: ImportedStack) -> Mapping[str, Any]:
    (flow,) = stack.values["flows"]
    assert isinstance(flow, dict)
    return flow


def notes_text(stack: ImportedStack) -> str:
    return "\n".join(map(str, stack.notes))
