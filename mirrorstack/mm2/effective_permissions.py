"""What a stack's grants come to: operations on topics and groups that exist, by their names.

A broker cannot be asked whether a pattern is granted, but it tells what may be done with a topic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mirrorstack.kafka.acls import Acl, PatternType, ResourcePattern, ResourceType
from mirrorstack.kafka.permissions import EffectivePermission
from mirrorstack.mm2.required_acls import ResolvedFlow
from mirrorstack.mm2.target_topics import TargetTopic


def effective_permissions(
    alias: str,
    grants: Iterable[Acl],
    flows: Sequence[ResolvedFlow],
    mirrored: Mapping[str, Iterable[TargetTopic]],
    internal: Iterable[TargetTopic],
) -> list[EffectivePermission]:
    """All that the mirroring principal must be able to do on a cluster, as far as it can be asked.

    Transactional ids cannot: only who uses one is told whether it may.
    """
    names = {ResourceType.TOPIC: [topic.name for topic in internal], ResourceType.GROUP: []}
    for flow in flows:
        if flow.settings.source == alias:
            names[ResourceType.TOPIC] += flow.topics
        if flow.settings.target == alias:
            names[ResourceType.TOPIC] += [topic.name for topic in mirrored[flow.settings.name]]
        names[ResourceType.GROUP] += flow.groups
    found = {
        EffectivePermission(grant.resource.type, name, grant.operation, grant.reason)
        for grant in grants
        if grant.cluster == alias and grant.resource.type in names
        for name in [*names[grant.resource.type], *_literal(grant)]
        if grant.resource.covers(ResourcePattern(grant.resource.type, name))
    }
    return sorted(found)


def _literal(grant: Acl) -> list[str]:
    """A group that is granted by its name need not exist yet."""
    exact = grant.resource.pattern is PatternType.LITERAL and grant.resource.name != "*"
    return [grant.resource.name] if exact else []
