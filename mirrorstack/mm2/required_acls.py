"""The ACLs that a stack's principals need, derived from its flows: every one of them, no other.

Which ACL a request of MirrorMaker or Connect needs is defined in Kafka's KafkaApis. The `reason` of
an ACL says what needs it, and is shown where the ACL is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from mirrorstack.mm2 import pattern_acls
from mirrorstack.mm2.discovery import Discovery
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.replication_policy import HEARTBEATS
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_group import WorkerGroup

_OFFSET_SYNCS = "MirrorMaker keeps offset syncs there"


def required_acls(flows: Iterable[ResolvedFlow[Flow]], workers: Iterable[WorkerGroup]) -> list[Acl]:
    """All ACLs of a stack."""
    required = [acl for group in workers for acl in _for_workers(group)]
    for flow in flows:
        required += _on_source(flow)
        required += _on_target(flow)
    return _without_covered(required)


def _on_source(resolved: ResolvedFlow[Flow]) -> list[Acl]:
    flow = resolved.settings
    alias = flow.source
    readable = _source_topics(resolved)
    reason = f"{flow.name} reads its topics"
    result = [Acl(alias, resource, Operation.READ, reason) for resource in readable]
    described = pattern_acls.by_pattern(
        ResourceType.TOPIC, resolved.live_patterns, (), excluded=flow.exclude
    )
    if resolved.inspected_as_mirror or flow.sync_configs:
        described = readable
    reason, operation = "target topics have the source's configs", Operation.DESCRIBE_CONFIGS
    result += [Acl(alias, resource, operation, reason) for resource in described]
    result += [
        Acl(alias, resource, Operation.DESCRIBE, f"{flow.name} reads the groups' committed offsets")
        for resource in _groups(resolved)
    ]
    if flow.offset_syncs == "source":
        result += _read_and_write(alias, flow.policy.offset_syncs_topic("source"), _OFFSET_SYNCS)
    return result


def _on_target(resolved: ResolvedFlow[Flow]) -> list[Acl]:
    flow = resolved.settings
    alias, policy = flow.target, flow.policy
    written = _target_topics(resolved)
    result = [
        Acl(alias, resource, Operation.WRITE, f"{flow.name} writes its topics")
        for resource in written
    ]
    # Without it, MirrorMaker assigns partitions that the target topic does not have, and the whole
    # task waits for them, RUNNING.
    reason = f"{flow.name} adds the partitions that are added on {flow.source}"
    result += [Acl(alias, resource, Operation.ALTER, reason) for resource in written]
    if resolved.live_patterns:
        reason = f"{flow.name} creates the target topics of topics that its patterns match"
        result += [
            Acl(alias, resource, Operation.CREATE, reason) for resource in _created_topics(resolved)
        ]
    if flow.sync_configs:
        reason = f"{flow.name} syncs {', '.join(flow.sync_configs)}"
        result += [Acl(alias, resource, Operation.ALTER_CONFIGS, reason) for resource in written]
    if flow.offset_syncs == "target":
        result += _read_and_write(alias, policy.offset_syncs_topic("target"), _OFFSET_SYNCS)
    if flow.heartbeats:
        topic = ResourcePattern(ResourceType.TOPIC, HEARTBEATS)
        result.append(Acl(alias, topic, Operation.WRITE, f"{flow.name} emits heartbeats"))
    if flow.groups:
        reason = "MirrorMaker keeps checkpoints there"
        result += _read_and_write(alias, policy.checkpoints_topic, reason)
    if flow.groups and flow.sync_group_offsets:
        reason = f"{flow.name} commits the groups' translated offsets"
        result += [Acl(alias, group, Operation.READ, reason) for group in _groups(resolved)]
        result += [Acl(alias, resource, Operation.READ, reason) for resource in written]
    return result


def _for_workers(workers: WorkerGroup) -> list[Acl]:
    if not workers.is_managed:
        return []
    result = []
    for name in workers.groups:
        group = ResourcePattern(ResourceType.GROUP, name)
        result.append(Acl(workers.target, group, Operation.READ, "workers form a group"))
        if workers.exactly_once:
            # The leader uses `connect-cluster-<group>`, the tasks `<group>-<connector>-<n>`.
            transactional = ResourceType.TRANSACTIONAL_ID
            leader = ResourcePattern(transactional, f"connect-cluster-{name}")
            tasks = ResourcePattern(transactional, f"{name}-", PatternType.PREFIXED)
            reason = "exactly-once writes in transactions"
            result += [
                Acl(workers.target, each, Operation.WRITE, reason) for each in (leader, tasks)
            ]
    for topic in workers.internal_topics:
        result += _read_and_write(workers.target, topic, "Connect keeps its state there")
    return result


def _read_and_write(cluster: str, topic: str, reason: str) -> list[Acl]:
    resource = ResourcePattern(ResourceType.TOPIC, topic)
    return [
        Acl(cluster, resource, operation, reason) for operation in (Operation.READ, Operation.WRITE)
    ]


def _source_topics(resolved: ResolvedFlow[Flow]) -> list[ResourcePattern]:
    flow, kind = resolved.settings, ResourceType.TOPIC
    if not resolved.live_patterns:
        return pattern_acls.by_name(kind, flow.topics, flow.exclude, resolved.topics)
    return pattern_acls.by_pattern(kind, flow.topics, resolved.topics, excluded=flow.exclude)


def _target_topics(resolved: ResolvedFlow[Flow]) -> list[ResourcePattern]:
    """A prefix that shows the source is as tight: no other topic may start with it."""
    if prefix := resolved.settings.policy.prefix:
        return [ResourcePattern(ResourceType.TOPIC, prefix, PatternType.PREFIXED)]
    return _live_target_topics(resolved, sorted(resolved.target_topics.values()))


def _created_topics(resolved: ResolvedFlow[Flow]) -> list[ResourcePattern]:
    """Those that MirrorMaker creates. The stack creates the target topics of topics that the flow
    names."""
    if resolved.settings.policy.prefix:
        return _target_topics(resolved)
    return _live_target_topics(resolved, ())


def _live_target_topics(
    resolved: ResolvedFlow[Flow], names: Sequence[str]
) -> list[ResourcePattern]:
    flow = resolved.settings
    return pattern_acls.by_pattern(
        ResourceType.TOPIC,
        resolved.live_patterns,
        names,
        excluded=flow.exclude,
        affixes=flow.policy.affixes,
    )


def _groups(resolved: ResolvedFlow[Flow]) -> list[ResourcePattern]:
    flow, kind = resolved.settings, ResourceType.GROUP
    if flow.discovery is Discovery.LIVE:
        return pattern_acls.by_pattern(
            kind, flow.groups, resolved.groups, excluded=flow.exclude_groups
        )
    return pattern_acls.by_name(kind, flow.groups, flow.exclude_groups, resolved.groups)


def _without_covered(acls: Iterable[Acl]) -> list[Acl]:
    """Each ACL once, without those that a wider one of the same operation covers."""
    unique = {acl.key: acl for acl in acls}
    return sorted(
        acl
        for acl in unique.values()
        if not any(
            other.cluster == acl.cluster
            and other.operation is acl.operation
            and other.resource != acl.resource
            and other.resource.covers(acl.resource)
            for other in unique.values()
        )
    )
