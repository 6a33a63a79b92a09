"""The rules about connectors, applied to files and to flows of a stack file.

A file has less than a deployment: what is absent may be set elsewhere, and nothing says that it is
for production. So only what is written is checked, and the defaults that undo it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from mirrorstack.findings import Finding, KeyPath
from mirrorstack.mm2.connector_configs import (
    BYTE_ARRAY_CONVERTER,
    ConnectorKind,
    TopicSelection,
    connector_names,
    naming_keys,
    own_keys,
)
from mirrorstack.rules.connector_config import (
    CONVERTERS,
    byte_array_converters,
    is_off,
    no_acl_sync,
    no_excluded_groups,
    sync_group_offsets,
)
from mirrorstack.rules.flow_completeness import emit_heartbeats
from mirrorstack.rules.subjects import Config, FlowConnectors, NamedConnector

if TYPE_CHECKING:  # see `subjects`
    from mirrorstack.config.flows import FlowSettings

FILE_RULES = (byte_array_converters, no_excluded_groups, sync_group_offsets)
# Keys of connectors that a flow of a stack file has a key for.
FLOW_KEYS = {"groups": "groups", "sync.group.offsets.enabled": "sync-group-offsets"}


def connector_findings(name: str, config: Config) -> Iterator[Finding]:
    """Of one of MirrorMaker's connectors that is enabled, as a file configures it."""
    connector = NamedConnector(name, config, is_partial=True)
    if connector.kind is None or is_off(config, "enabled"):
        return
    for rule in FILE_RULES:
        yield from rule.findings(connector)
    if connector.kind is ConnectorKind.HEARTBEAT:
        yield from emit_heartbeats.findings(FlowConnectors({connector.kind: connector}))


def flow_findings(flow: FlowSettings, path: KeyPath) -> Iterator[Finding]:
    """Of the connectors that a flow of a stack file will have. `path` leads to the flow."""
    connectors = _connectors(flow)
    for kind, connector in connectors.items():
        overrides = getattr(flow.override, kind.value)
        found = [*connector_findings(connector.name, connector.config)]
        found += no_acl_sync.findings(connector)
        for one in found:
            (key,) = map(str, one.path)
            below = ("override", kind.value, key) if key in overrides else (FLOW_KEYS[key],)
            yield replace(one, path=(*path, *below), flow=flow.name)
    if ConnectorKind.HEARTBEAT not in connectors:
        for one in emit_heartbeats.findings(FlowConnectors(connectors)):
            yield replace(one, path=(*path, "heartbeats"), flow=flow.name)


def _connectors(flow: FlowSettings) -> dict[ConnectorKind, NamedConnector]:
    shared = dict.fromkeys(CONVERTERS, BYTE_ARRAY_CONVERTER) | naming_keys(flow)
    # No rule here is about replication factors.
    own = own_keys(flow, TopicSelection.by_pattern(flow), factor=1)
    return {
        kind: NamedConnector(name, {"connector.class": kind.java_class, **shared, **own[kind]})
        for kind, name in connector_names(flow).items()
    }
