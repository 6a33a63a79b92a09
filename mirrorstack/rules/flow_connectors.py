"""The policy pack's rules about connectors, for files: each in the words of the pack.

A file says less than a deployment. What is absent may stand elsewhere, and nobody says that it is
for production; so only what is written is judged here, and the defaults that undo what is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding, Severity
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.key_values import list_items
from mirrorstack.rules import connector_config as one
from mirrorstack.rules.registry import Rule
from mirrorstack.rules.topic_selection import is_everything

Config = Mapping[str, str]


def flow_findings(name: str, config: Config) -> Iterator[Finding]:
    """Of one of MirrorMaker's connectors that is enabled."""
    kind = one.kind_of(config)
    if kind is None or is_off(config, "enabled"):
        return
    for key in one.CONVERTERS:
        if key in config and not REFERENCE.search(config[key]):
            yield from found(Rule.BYTES, key, one.changed_by(key, name, config))
    if kind is ConnectorKind.CHECKPOINT and not is_off(config, "emit.checkpoints.enabled"):
        yield from found(Rule.EXCLUDED_GROUPS, "groups", one.excluded_groups(name, config))
        yield from _synced(name, config)
    if kind is ConnectorKind.HEARTBEAT:
        silent = one.silent(name, config)
        yield from found(Rule.HEARTBEATS, "emit.heartbeats.enabled", silent, Severity.WARNING)


def _synced(name: str, config: Config) -> Iterator[Finding]:
    """`groups=.*` is MirrorMaker's default: who writes that has named no group."""
    groups = list_items(config.get("groups", ""))
    if groups and not any(is_everything(pattern) for pattern in groups):
        left = one.leaves_offsets_behind(name, config)
        key = "sync.group.offsets.enabled"
        yield from found(Rule.SYNCED_OFFSETS, key, left, Severity.WARNING)


def found(
    rule: Rule, key: str, problems: Iterable[Finding], severity: Severity = Severity.ERROR
) -> Iterator[Finding]:
    for problem in problems:
        yield replace(
            problem,
            message=problem.message.removesuffix("."),
            rule=rule,
            path=(key,),
            severity=severity,
        )


def is_off(config: Config, key: str) -> bool:
    return config.get(key, "true").strip().lower() == "false"
