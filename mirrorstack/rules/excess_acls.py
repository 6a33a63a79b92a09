"""No ACLs beyond those that the flows need."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from mirrorstack.findings import Finding
from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from mirrorstack.mm2.replication_policy import matches_any
from mirrorstack.mm2.required_acls import required_acls
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.rules.rule import rule
from mirrorstack.rules.subjects import DeclaredAcl, MirrorAcl

if TYPE_CHECKING:  # see `subjects`
    from mirrorstack.config.settings import StackSettings

USERNAME = re.compile(r'username="([^"]+)"')


@rule(
    MirrorAcl,
    id="no-excess-acls",
    title="A principal that replicates must have no more ACLs than its flows need.",
    reason="Each excess ACL is what a stolen password allows.",
)
def no_excess_acls(given: MirrorAcl) -> Iterator[Finding]:
    acl = given.acl
    if not any(_covers(one, acl) for one in given.required if one.cluster == acl.cluster):
        star = "*" if acl.pattern == PatternType.PREFIXED else ""
        yield Finding(
            f"{acl.principal} is allowed {acl.operation} on {acl.type} {acl.name}{star} of "
            f"{acl.cluster}, which no flow needs. The stack derives its ACLs; each further one is "
            "what a stolen password allows",
            "remove it; or, if another client needs it, give that client its own principal",
            cluster=acl.cluster,
        )


def acls_needed(
    settings: StackSettings, topics: Mapping[str, tuple[str, ...]], declared: Iterable[DeclaredAcl]
) -> list[Acl]:
    """What the stack's flows need. `topics` are those that each flow replicates.

    Which groups a pattern matches only the cluster knows: those of the declared ACLs that match
    count.
    """
    named = {acl.name for acl in declared if acl.type == ResourceType.GROUP}
    flows = [
        ResolvedFlow(
            flow,
            topics.get(flow.name, ()),
            tuple(
                sorted(
                    name
                    for name in named
                    if matches_any(flow.groups, name) and not matches_any(flow.exclude_groups, name)
                )
            ),
            not settings.clusters[flow.source].administer,
        )
        for flow in settings.flows
    ]
    targets = dict.fromkeys(flow.target for flow in settings.flows)
    workers = [settings.worker_group(target) for target in targets]
    return required_acls(flows, workers)


def user_name(jaas: str) -> str | None:
    found = USERNAME.search(jaas)
    return found.group(1) if found else None


def _covers(required: Acl, acl: DeclaredAcl) -> bool:
    try:
        operation = Operation(acl.operation)
        resource = ResourcePattern(ResourceType(acl.type), acl.name, PatternType(acl.pattern))
    except ValueError:
        return False  # on the cluster, All, Alter: no derived ACL is such a one
    return required.operation is operation and required.resource.covers(resource)


RULES = (no_excess_acls,)
