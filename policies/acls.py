"""Reads the ACLs of a stack: who manages them, and which belong to principals that replicate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_policy import PolicyResource

from mirrorstack.mm2.connector_configs import ConnectorKind, flow_name
from mirrorstack.mm2.key_values import list_items
from mirrorstack.mm2.replication_policy import literal_name
from mirrorstack.rules.excess_acls import acls_needed, user_name
from mirrorstack.rules.subjects import DeclaredAcl, MirrorAcl, ProductionAcls
from mirrorstack.rules.topic_flow import unescape
from policies.resources import ACLS, ENDS, StackResources, plain, read_declaration
from policies.strimzi import KAFKA_USERS, acl_props

OnCluster = tuple[StackResources, str, PolicyResource]
"""A resource with the alias of its cluster, and the stack."""


def acls(stack: StackResources) -> Iterator[OnCluster]:
    for alias, acl in stack.on_clusters(*ACLS):
        yield stack, alias, acl


def read_acl(unit: OnCluster) -> Iterator[DeclaredAcl]:
    """Of one resource: an Acl, or the KafkaUser with all ACLs of a principal."""
    stack, alias, resource = unit
    of_user = resource.resource_type in KAFKA_USERS
    for props in acl_props(resource.props) if of_user else (resource.props,):
        if stack.declaration and props.get("aclPermissionType") == "Allow":
            yield DeclaredAcl(
                cluster=alias,
                principal=str(props.get("aclPrincipal")),
                operation=str(props.get("aclOperation")),
                type=str(props.get("aclResourceType")),
                name=str(props.get("aclResourceName")),
                pattern=str(props.get("resourcePatternTypeFilter", "Literal")),
                read_only=stack.declaration.settings.clusters[alias].read_only,
            )


def production_acls(_name: str, props: Mapping[str, Any]) -> Iterator[ProductionAcls]:
    """From the component, which has what preflight found."""
    declaration = read_declaration(props)
    if declaration is None or not declaration.settings.production:
        return
    for alias, mode in plain(props.get("acl_modes") or {}).items():
        declared = declaration.settings.clusters[alias].acl_mode
        yield ProductionAcls(alias, str(mode), declared.value)


def mirror_acls(stack: StackResources) -> Iterator[MirrorAcl]:
    if stack.declaration is None:
        return
    principals = _mirror_principals(stack)
    declared = [
        acl
        for unit in acls(stack)
        for acl in read_acl(unit)
        if (acl.cluster, acl.principal.removeprefix("User:")) in principals
        or acl.principal == "User:*"
    ]
    topics = {
        flow_name(*connector.aliases): tuple(
            unescape(entry)
            for entry in list_items(connector.config.get("topics", ""))
            if literal_name(entry) is not None
        )
        for connector in stack.connectors
        if connector.kind is ConnectorKind.SOURCE
    }
    required = acls_needed(stack.declaration.settings, topics, declared)
    for acl in declared:
        yield MirrorAcl(acl, required)


def _mirror_principals(stack: StackResources) -> set[tuple[str, str]]:
    """By cluster: those that the stack file declares, and those that connectors log in as."""
    clusters = stack.declaration.settings.clusters if stack.declaration else {}
    found = {
        (alias, cluster.principals.mirror)
        for alias, cluster in clusters.items()
        if cluster.principals.mirror
    }
    for connector in stack.connectors:
        for end, alias in zip(ENDS, connector.aliases, strict=True):
            if user := user_name(connector.config.get(f"{end}.cluster.sasl.jaas.config", "")):
                found.add((alias, user))
    return found
