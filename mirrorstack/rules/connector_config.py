"""Rules about one connector: converters, ACL sync, group offsets.

What a config does not set has MirrorMaker's or Connect's default, and several of these defaults are
the mistake.
"""

from __future__ import annotations

from collections.abc import Iterator

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER, ConnectorKind
from mirrorstack.mm2.key_values import list_items
from mirrorstack.mm2.pattern_automata import NameSet, any_of
from mirrorstack.rules.rule import Level, Risk, rule
from mirrorstack.rules.subjects import Config, NamedConnector
from mirrorstack.rules.topic_flow import is_opaque
from mirrorstack.rules.topic_selection import matches_everything

CONVERTERS = ("key.converter", "value.converter", "header.converter")
DEFAULT_GROUPS_EXCLUDE = "console-consumer-.*, connect-.*, __.*"


def is_off(config: Config, key: str) -> bool:
    """Whether a key that is true by default is false."""
    return config.get(key, "true").strip().lower() == "false"


@rule(
    NamedConnector,
    id="byte-array-converters",
    title="MirrorMaker's connectors must use ByteArrayConverter for keys, values and headers.",
    reason="Other converters rewrite records or fail on them. The policy pack corrects this.",
    level=Level.REMEDIATE,
)
def byte_array_converters(connector: NamedConnector) -> Iterator[Finding]:
    for key in CONVERTERS if connector.kind else ():
        if connector.is_partial and (
            key not in connector.config or REFERENCE.search(connector.config[key])
        ):
            continue
        value = connector.config.get(key)
        if value != BYTE_ARRAY_CONVERTER:
            header = "; Connect's default turns binary headers into base64 text"
            yield Finding(
                f"Connector {connector.name}: {key} is {value or 'absent, so the worker decides'}. "
                "Records must arrive byte for byte, and any other converter than "
                "ByteArrayConverter rewrites them or fails"
                f"{header if key == CONVERTERS[2] else ''}",
                f"set {key} to {BYTE_ARRAY_CONVERTER}",
                connector=connector.name,
                path=(key,),
            )


@rule(
    NamedConnector,
    id="no-acl-sync",
    title="MirrorMaker must not sync ACLs (`sync.topic.acls.enabled`).",
    reason="It copies some of the source's ACLs, revokes none, and needs Alter on the cluster.",
)
def no_acl_sync(connector: NamedConnector) -> Iterator[Finding]:
    key = "sync.topic.acls.enabled"
    if connector.kind is not ConnectorKind.SOURCE:
        return
    value = connector.config.get(key)
    if value != "false":
        yield Finding(
            f"Connector {connector.name}: {key} is {value or 'absent, which means true'}. "
            "MirrorMaker then copies some of the source's ACLs, never revokes one, and needs "
            "permission to alter the target cluster",
            "set it to false; the stack declares the ACLs",
            connector=connector.name,
            path=(key,),
        )


@rule(
    NamedConnector,
    id="no-excluded-groups",
    title="A declared group must not be excluded at the same time.",
    reason="MirrorMaker's default excludes `connect-.*`, so offsets of sink connectors are not "
    "translated.",
)
def no_excluded_groups(connector: NamedConnector) -> Iterator[Finding]:
    if not _emits_checkpoints(connector):
        return
    config = connector.config
    excluded = list_items(config.get("groups.exclude", DEFAULT_GROUPS_EXCLUDE))
    known = any_of(pattern for pattern in excluded if not is_opaque(pattern))
    for pattern in list_items(config.get("groups", ".*")):
        if not is_opaque(pattern) and (NameSet.matching(pattern) - known).example() is None:
            default = "; MirrorMaker's default excludes `connect-.*`, every sink connector's group"
            yield Finding(
                f"Connector {connector.name}: groups names {pattern}, and groups.exclude "
                f"({', '.join(excluded)}) excludes all of it, so its offsets are never "
                f"translated{'' if 'groups.exclude' in config else default}",
                "remove the group from one of them; `groups.exclude=` excludes none",
                connector=connector.name,
                path=("groups",),
            )


@rule(
    NamedConnector,
    id="sync-group-offsets",
    title="Translated offsets should be committed on the target (`sync.group.offsets.enabled`).",
    reason="After a failover each group starts at its own `auto.offset.reset`.",
    risk=Risk.MEDIUM,
    level=Level.ADVISORY,
)
def sync_group_offsets(connector: NamedConnector) -> Iterator[Finding]:
    key = "sync.group.offsets.enabled"
    if not _emits_checkpoints(connector) or (connector.is_partial and not _names_groups(connector)):
        return
    value = connector.config.get(key)
    if value != "true":
        yield Finding(
            f"Connector {connector.name}: {key} is {value or 'absent, which means false'}. After a "
            "failover no group has a committed offset on the target: each starts at its own "
            "auto.offset.reset, and reads all records again or skips the old ones",
            "set it to true, in a stack file with `sync-group-offsets`; or commit the translated "
            "offsets by other means",
            connector=connector.name,
            path=(key,),
        )


def _emits_checkpoints(connector: NamedConnector) -> bool:
    return connector.kind is ConnectorKind.CHECKPOINT and not is_off(
        connector.config, "emit.checkpoints.enabled"
    )


def _names_groups(connector: NamedConnector) -> bool:
    """`groups=.*` is MirrorMaker's default: a config that has it names no group."""
    groups = list_items(connector.config.get("groups", ""))
    return bool(groups) and not any(map(matches_everything, groups))


RULES = (byte_array_converters, no_acl_sync, no_excluded_groups, sync_group_offsets)
