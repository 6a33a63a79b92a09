"""What a flow must have, beside the connector that moves records."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.key_values import list_items
from mirrorstack.mm2.pattern_automata import NameSet
from mirrorstack.mm2.replication_policy import Naming
from mirrorstack.rules.topic_flow import blind
from mirrorstack.rules.topology import naming_of

NOT_SYNCED = (
    r"follower\.replication\.throttled\.replicas, leader\.replication\.throttled\.replicas, "
    r"message\.timestamp\.difference\.max\.ms, message\.timestamp\.type, "
    r"unclean\.leader\.election\.enable, min\.insync\.replicas"
)

if TYPE_CHECKING:
    from mirrorstack.config.flows import FlowSettings


def no_heartbeat(flow: Mapping[ConnectorKind, str]) -> Iterator[Finding]:
    """`flow` has the names of its connectors."""
    if ConnectorKind.SOURCE in flow and ConnectorKind.HEARTBEAT not in flow:
        yield Finding(
            f"Connector {flow[ConnectorKind.SOURCE]} has no heartbeat connector: when nothing is "
            "written on the source, nobody can tell a quiet flow from a dead one.",
            "give it one: `heartbeats: true` in a stack file",
            connector=flow[ConnectorKind.SOURCE],
        )


def no_checkpoint(flow: FlowSettings, kinds: Collection[ConnectorKind]) -> Iterator[Finding]:
    """`kinds` are the connectors that are going to be there for the flow."""
    if flow.groups and ConnectorKind.SOURCE in kinds and ConnectorKind.CHECKPOINT not in kinds:
        yield Finding(
            f"Flow {flow.name} declares the groups {', '.join(flow.groups)}, and there is no "
            "checkpoint connector: after a failover none of them finds its place on the target.",
            "give the flow its MirrorCheckpointConnector, or take the groups away",
            flow=flow.name,
        )


def two_owners(
    name: str,
    config: Mapping[str, str],
    topics: Mapping[str, Collection[str]],
    given_away: Collection[str] = (),
) -> Iterator[Finding]:
    """`topics` are those that the stack owns on the target, with the keys that it configures.

    Keys that are `given_away` by a flow's `sync-configs` the stack declares as they are.
    """
    value = config.get("sync.topic.configs.enabled")
    if value == "false":
        return
    excluded = list_items(config.get("config.properties.exclude", NOT_SYNCED))
    for topic, keys in topics.items():
        lost = [
            key
            for key in keys
            if key not in given_away and not any(compile_java(p).fullmatch(key) for p in excluded)
        ]
        if lost and _is_mirrored(topic, config):
            yield Finding(
                f"Connector {name}: sync.topic.configs.enabled is "
                f"{value or 'absent, which means true'}, and the stack owns {', '.join(lost)} of "
                f"topic {topic}. Every ten minutes MirrorMaker sets them to the source's values, "
                "or takes them away, and the next `pulumi up` sets them back.",
                "set it to false, or list these keys in config.properties.exclude",
                connector=name,
                topic=topic,
                path=("sync.topic.configs.enabled",),
            )


def _is_mirrored(topic: str, config: Mapping[str, str]) -> bool:
    """Whether a topic on the target is one that the connector writes."""
    if naming_of(config.get("replication.policy.class")) is Naming.PREFIXED:
        separator = config.get("replication.policy.separator", ".")
        prefix = f"{config.get('source.cluster.alias', '')}{separator}"
        if not topic.startswith(prefix):
            return False
        topic = topic.removeprefix(prefix)
    patterns = list_items(config.get("topics", ".*"))
    return any(blind(pattern) or NameSet.matching(pattern).holds(topic) for pattern in patterns)
