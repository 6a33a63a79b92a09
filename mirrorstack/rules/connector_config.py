"""What the config of one connector must say, so that records arrive as they were written.

Each judgement takes the connector's name and its config. What a config does not say is
MirrorMaker's or Connect's default, and several of these defaults are the trap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.connect.config import plain_secrets
from mirrorstack.findings import Finding
from mirrorstack.mm2.catalogue import connector_section
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER, ConnectorKind
from mirrorstack.mm2.key_values import list_items
from mirrorstack.mm2.pattern_automata import NameSet, any_of
from mirrorstack.mm2.replication_policy import DEFAULT_GROUPS_EXCLUDE
from mirrorstack.rules.topic_flow import blind

CONVERTERS = ("key.converter", "value.converter", "header.converter")
Config = Mapping[str, str]


def kind_of(config: Config) -> ConnectorKind | None:
    section = connector_section(config.get("connector.class", "").strip())
    return ConnectorKind(section) if section else None


def changed_bytes(name: str, config: Config) -> Iterator[Finding]:
    for key in CONVERTERS:
        yield from changed_by(key, name, config)


def changed_by(key: str, name: str, config: Config) -> Iterator[Finding]:
    """The same for one of the converters."""
    value = config.get(key)
    if value != BYTE_ARRAY_CONVERTER:
        header = " Connect's default turns binary headers into base64 text."
        yield Finding(
            f"Connector {name}: {key} is {value or 'absent, so the worker decides'}. Records "
            "must arrive byte for byte, and any other converter than ByteArrayConverter "
            f"rewrites them or fails.{header if key == CONVERTERS[2] else ''}",
            f"set {key} to {BYTE_ARRAY_CONVERTER}",
            connector=name,
            path=(key,),
        )


def syncs_acls(name: str, config: Config) -> Iterator[Finding]:
    value = config.get("sync.topic.acls.enabled")
    if value != "false":
        yield Finding(
            f"Connector {name}: sync.topic.acls.enabled is {value or 'absent, which means true'}. "
            "MirrorMaker then copies half of the source's ACLs, never takes one back, and needs "
            "the right to alter the whole target cluster.",
            "set it to false; the stack declares the ACLs",
            connector=name,
            path=("sync.topic.acls.enabled",),
        )


def leaves_offsets_behind(name: str, config: Config) -> Iterator[Finding]:
    value = config.get("sync.group.offsets.enabled")
    if value != "true":
        yield Finding(
            f"Connector {name}: sync.group.offsets.enabled is {value or 'absent, which is false'}. "
            "After a failover no group finds its place on the target: each begins at its own "
            "auto.offset.reset, and reads all records again or none of the old ones.",
            "set it to true, in a stack file with `sync-group-offsets`; or commit the translated "
            "offsets by other means",
            connector=name,
            path=("sync.group.offsets.enabled",),
        )


def silent(name: str, config: Config) -> Iterator[Finding]:
    """A heartbeat connector that emits nothing."""
    if config.get("emit.heartbeats.enabled", "true").strip().lower() == "false":
        yield Finding(
            f"Connector {name}: emit.heartbeats.enabled is false: when nothing is written on the "
            "source, nobody can tell a quiet flow from a dead one.",
            "remove the key: true is the default",
            connector=name,
            path=("emit.heartbeats.enabled",),
        )


def excluded_groups(name: str, config: Config) -> Iterator[Finding]:
    excluded = list_items(config.get("groups.exclude", ",".join(DEFAULT_GROUPS_EXCLUDE)))
    known = any_of(pattern for pattern in excluded if not blind(pattern))
    for pattern in list_items(config.get("groups", ".*")):
        if not blind(pattern) and (NameSet.matching(pattern) - known).example() is None:
            default = " MirrorMaker's default excludes `connect-.*`, every sink connector's group."
            yield Finding(
                f"Connector {name}: groups names {pattern}, and groups.exclude "
                f"({', '.join(excluded)}) leaves all of it out, so its offsets are never "
                f"translated.{'' if 'groups.exclude' in config else default}",
                "take the group away from one of them; `groups.exclude=` excludes none",
                connector=name,
                path=("groups",),
            )


def without_hostname_check(name: str, config: Config) -> Iterator[Finding]:
    for key in config:
        if key.endswith("ssl.endpoint.identification.algorithm") and not config[key].strip():
            yield Finding(
                f"{name}: {key} is empty, which turns the check of hostnames off: whoever has any "
                "certificate of the same authority can pass for the broker.",
                "remove the key: https is the default",
                path=(key,),
            )


def shows_secrets(name: str, config: Config) -> Iterator[Finding]:
    for key in plain_secrets(config):
        yield Finding(
            f"{name}: {key} looks like a secret in plain text (its value is not shown). Connect "
            "keeps it readable in its config topic, and Pulumi in its state.",
            "put it where a config provider of the worker reads it, and refer to it, as in "
            "${file:/path/to/file:key}",
            path=(key,),
        )
