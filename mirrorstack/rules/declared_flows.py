"""The pack's rules about connectors, for a flow of a stack file: before there are any connectors.

Which connectors there are going to be, and what they are told, follows from the flow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import Finding, Severity
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
from mirrorstack.rules.read_only import syncs_on_source
from mirrorstack.rules.registry import Rule

Path = tuple[str | int, ...]
# What a flow says in words of its own.
SETTINGS = {"groups": "groups", "sync.group.offsets.enabled": "sync-group-offsets"}


def flow_rules(flow: FlowSettings, settings: StackSettings) -> Iterator[tuple[Path, Finding]]:
    """Where in the flow it stands, and what is wrong."""
    made = _connectors(flow)
    for kind, config in made.items():
        own = getattr(flow.override, kind.value)
        everywhere = flow_findings(f"{flow.name}-{kind}", config)
        for one in chain(everywhere, _of_the_stack(kind, config, flow, settings)):
            is_own = one.key in own
            yield ("override", kind.value, one.key) if is_own else (SETTINGS[one.key],), one
    quiet = no_heartbeat({kind: f"{flow.name}-{kind}" for kind in made})
    for one in found(Rule.HEARTBEATS, "heartbeats", quiet, Severity.WARNING):
        yield ("heartbeats",), one


def _of_the_stack(
    kind: ConnectorKind, config: Mapping[str, str], flow: FlowSettings, settings: StackSettings
) -> Iterator[Finding]:
    """Rules about what a stack owns, or has promised not to touch."""
    name = f"{flow.name}-{kind}"
    if kind is ConnectorKind.SOURCE:
        yield from found(Rule.ACLS, "sync.topic.acls.enabled", syncs_acls(name, config))
    if kind is not ConnectorKind.HEARTBEAT and settings.clusters[flow.source].read_only:
        syncs = syncs_on_source(name, config, flow.source)
        yield from found(Rule.READ_ONLY_SYNCS, "offset-syncs.topic.location", syncs)


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
