"""Grants of a mirroring principal that nothing needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mirrorstack.findings import Finding
from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from mirrorstack.mm2.replication_policy import matches_any
from mirrorstack.mm2.required_acls import required_acls
from mirrorstack.mm2.resolved_flow import ResolvedFlow

if TYPE_CHECKING:
    from mirrorstack.config.settings import StackSettings

USERNAME = re.compile(r'username="([^"]+)"')


@dataclass(frozen=True)
class Given:
    """An ACL as it is going to be made on a cluster, in Kafka's words."""

    cluster: str
    principal: str
    operation: str
    type: str
    name: str
    pattern: str

    @property
    def sentence(self) -> str:
        star = "*" if self.pattern == PatternType.PREFIXED else ""
        return f"{self.principal} is granted {self.operation} on {self.type} {self.name}{star}"


def derived(
    settings: StackSettings, topics: Mapping[str, tuple[str, ...]], given: Iterable[Given]
) -> list[Acl]:
    """What the stack's flows need. `topics` are the names that each flow mirrors.

    Which groups a pattern matches only the cluster knows: those of the given ACLs that match count.
    """
    named = {each.name for each in given if each.type == ResourceType.GROUP}
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


def wider(given: Given, needed: Iterable[Acl]) -> Iterator[Finding]:
    if not any(_covers(grant, given) for grant in needed if grant.cluster == given.cluster):
        yield Finding(
            f"{given.sentence} of {given.cluster}, which no flow needs. The stack derives the "
            "grants; each further one is what a stolen password can do.",
            "take it away; or, if it is for somebody else, give it to a principal of their own",
            cluster=given.cluster,
        )


def principal_in(jaas: str) -> str | None:
    found = USERNAME.search(jaas)
    return found.group(1) if found else None


def _covers(grant: Acl, given: Given) -> bool:
    try:
        operation = Operation(given.operation)
        resource = ResourcePattern(ResourceType(given.type), given.name, PatternType(given.pattern))
    except ValueError:
        return False  # cluster-wide rights, All, Alter: none of the derived grants is such a one
    return grant.operation is operation and grant.resource.covers(resource)
