"""A flow's settings from the configs of its connectors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mirrorstack.config.flows import FlowSettings
from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import UserError
from mirrorstack.importing.discovered_flows import Found
from mirrorstack.importing.leftovers import overrides
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.connector_configs import PIPELINED_PRODUCER, THROUGHPUT, ConnectorKind
from mirrorstack.mm2.key_values import split_list
from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    SEPARATOR,
    Naming,
    ReplicationPolicy,
)
from mirrorstack.notes import Note

# The filter that our own flows with `sync-configs` have.
SYNCED = re.compile(r"\(\?!\(\?:(.*)\)\$\)\.\*")

OF_THE_WHOLE_FLOW = (
    "offset-syncs.topic.location",
    "replication.policy.class",
    "replication.policy.separator",
)


def flow_settings(found: Found, notes: list[Note]) -> dict[str, Any]:
    """As they stand in a stack file; what is as by default is left out."""
    source = _Config(found.connectors[ConnectorKind.SOURCE], Section.SOURCE)
    checkpoint = _Config(found.connectors.get(ConnectorKind.CHECKPOINT, {}), Section.CHECKPOINT)
    has_checkpoints = ConnectorKind.CHECKPOINT in found.connectors
    profile = THROUGHPUT.items() <= source.given.items()
    settings: dict[str, Any] = {
        "from": found.source,
        "to": found.target,
        "naming": _naming(found, source, notes),
        "topics": split_list(source["topics"]),
        "exclude": [
            item
            for item in split_list(source["topics.exclude"])
            if item not in DEFAULT_TOPICS_EXCLUDE
        ],
        "groups": split_list(checkpoint["groups"]) if has_checkpoints else [],
        "exclude-groups": split_list(checkpoint["groups.exclude"]) if has_checkpoints else [],
        "sync-configs": _synced(found, source, notes),
        "offset-syncs": source["offset-syncs.topic.location"],
        "offset-lag": source.number("offset.lag.max"),
        "checkpoint-seconds": checkpoint.number("emit.checkpoints.interval.seconds"),
        "sync-group-offsets": checkpoint.is_on("sync.group.offsets.enabled") or not has_checkpoints,
        "heartbeats": ConnectorKind.HEARTBEAT in found.connectors,
        "exactly-once": _exactly_once(found, source, notes),
        "state": found.state.value,
        "tasks": source.number("tasks.max"),
        "profile": "throughput" if profile else "default",
    }
    _say_what_the_stack_decides(found, source, notes)
    _say_where_connectors_disagree(found, source, notes)
    written = {**(THROUGHPUT if profile else {}), **PIPELINED_PRODUCER}
    settings["override"] = overrides(found, settings, written, notes)
    return {key: value for key, value in settings.items() if _is_told(key, value)}


class _Config:
    """A connector's config, with the defaults that MirrorMaker would add."""

    def __init__(self, given: Mapping[str, str], section: Section) -> None:
        self.given = given
        self._declared = keys_in(section)

    def __getitem__(self, key: str) -> str:
        return self.given.get(key, self._declared[key].default or "").strip()

    def number(self, key: str) -> int:
        if REFERENCE.search(self[key]):
            raise UserError(
                f"{key} is {self[key]!r}, and what that stands for is not in the file.",
                "write the number itself, and import again",
            )
        return int(self[key])

    def is_on(self, key: str) -> bool:
        return self[key].lower() == "true"


def _is_told(key: str, value: Any) -> bool:
    field = next(f for n, f in FlowSettings.model_fields.items() if key in (n, f.alias))
    default = field.get_default()
    if key == "override" or value in ([], {}):
        return bool(value)
    return bool(field.is_required() or value != default)


def _naming(found: Found, source: _Config, notes: list[Note]) -> str:
    given = source["replication.policy.class"]
    if source["replication.policy.separator"] != SEPARATOR:
        what = (
            f"replication.policy.separator is {source['replication.policy.separator']!r}: a stack "
        )
        notes.append(Note(found.name, f"{what}separates with `{SEPARATOR}`, in other topic names"))
    for naming in Naming:
        if given == ReplicationPolicy(naming, "", "").java_class:
            return naming.value
    what = f"replication.policy.class is {given}, and a stack names topics `prefixed` or `identity`"
    notes.append(Note(found.name, f"{what}: `prefixed` is written, check it"))
    return Naming.PREFIXED.value


def _synced(found: Found, source: _Config, notes: list[Note]) -> list[str]:
    if not source.is_on("sync.topic.configs.enabled"):
        return []
    ours = SYNCED.fullmatch(source["config.properties.exclude"])
    if ours:
        return [re.sub(r"\\(.)", r"\1", name) for name in ours.group(1).split("|")]
    what = (
        "MirrorMaker keeps topic configs as on the source; a stack makes topics so and then owns "
    )
    notes.append(Note(found.name, f"{what}them: list under `sync-configs` what is to stay in step"))
    return []


def _exactly_once(found: Found, source: _Config, notes: list[Note]) -> bool:
    if source["exactly.once.support"].lower() == "required":
        return True
    if found.worker is not None:
        support = found.worker.get("exactly.once.source.support", "disabled")
        return support.strip().lower() == "enabled"
    what = "whether its worker runs exactly-once is not told here: `exactly-once: false` is written"
    notes.append(Note(found.name, what))
    return False


def _say_where_connectors_disagree(found: Found, source: _Config, notes: list[Note]) -> None:
    for kind, config in found.connectors.items():
        for key in OF_THE_WHOLE_FLOW:
            given = config.get(key, "").strip() if kind is not ConnectorKind.SOURCE else ""
            if given and given != source[key]:
                what = f"the {kind} connector has {key} {given}, and the source connector has "
                notes.append(Note(found.name, f"{what}{source[key]}: the latter is written"))


def _say_what_the_stack_decides(found: Found, source: _Config, notes: list[Note]) -> None:
    if source.is_on("sync.topic.acls.enabled"):
        what = "MirrorMaker copies ACLs; a stack derives the grants and copies none"
        notes.append(Note(found.name, what))
    level = source.given.get(
        "source.consumer.isolation.level", source.given.get("consumer.isolation.level", "")
    )
    if level.strip() != "read_committed":
        what = "aborted transactions are mirrored; a stack reads committed records only"
        notes.append(Note(found.name, what))
    notes.append(
        Note(
            found.name,
            "its place is not taken over: new connectors begin with the earliest record, so all "
            "are written again, unless their offsets are set first",
        )
    )
