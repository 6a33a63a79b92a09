"""The grants that the mirroring principals need, derived: every one is needed, and no other is.

What each call of MirrorMaker and Connect asks of the brokers is written in Kafka's KafkaApis; the
`reason` of a grant says which of them it is for, and is what a person sees when it is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from mirrorstack.mm2.replication_policy import HEARTBEATS, SEPARATOR, Naming, literal_name
from mirrorstack.mm2.worker_configs import WorkerGroup

if TYPE_CHECKING:
    from mirrorstack.config.flows import FlowSettings


@dataclass(frozen=True)
class ResolvedFlow:
    """A flow, and what its patterns match on the source at this moment."""

    settings: FlowSettings
    topics: tuple[str, ...]
    groups: tuple[str, ...] = ()
    as_guest: bool = False
    """Whether the source is looked at as the mirroring principal, reason it is not ours."""


def required_acls(flows: Iterable[ResolvedFlow], workers: Iterable[WorkerGroup]) -> list[Acl]:
    """All grants of a stack."""
    wanted = [grant for group in workers for grant in _of_workers(group)]
    for flow in flows:
        wanted += _on_source(flow)
        wanted += _on_target(flow)
    return _without_covered(wanted)


def _on_source(resolved: ResolvedFlow) -> list[Acl]:
    flow, topics = resolved.settings, resolved.topics
    alias = flow.source
    readable = _as_tight_as_declared(ResourceType.TOPIC, flow.topics, flow.exclude, topics)
    why = f"{flow.name} reads its topics"
    result = [Acl(alias, resource, Operation.READ, why) for resource in readable]
    if resolved.as_guest or flow.sync_configs:
        why = "the target's topics have the same configs"
        operation = Operation.DESCRIBE_CONFIGS
        result += [Acl(alias, resource, operation, why) for resource in readable]
    result += [
        Acl(alias, resource, Operation.DESCRIBE, f"{flow.name} looks up where groups are")
        for resource in _groups(resolved)
    ]
    if flow.offset_syncs == "source":
        result += _read_and_write(alias, flow.policy.offset_syncs_topic("source"), _SYNCS)
    return result


def _on_target(resolved: ResolvedFlow) -> list[Acl]:
    flow = resolved.settings
    alias, policy = flow.target, flow.policy
    remote = _remote_topics(flow, resolved.topics)
    result = [
        Acl(alias, resource, Operation.WRITE, f"{flow.name} writes its topics")
        for resource in remote
    ]
    if flow.sync_configs:
        why = f"{flow.name} keeps {', '.join(flow.sync_configs)} as on the source"
        result += [Acl(alias, resource, Operation.ALTER_CONFIGS, why) for resource in remote]
    if flow.offset_syncs == "target":
        result += _read_and_write(alias, policy.offset_syncs_topic("target"), _SYNCS)
    if flow.heartbeats:
        topic = ResourcePattern(ResourceType.TOPIC, HEARTBEATS)
        result.append(Acl(alias, topic, Operation.WRITE, f"{flow.name} emits heartbeats"))
    if flow.groups:
        result += _read_and_write(alias, policy.checkpoints_topic, "checkpoints are kept there")
    if flow.groups and flow.sync_group_offsets:
        commits = f"{flow.name} commits the groups' translated offsets"
        result += [Acl(alias, group, Operation.READ, commits) for group in _groups(resolved)]
        result += [Acl(alias, resource, Operation.READ, commits) for resource in remote]
    return result


def _of_workers(group: WorkerGroup) -> list[Acl]:
    name = ResourceType.GROUP, group.group
    result = [Acl(group.target, ResourcePattern(*name), Operation.READ, "workers form a group")]
    for topic in group.internal_topics:
        result += _read_and_write(group.target, topic, "Connect keeps its state there")
    if group.exactly_once:
        # `connect-cluster-<group>` is the leader's; `<group>-<connector>-<n>` are the tasks'.
        leader = ResourcePattern(ResourceType.TRANSACTIONAL_ID, f"connect-cluster-{group.group}")
        tasks = ResourcePattern(
            ResourceType.TRANSACTIONAL_ID, f"{group.group}-", PatternType.PREFIXED
        )
        why = "exactly-once writes in transactions"
        result += [Acl(group.target, each, Operation.WRITE, why) for each in (leader, tasks)]
    return result


_SYNCS = "which offset is which is kept there"


def _read_and_write(cluster: str, topic: str, reason: str) -> list[Acl]:
    resource = ResourcePattern(ResourceType.TOPIC, topic)
    return [
        Acl(cluster, resource, operation, reason) for operation in (Operation.READ, Operation.WRITE)
    ]


def _remote_topics(flow: FlowSettings, topics: Sequence[str]) -> list[ResourcePattern]:
    """Under prefixed naming one prefix is as tight: no other topic may begin with the alias."""
    if flow.naming is Naming.PREFIXED:
        return [
            ResourcePattern(ResourceType.TOPIC, f"{flow.source}{SEPARATOR}", PatternType.PREFIXED)
        ]
    return [
        ResourcePattern(ResourceType.TOPIC, flow.policy.target_topic(topic)) for topic in topics
    ]


def _groups(resolved: ResolvedFlow) -> list[ResourcePattern]:
    flow = resolved.settings
    return _as_tight_as_declared(
        ResourceType.GROUP, flow.groups, flow.exclude_groups, resolved.groups
    )


def _as_tight_as_declared(
    kind: ResourceType, patterns: Sequence[str], excluded: Sequence[str], names: Sequence[str]
) -> list[ResourcePattern]:
    """One grant for `orders`, one prefix for `orders-.*`, and names where neither is as tight."""
    found: list[ResourcePattern] = []
    for pattern in patterns:
        prefix = literal_name(pattern.removesuffix(".*"))
        if prefix is None or (pattern.endswith(".*") and excluded):
            continue
        if not pattern.endswith(".*"):
            found.append(ResourcePattern(kind, prefix))
        elif prefix:
            found.append(ResourcePattern(kind, prefix, PatternType.PREFIXED))
        else:
            found.append(ResourcePattern(kind, "*"))
    for name in names:
        resource = ResourcePattern(kind, name)
        if not any(other.covers(resource) for other in found):
            found.append(resource)
    return list(dict.fromkeys(found))


def _without_covered(wanted: Iterable[Acl]) -> list[Acl]:
    """Each grant once, and none that a wider one of the same operation already gives."""
    unique = {grant.key: grant for grant in wanted}
    return sorted(
        grant
        for grant in unique.values()
        if not any(
            other.cluster == grant.cluster
            and other.operation is grant.operation
            and other.resource != grant.resource
            and other.resource.covers(grant.resource)
            for other in unique.values()
        )
    )
