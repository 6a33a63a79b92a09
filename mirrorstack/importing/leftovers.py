"""Keys that no setting of a flow stands for: taken over as they are, or named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mirrorstack.connect.config import REFERENCE, SECRET_KEY
from mirrorstack.importing.discovered_flows import Found
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER, ConnectorKind
from mirrorstack.mm2.key_scopes import CLIENTS, SIDES, connector_keys, connector_scope
from mirrorstack.mm2.key_values import rejection_reason
from mirrorstack.notes import Note

# What a stack decides by itself, or says in other words.
SETTLED = frozenset(
    {
        *("name", "connector.class", "enabled", "topics", "topics.exclude", "groups"),
        *("groups.exclude", "source.cluster.alias", "target.cluster.alias"),
        *("replication.policy.class", "replication.policy.separator"),
        *("sync.topic.configs.enabled", "sync.topic.acls.enabled", "config.properties.exclude"),
        *("offset-syncs.topic.location", "offset.lag.max", "exactly.once.support"),
        *("heartbeats.replication.enabled", "emit.heartbeats.enabled", "emit.checkpoints.enabled"),
        *("emit.checkpoints.interval.seconds", "sync.group.offsets.enabled"),
        *("consumer.isolation.level", "source.consumer.isolation.level"),
        *("replication.factor", "offset-syncs.topic.replication.factor", "config.providers"),
        *("checkpoints.topic.replication.factor", "heartbeats.topic.replication.factor"),
    }
)
PATTERNS = ("config.providers.", *(f"{side}.cluster." for side in SIDES))
CONVERTERS = ("key.converter", "value.converter", "header.converter")
# Classes that choose topics, groups or names; what they would choose, a preview could not know.
CHOOSING = ("topic.filter.class", "group.filter.class", "config.property.filter.class")
# It reads nothing, and one task is all it ever has.
IDLE_FOR_HEARTBEATS = ("source.", "consumer.", "tasks.max")
# A flow's tasks and its seconds count for both connectors, and for all intervals.
SHARED = {
    "tasks.max": "tasks",
    "refresh.groups.interval.seconds": "checkpoint-seconds",
    "sync.group.offsets.interval.seconds": "checkpoint-seconds",
}


def overrides(
    found: Found, settings: Mapping[str, Any], written: Mapping[str, str], notes: list[Note]
) -> dict[str, dict[str, str]]:
    """Per connector. `written` are keys that the stack writes by itself, and their values: for the
    source connector, and dedicated mode gives all three the same."""
    taken: dict[str, dict[str, str]] = {}
    said: set[str] = set()
    for kind, config in found.connectors.items():
        for key, value in _own(kind, config):
            if written.get(key) == value and (kind is ConnectorKind.SOURCE or found.is_dedicated):
                continue
            if key in SHARED and value == str(settings[SHARED[key]]):
                continue
            reason = _why_not(kind, key, value)
            if reason is None:
                taken.setdefault(kind.value, {})[key] = value
            elif key not in said:
                said.add(key)
                notes.append(Note(found.name, f"{key} is not taken over: {reason}"))
    return taken


def _own(kind: ConnectorKind, config: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What this connector reads, and what is not as by default or settled otherwise."""
    section = Section(kind.value)
    place, declared = connector_scope(section, config), connector_keys(section)
    unused = IDLE_FOR_HEARTBEATS if kind is ConnectorKind.HEARTBEAT else ()
    for key, value in config.items():
        if key in SETTLED or key.startswith((*PATTERNS, *unused)) or not place.reads(key):
            continue
        if key in CONVERTERS and value.strip() == BYTE_ARRAY_CONVERTER:
            continue
        default = declared[key].default if key in declared else None
        if key not in SHARED and value.strip() == default:
            continue
        if not _repeats_the_cluster(key, value, config):
            yield key, value.strip()


def _repeats_the_cluster(key: str, value: str, config: Mapping[str, str]) -> bool:
    """Dedicated mode repeats for every client how its cluster is reached."""
    for side in SIDES:
        for prefix in CLIENTS:
            rest = key.removeprefix(f"{side}.{prefix}")
            if rest != key and rest in keys_in(Section.CLUSTER):
                return config.get(f"{side}.cluster.{rest}") == value
    return False


def _why_not(kind: ConnectorKind, key: str, value: str) -> str | None:
    if key in CONVERTERS:
        return f"it is {value}, and a stack copies bytes as they are"
    if key in CHOOSING:
        return f"{value} would choose what a preview cannot know"
    if REFERENCE.search(value):
        return "it refers to a secret of the old worker; put it under `override` when there is one"
    if SECRET_KEY.search(key):
        return "it looks like a secret"
    declared = connector_keys(Section(kind.value)).get(key)
    if declared is not None and (reason := rejection_reason(declared, value)):
        return f"Kafka refuses {value!r}: {reason}"
    return None
