"""Rules about what a flow has besides the connector that replicates records."""

from __future__ import annotations

from collections.abc import Iterator

from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.key_values import list_items
from mirrorstack.mm2.pattern_automata import NameSet
from mirrorstack.rules.connector_config import is_off
from mirrorstack.rules.rule import Level, Risk, rule
from mirrorstack.rules.subjects import Config, FlowConnectors, FlowGroups, TopicConfigSync
from mirrorstack.rules.topic_flow import is_opaque
from mirrorstack.rules.topology import policy_of

DEFAULT_CONFIG_EXCLUDE = (
    r"follower\.replication\.throttled\.replicas, leader\.replication\.throttled\.replicas, "
    r"message\.timestamp\.difference\.max\.ms, message\.timestamp\.type, "
    r"unclean\.leader\.election\.enable, min\.insync\.replicas"
)
EMIT_HEARTBEATS = "emit.heartbeats.enabled"


@rule(
    FlowConnectors,
    id="emit-heartbeats",
    title="A flow should have a heartbeat connector that emits.",
    reason="An idle flow looks like a broken one.",
    risk=Risk.MEDIUM,
    level=Level.ADVISORY,
)
def emit_heartbeats(flow: FlowConnectors) -> Iterator[Finding]:
    source = flow.connectors.get(ConnectorKind.SOURCE)
    heartbeat = flow.connectors.get(ConnectorKind.HEARTBEAT)
    if source and not heartbeat:
        yield Finding(
            f"Connector {source.name} has no heartbeat connector beside it: when nothing is "
            "written on the source, an idle flow looks like a broken one",
            "add one: `heartbeats: true` in a stack file",
            connector=source.name,
        )
    if heartbeat and is_off(heartbeat.config, EMIT_HEARTBEATS):
        yield Finding(
            f"Connector {heartbeat.name}: {EMIT_HEARTBEATS} is false: when nothing is written on "
            "the source, an idle flow looks like a broken one",
            "remove the key: true is the default",
            connector=heartbeat.name,
            path=(EMIT_HEARTBEATS,),
        )


@rule(
    FlowGroups,
    id="checkpoints-for-groups",
    title="A flow that declares groups must have a checkpoint connector.",
    reason="After a failover no group has a committed offset on the target.",
)
def checkpoints_for_groups(flow: FlowGroups) -> Iterator[Finding]:
    kinds = flow.kinds
    if flow.groups and ConnectorKind.SOURCE in kinds and ConnectorKind.CHECKPOINT not in kinds:
        yield Finding(
            f"Flow {flow.flow} declares the groups {', '.join(flow.groups)}, and there is no "
            "checkpoint connector: after a failover none of them has a committed offset on the "
            "target",
            "add the flow's MirrorCheckpointConnector, or remove the groups",
            flow=flow.flow,
        )


@rule(
    TopicConfigSync,
    id="one-owner-of-topic-configs",
    title="MirrorMaker must not sync configs of topics that the stack owns.",
    reason="MirrorMaker and Pulumi overwrite each other's values, every ten minutes.",
)
def one_owner_of_topic_configs(sync: TopicConfigSync) -> Iterator[Finding]:
    key = "sync.topic.configs.enabled"
    connector, config = sync.connector, sync.connector.config
    value = config.get(key)
    if value == "false":
        return
    excluded = list_items(config.get("config.properties.exclude", DEFAULT_CONFIG_EXCLUDE))
    for topic, keys in sync.topics.items():
        both = [
            each
            for each in keys
            if each not in sync.synced
            and not any(compile_java(pattern).fullmatch(each) for pattern in excluded)
        ]
        if both and _replicates_to(topic, config):
            yield Finding(
                f"Connector {connector.name}: {key} is {value or 'absent, which means true'}, and "
                f"the stack owns {', '.join(both)} of topic {topic}. Every ten minutes MirrorMaker "
                "sets them to the source's values, or removes them, and the next `pulumi up` sets "
                "them back",
                "set it to false, or list these keys in config.properties.exclude",
                connector=connector.name,
                topic=topic,
                path=(key,),
            )


def _replicates_to(topic: str, config: Config) -> bool:
    """Whether a topic on the target is one that the connector writes."""
    policy = policy_of(config)
    if not policy.may_be_target_topic(topic):
        return False
    prefix, suffix = policy.affixes
    topic = topic.removeprefix(prefix).removesuffix(suffix)
    patterns = list_items(config.get("topics", ".*"))
    return any(
        is_opaque(pattern) or NameSet.matching(pattern).contains(topic) for pattern in patterns
    )


RULES = (emit_heartbeats, checkpoints_for_groups, one_owner_of_topic_configs)
