"""The source is never written: rules about clusters that are `read-only: true`."""

from __future__ import annotations

from collections.abc import Iterator

from pulumi_policy import PolicyResource, Severity

from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules import connector_config as connector_rules
from mirrorstack.rules import read_only as writes
from policies.connectors import connectors
from policies.rules import ResourceRule, Rule, StackRule
from policies.view import ACL, CONNECTOR, TOPIC, Connector, Made

Placed = tuple[str, PolicyResource]


def _read_only(made: Made, kind: str) -> Iterator[Placed]:
    """Resources of a type on clusters that are read-only, with the cluster's alias."""
    for alias, each in made.located(kind):
        if made.declared and made.declared.settings.clusters[alias].read_only:
            yield alias, each


def _acls(made: Made) -> Iterator[Placed]:
    yield from _read_only(made, ACL)


def _topics(made: Made) -> Iterator[Placed]:
    yield from _read_only(made, TOPIC)


def _granted(placed: Placed) -> Iterator[Finding]:
    alias, acl = placed
    props = acl.props
    if props.get("aclPermissionType") == "Allow":
        what = f"{props.get('aclResourceType')} {props.get('aclResourceName')}"
        operation, principal = str(props.get("aclOperation")), str(props.get("aclPrincipal"))
        yield from writes.granted_writes(alias, operation, what, principal)


def _made(placed: Placed) -> Iterator[Finding]:
    alias, topic = placed
    yield from writes.made_topics(alias, str(topic.props.get("name", topic.name)))


def _reading(made: Made) -> Iterator[Connector]:
    clusters = made.declared.settings.clusters if made.declared else {}
    for connector in made.connectors:
        source = clusters.get(connector.ends[0])
        if (
            source
            and source.read_only
            and connector.kind in (ConnectorKind.SOURCE, ConnectorKind.CHECKPOINT)
        ):
            yield connector


def _syncs(connector: Connector) -> Iterator[Finding]:
    yield from writes.syncs_on_source(connector.name, connector.config, connector.ends[0])


WHY = "A source that is provably read-only is why its owner lets us in."
SOURCE_RULES: list[Rule] = [
    StackRule(
        id="read-only-means-no-grant-to-write",
        title="On a read-only cluster nothing may be granted but reading.",
        why=WHY,
        severity=Severity.CRITICAL,
        units=_acls,
        judge=_granted,
    ),
    StackRule(
        id="read-only-means-no-topics",
        title="On a read-only cluster no topic may be made.",
        why=WHY,
        severity=Severity.CRITICAL,
        units=_topics,
        judge=_made,
    ),
    StackRule(
        id="read-only-means-no-offset-syncs",
        title="Offset syncs of a read-only source must be kept on the target.",
        why="MirrorMaker's default writes a topic on the source.",
        severity=Severity.CRITICAL,
        units=_reading,
        judge=_syncs,
    ),
    ResourceRule(
        id="acls-are-not-synced",
        title="MirrorMaker must not copy ACLs.",
        why="It copies half of them, never takes one back, and needs to alter the cluster for it.",
        type=CONNECTOR,
        judge=connectors(connector_rules.syncs_acls, ConnectorKind.SOURCE),
    ),
]
