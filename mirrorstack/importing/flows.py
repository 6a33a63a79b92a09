"""A flow's settings from the configs of its connectors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mirrorstack.config.flows import FlowSettings
from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding, UserError
from mirrorstack.importing.discovered_flows import DiscoveredFlow
from mirrorstack.importing.unmapped_keys import overrides
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.discovery import Discovery, patterns
from mirrorstack.mm2.key_values import split_list
from mirrorstack.mm2.profiles import OFFSET_LAG, PROFILES, ProfileName
from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    SEPARATOR,
    Naming,
    ReplicationPolicy,
)
from mirrorstack.rendering.notes import note

# The `config.properties.exclude` that a stack writes for `sync-configs`.
SYNC_CONFIGS = re.compile(r"\(\?!\(\?:(.*)\)\$\)\.\*")

INTERNAL_SEPARATOR = "replication.policy.internal.topic.separator.enabled"
SHARED_KEYS = (
    "offset-syncs.topic.location",
    "replication.policy.class",
    "replication.policy.separator",
    INTERNAL_SEPARATOR,
)
"""Keys that all connectors of a flow must agree on."""
REFRESH_ENABLED, REFRESH_INTERVAL = "refresh.topics.enabled", "refresh.topics.interval.seconds"
SECONDS = FlowSettings.model_fields["discovery_seconds"].default


def flow_settings(flow: DiscoveredFlow, notes: list[Finding]) -> dict[str, Any]:
    """As in a stack file; defaults are left out."""
    source = _Config(flow.connectors[ConnectorKind.SOURCE], Section.SOURCE)
    checkpoint = _Config(flow.connectors.get(ConnectorKind.CHECKPOINT, {}), Section.CHECKPOINT)
    has_checkpoints = ConnectorKind.CHECKPOINT in flow.connectors
    groups = split_list(checkpoint["groups"]) if has_checkpoints else []
    profile = _profile(source, groups=bool(groups))
    settings: dict[str, Any] = {
        "from": flow.source,
        "to": flow.target,
        "naming": _naming(flow, source, notes),
        "separator": source["replication.policy.separator"],
        "topics": split_list(source["topics"]),
        "discovery": _discovery(source),
        "discovery-seconds": source.number(REFRESH_INTERVAL, SECONDS),
        "exclude": [
            pattern
            for pattern in split_list(source["topics.exclude"])
            if pattern not in DEFAULT_TOPICS_EXCLUDE
        ],
        "groups": groups,
        "exclude-groups": split_list(checkpoint["groups.exclude"]) if has_checkpoints else [],
        "sync-configs": _sync_configs(flow, source, notes),
        "offset-syncs": source["offset-syncs.topic.location"],
        "offset-lag": source.number("offset.lag.max", OFFSET_LAG),
        "checkpoint-seconds": checkpoint.number("emit.checkpoints.interval.seconds"),
        "sync-group-offsets": checkpoint.is_on("sync.group.offsets.enabled") or not has_checkpoints,
        "heartbeats": ConnectorKind.HEARTBEAT in flow.connectors,
        "exactly-once": _exactly_once(flow, source, notes),
        "state": flow.state.value,
        "tasks": source.number("tasks.max"),
        "profile": profile.value,
    }
    _note_changes(flow, source, notes)
    _note_disagreements(flow, source, notes)
    settings["override"] = overrides(
        flow, settings, PROFILES[profile].as_keys(groups=bool(groups)), notes
    )
    return {key: value for key, value in settings.items() if not _is_default(key, value)}


class _Config:
    """A connector's config with MirrorMaker's defaults."""

    def __init__(self, values: Mapping[str, str], section: Section) -> None:
        self.values = values
        self._declared = keys_in(section)

    def __getitem__(self, key: str) -> str:
        return self.values.get(key, self._declared[key].default or "").strip()

    def number(self, key: str, default: int | None = None) -> int:
        """`default` replaces MirrorMaker's."""
        if default is not None and key not in self.values:
            return default
        if REFERENCE.search(self[key]):
            raise UserError(
                f"{key} is {self[key]!r}: the value of the reference is not known",
                "write the number and import again",
                path=(key,),
            )
        return int(self[key])

    def is_on(self, key: str) -> bool:
        return self[key].lower() == "true"


def _is_default(key: str, value: Any) -> bool:
    if key == "override" or value in ([], {}):
        return not value
    field = next(f for n, f in FlowSettings.model_fields.items() if key in (n, f.alias))
    return not field.is_required() and value == field.get_default()


