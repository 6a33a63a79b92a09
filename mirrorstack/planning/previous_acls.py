"""The ACLs of the previous deployment: which ones are this stack's own.

Two sources, because a deployment may be killed at any time. The state has an ACL as a resource
after it is created. The deployment record lists the ACLs before the first one is created, so that
a deployment that was killed in between can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mirrorstack.config.clusters import AclMode
from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType

STACK_TYPE = "mirrorstack:index:MirrorStack"
ACLS_TYPE = "mirrorstack:index:Acls"
ACL_TYPE = "kafka:index/acl:Acl"
RECORD_TYPE = "pulumi-python:dynamic/mirrorstack:DeploymentRecord"


@dataclass(frozen=True)
class DeployedAcl:
    """An ACL that is a resource of the state."""

    principal: str
    acl: Acl
    """Without a reason."""


def acl_record(mode: AclMode, principal: str, acls: Iterable[Acl]) -> dict[str, Any]:
    """What the deployment record keeps of a cluster's ACLs."""
    return {"mode": mode.value, "principal": principal, "acls": [acl.label for acl in acls]}


@dataclass(frozen=True)
class PreviousAcls:
    deployed: frozenset[DeployedAcl] = frozenset()
    retained: frozenset[str] = frozenset()
    """Clusters whose ACLs Pulumi leaves in place when they are removed from the stack."""
    recorded: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By cluster; see `acl_record`."""

    @classmethod
    def of(cls, resources: Mapping[str, Mapping[str, Any]]) -> PreviousAcls:
        """`resources` by URN, each with `type` and `outputs`."""
        stacks = [_name(urn) for urn, each in resources.items() if each["type"] == STACK_TYPE]
        deployed: set[DeployedAcl] = set()
        retained: set[str] = set()
        recorded: Mapping[str, Mapping[str, Any]] = {}
        for urn, resource in resources.items():
            outputs = resource.get("outputs") or {}
            if resource["type"] == ACL_TYPE:
                deployed.update(_deployed(_name(urn), stacks, outputs))
            elif resource["type"] == ACLS_TYPE and outputs.get("retained"):
                retained.add(outputs["cluster"])
            elif resource["type"] == RECORD_TYPE:
                recorded = outputs.get("acls") or {}
        return cls(frozenset(deployed), frozenset(retained), recorded)

    def owns(self, principal: str, acl: Acl) -> bool:
        """Whether this stack created the ACL for itself alone."""
        record = self.recorded.get(acl.cluster) or {}
        if record.get("mode") == AclMode.SHARED:
            return False  # it may have existed before, or another stack may need it
        is_recorded = (
            record.get("mode") == AclMode.MANAGED
            and record["principal"] == principal
            and acl.label in record["acls"]
        )
        return is_recorded or self._deletes(principal, acl)

    def leaving(self, principal: str, acls: Iterable[Acl]) -> list[Acl]:
        """Those of the ACLs that Pulumi deletes from the cluster if they are no longer declared."""
        return [acl for acl in acls if self._deletes(principal, acl)]

    def _deletes(self, principal: str, acl: Acl) -> bool:
        return acl.cluster not in self.retained and self.is_deployed(principal, acl)

    def is_deployed(self, principal: str, acl: Acl) -> bool:
        return any(
            each.principal == principal and each.acl.key == acl.key for each in self.deployed
        )

    def on(self, alias: str) -> list[DeployedAcl]:
        """The ACLs of a cluster, sorted."""
        found = (each for each in self.deployed if each.acl.cluster == alias)
        return sorted(found, key=lambda each: (each.principal, each.acl))


def _name(urn: str) -> str:
    return urn.rpartition("::")[2]


def _deployed(
    name: str, stacks: Iterable[str], outputs: Mapping[str, Any]
) -> Iterator[DeployedAcl]:
    """The cluster follows from the resource's name, `<stack>-<cluster>-acls-<label>`: its outputs
    do not have it."""
    try:
        resource = ResourcePattern(
            ResourceType(outputs["aclResourceType"]),
            outputs["aclResourceName"],
            PatternType(outputs["resourcePatternTypeFilter"]),
        )
        acl = Acl("", resource, Operation(outputs["aclOperation"]), "")
    except (KeyError, ValueError):  # of another program in the same stack
        return
    ending = f"-acls-{acl.label}"
    for start in (f"{stack}-" for stack in stacks):
        if name.startswith(start) and name.endswith(ending):
            alias = name[len(start) : -len(ending)]
            principal = str(outputs.get("aclPrincipal", "")).removeprefix("User:")
            yield DeployedAcl(principal, Acl(alias, resource, acl.operation, ""))
