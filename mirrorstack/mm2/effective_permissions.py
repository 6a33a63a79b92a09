"""The permissions that a stack's ACLs must result in: operations on topics and groups, by name.

A broker does not answer whether a pattern is allowed, but it reports the operations that the caller
may perform on a topic or group.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mirrorstack.kafka.acls import Acl, PatternType, ResourcePattern, ResourceType
from mirrorstack.kafka.permissions import EffectivePermission
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.target_topics import TargetTopic


def effective_permissions(
    alias: str,
    acls: Iterable[Acl],
    flows: Sequence[ResolvedFlow[Flow]],
    internal: Iterable[TargetTopic],
) -> list[EffectivePermission]:
    """What the mirroring principal must be allowed on a cluster, as far as a broker reports it.

    Transactional ids are left out: a broker reports them only to a producer that uses one.
    """
    created_later = {
        flow.target_topics[topic]
        for flow in flows
        if flow.settings.target == alias
        for topic in flow.discovered
    }
    names = {ResourceType.TOPIC: [topic.name for topic in internal], ResourceType.GROUP: []}
    for flow in flows:
        if flow.settings.source == alias:
            names[ResourceType.TOPIC] += flow.topics
        if flow.settings.target == alias:
            names[ResourceType.TOPIC] += flow.target_topics.values()
        names[ResourceType.GROUP] += flow.groups
    found = {
        EffectivePermission(
            acl.resource.type, name, acl.operation, acl.reason, may_be_absent=name in created_later
        )
        for acl in acls
        if acl.cluster == alias and acl.resource.type in names
        for name in [*names[acl.resource.type], *_literal(acl)]
        if acl.resource.covers(ResourcePattern(acl.resource.type, name))
    }
    return sorted(found)


def _literal(acl: Acl) -> list[str]:
    """A group that is named literally does not have to exist yet. A topic that a live pattern may
    match later cannot be asked about before it exists."""
    resource = acl.resource
    exact = resource.pattern is PatternType.LITERAL and resource.name != "*"
    return [resource.name] if exact and resource.type is ResourceType.GROUP else []