def _profile(source: _Config, *, groups: bool) -> ProfileName:
    """The profile of which the connector has all keys; other sizes become overrides."""
    values = source.values.items()
    has_all = (
        name for name in ProfileName if PROFILES[name].as_keys(groups=groups).items() <= values
    )
    return next(has_all, ProfileName.DEFAULT)


def _naming(flow: DiscoveredFlow, source: _Config, notes: list[Finding]) -> str:
    separator = source["replication.policy.separator"]
    if separator != SEPARATOR and not source.is_on(INTERNAL_SEPARATOR):
        notes.append(
            note(
                f"{INTERNAL_SEPARATOR} is false; a stack names internal topics with {separator!r}, "
                f"too, so offset syncs and checkpoints get new topics",
                flow=flow.name,
            )
        )
    java_class = source["replication.policy.class"]
    for naming in (Naming.PREFIXED, Naming.IDENTITY):
        if java_class == ReplicationPolicy(naming, "", "").java_class:
            return naming.value
    notes.append(
        note(
            f"replication.policy.class is {java_class}, whose names are not known; `naming: "
            "prefixed` is written",
            "set `naming: custom`, and `policy` with the class, its jar and the names it gives",
            flow=flow.name,
        )
    )
    return Naming.PREFIXED.value


def _discovery(source: _Config) -> str:
    """A flow of a stack either syncs configs or discovers topics: MirrorMaker has one filter for
    both."""
    syncs = source.is_on("sync.topic.configs.enabled") and _our_filter(source)
    if patterns(split_list(source["topics"])) and (syncs or not source.is_on(REFRESH_ENABLED)):
        return Discovery.PINNED.value
    return Discovery.LIVE.value


def _our_filter(source: _Config) -> re.Match[str] | None:
    """The names of synced configs, where a stack wrote the filter."""
    return SYNC_CONFIGS.fullmatch(source["config.properties.exclude"])


def _sync_configs(flow: DiscoveredFlow, source: _Config, notes: list[Finding]) -> list[str]:
    if not source.is_on("sync.topic.configs.enabled"):
        return []
    if ours := _our_filter(source):
        return [re.sub(r"\\(.)", r"\1", name) for name in ours.group(1).split("|")]
    notes.append(
        note(
            "MirrorMaker syncs topic configs; a stack copies them once, when it creates a topic",
            "list the configs to keep in sync under `sync-configs`; patterns then need "
            "`discovery: pinned`",
            flow=flow.name,
        )
    )
    return []


def _exactly_once(flow: DiscoveredFlow, source: _Config, notes: list[Finding]) -> bool:
    if source["exactly.once.support"].lower() == "required":
        return True
    if flow.worker is not None:
        support = flow.worker.get("exactly.once.source.support", "disabled")
        return support.strip().lower() == "enabled"
    notes.append(
        note(
            "`exactly-once: false` is written, because the worker config "
            "(exactly.once.source.support) is not known",
            flow=flow.name,
        )
    )
    return False


def _note_disagreements(flow: DiscoveredFlow, source: _Config, notes: list[Finding]) -> None:
    for kind, config in flow.connectors.items():
        for key in SHARED_KEYS:
            value = config.get(key, "").strip() if kind is not ConnectorKind.SOURCE else ""
            if value and value != source[key]:
                notes.append(
                    note(
                        f"{key} is {value} for the {kind} connector and {source[key]} for the "
                        "source connector; the latter is written",
                        flow=flow.name,
                    )
                )


def _note_changes(flow: DiscoveredFlow, source: _Config, notes: list[Finding]) -> None:
    """What a stack does differently."""
    if source.is_on("sync.topic.acls.enabled"):
        message = "MirrorMaker syncs ACLs; a stack declares its own ACLs and syncs none"
        notes.append(note(message, flow=flow.name))
    level = source.values.get(
        "source.consumer.isolation.level", source.values.get("consumer.isolation.level", "")
    )
    if level.strip() != "read_committed":
        message = "aborted transactions are replicated; a stack reads committed records only"
        notes.append(note(message, flow=flow.name))
    if not PROFILES[ProfileName.DEFAULT].as_keys().keys() <= source.values.keys():
        message = (
            "sizes of batches, buffers and fetches that are Kafka's defaults become those of "
            "`profile: default`, and the heap of the workers follows from them"
        )
        notes.append(note(message, flow=flow.name))
    notes.append(
        note(
            "source offsets are not imported: the new connectors start from earliest and "
            "re-replicate all records",
            "set the offsets of the new connectors before they start, to resume instead",
            flow=flow.name,
        )
    )
