"""The pack's rules about connectors, for a flow of a stack file: before there are any connectors.

Which connectors there are going to be, and what they are told, follows from the flow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from mirrorstack.config.flows import FlowSettings
from mirrorstack.findings import Finding, KeyPath, Severity
from mirrorstack.mm2.connector_configs import (
    BYTE_ARRAY_CONVERTER,
    ConnectorKind,
    TopicSelection,
    naming_keys,
    own_keys,
)
from mirrorstack.rules.connector_config import syncs_acls
from mirrorstack.rules.flow_completeness import no_heartbeat
from mirrorstack.rules.flow_connectors import flow_findings, found
from mirrorstack.rules.registry import Rule

# What a flow says in words of its own.
SETTINGS = {"groups": "groups", "sync.group.offsets.enabled": "sync-group-offsets"}


def flow_rules(flow: FlowSettings, path: KeyPath) -> Iterator[Finding]:
    """`path` leads to the flow in its stack file."""
    made = _connectors(flow)
    for kind, config in made.items():
        own = getattr(flow.override, kind.value)
        everywhere = flow_findings(f"{flow.name}-{kind}", config)
        for one in chain(everywhere, _acls(kind, config, flow)):
            (key,) = map(str, one.path)
            below = ("override", kind.value, key) if key in own else (SETTINGS[key],)
            yield replace(one, path=(*path, *below), flow=flow.name)
    quiet = no_heartbeat({kind: f"{flow.name}-{kind}" for kind in made})
    for one in found(Rule.HEARTBEATS, "heartbeats", quiet, Severity.WARNING):
        yield replace(one, path=(*path, "heartbeats"), flow=flow.name)


def _acls(kind: ConnectorKind, config: Mapping[str, str], flow: FlowSettings) -> Iterator[Finding]:
    if kind is ConnectorKind.SOURCE:
        acls = syncs_acls(f"{flow.name}-{kind}", config)
        yield from found(Rule.ACLS, "sync.topic.acls.enabled", acls)


def _connectors(flow: FlowSettings) -> dict[ConnectorKind, dict[str, str]]:
    shared = {
        f"{key}.converter": BYTE_ARRAY_CONVERTER for key in ("key", "value", "header")
    } | naming_keys(flow)
    kinds = {
        ConnectorKind.SOURCE: True,
        ConnectorKind.CHECKPOINT: flow.groups,
        ConnectorKind.HEARTBEAT: flow.heartbeats,
    }
    # No rule here is about factors.
    own = own_keys(flow, TopicSelection.by_pattern(flow), factor=1)
    return {
        kind: {"connector.class": kind.java_class, **shared, **own[kind]}
        for kind in ConnectorKind
        if kinds[kind]
    }
