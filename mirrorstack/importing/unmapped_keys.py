"""Connector keys that no flow setting covers: imported as `override`, or reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mirrorstack.connect.config import REFERENCE, SECRET_KEY
from mirrorstack.findings import Finding
from mirrorstack.importing.discovered_flows import DiscoveredFlow
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER, ConnectorKind
from mirrorstack.mm2.key_scopes import CLIENTS, SIDES, connector_keys, connector_scope
from mirrorstack.mm2.key_values import rejection_reason
from mirrorstack.rendering.notes import note

# Keys that a stack sets itself, or has a setting for.
COVERED_KEYS = frozenset(
    {
        *("name", "connector.class", "enabled", "topics", "topics.exclude", "groups"),
        *("groups.exclude", "source.cluster.alias", "target.cluster.alias"),
        *("replication.policy.class", "replication.policy.separator"),
        *("refresh.topics.enabled", "refresh.topics.interval.seconds"),
        "replication.policy.internal.topic.separator.enabled",
        *("sync.topic.configs.enabled", "sync.topic.acls.enabled", "config.properties.exclude"),
        *("offset-syncs.topic.location", "offset.lag.max", "exactly.once.support"),
        *("heartbeats.replication.enabled", "emit.heartbeats.enabled", "emit.checkpoints.enabled"),
        *("emit.checkpoints.interval.seconds", "sync.group.offsets.enabled"),
        *("consumer.isolation.level", "source.consumer.isolation.level"),
        *("replication.factor", "offset-syncs.topic.replication.factor", "config.providers"),
        *("checkpoints.topic.replication.factor", "heartbeats.topic.replication.factor"),
    }
)
COVERED_PREFIXES = ("config.providers.", *(f"{side}.cluster." for side in SIDES))
CONVERTERS = ("key.converter", "value.converter", "header.converter")
# Classes that select topics, groups or configs; a preview cannot know what they select.
FILTER_CLASSES = ("topic.filter.class", "group.filter.class", "config.property.filter.class")
# The heartbeat connector reads no records and always has one task.
UNUSED_BY_HEARTBEATS = ("source.", "consumer.", "tasks.max")
# One setting of a flow covers these keys of several connectors.
SHARED_SETTINGS = {
    "tasks.max": "tasks",
    "refresh.groups.interval.seconds": "checkpoint-seconds",
    "sync.group.offsets.interval.seconds": "checkpoint-seconds",
}


def overrides(
    flow: DiscoveredFlow,
    settings: Mapping[str, Any],
    stack_keys: Mapping[str, str],
    notes: list[Finding],
) -> dict[str, dict[str, str]]:
    """By connector. `stack_keys` are the keys and values that the stack writes for the source
    connector; dedicated mode gives them to all three connectors."""
    imported: dict[str, dict[str, str]] = {}
    reported: set[str] = set()
    for kind, config in flow.connectors.items():
        for key, value in _unmapped_keys(kind, config):
            if stack_keys.get(key) == value and (kind is ConnectorKind.SOURCE or flow.is_dedicated):
                continue
            if key in SHARED_SETTINGS and value == str(settings[SHARED_SETTINGS[key]]):
                continue
            reason = _reason_not_to_import(kind, key, value)
            if reason is None:
                imported.setdefault(kind.value, {})[key] = value
            elif key not in reported:
                reported.add(key)
                notes.append(note(f"{key} is not imported: {reason}", flow=flow.name))
    return imported


def _unmapped_keys(kind: ConnectorKind, config: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Keys that the connector reads, without defaults and without keys that are covered."""
    section = Section(kind.value)
    scope, declared = connector_scope(section, config), connector_keys(section)
    unused = UNUSED_BY_HEARTBEATS if kind is ConnectorKind.HEARTBEAT else ()
    for key, value in config.items():
        if key in COVERED_KEYS or key.startswith((*COVERED_PREFIXES, *unused)):
            continue
        if not scope.reads(key):
            continue
        if key in CONVERTERS and value.strip() == BYTE_ARRAY_CONVERTER:
            continue
        default = declared[key].default if key in declared else None
        if key not in SHARED_SETTINGS and value.strip() == default:
            continue
        if not _repeats_cluster_key(key, value, config):
            yield key, value.strip()


def _repeats_cluster_key(key: str, value: str, config: Mapping[str, str]) -> bool:
    """Dedicated mode repeats the connection settings of a cluster for every client."""
    for side in SIDES:
        for prefix in CLIENTS:
            rest = key.removeprefix(f"{side}.{prefix}")
            if rest != key and rest in keys_in(Section.CLUSTER):
                return config.get(f"{side}.cluster.{rest}") == value
    return False


def _reason_not_to_import(kind: ConnectorKind, key: str, value: str) -> str | None:
    if key in CONVERTERS:
        return f"it is {value}, and a stack replicates bytes unchanged"
    if key in FILTER_CLASSES:
        return f"a preview cannot know what {value} selects"
    if REFERENCE.search(value):
        return (
            "it refers to a secret of the old worker; add it to `override` when the new worker "
            "has that secret"
        )
    if SECRET_KEY.search(key):
        return "it looks like a secret"
    declared = connector_keys(Section(kind.value)).get(key)
    if declared is not None and (reason := rejection_reason(declared, value)):
        return f"Kafka rejects {value!r}: {reason}"
    return None
