"""Rules about grants."""

from __future__ import annotations

from collections.abc import Iterator

from mirrorstack.findings import Finding
from mirrorstack.kafka.acls import Acl
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.key_values import list_items
from mirrorstack.rules.excess_acls import Given, derived, principal_in, wider
from mirrorstack.rules.topic_flow import unescaped
from policies.rules import Rule, StackRule
from policies.view import ACL, Made

Judged = tuple[Given, list[Acl]]


def _mirroring(made: Made) -> set[tuple[str, str]]:
    """Clusters and who MirrorMaker is there, as the connectors say it."""
    found: set[tuple[str, str]] = set()
    for connector in made.connectors:
        for end, alias in zip(("source", "target"), connector.ends, strict=True):
            who = principal_in(connector.config.get(f"{end}.cluster.sasl.jaas.config", ""))
            if who:
                found.add((alias, who))
    settings = made.declared.settings if made.declared else None
    for alias, cluster in settings.clusters.items() if settings else ():
        if cluster.principals.mirror:
            found.add((alias, cluster.principals.mirror))
    return found


def _acls(made: Made) -> list[Given]:
    who = _mirroring(made)
    found = [
        Given(
            cluster=alias,
            principal=str(acl.props.get("aclPrincipal")),
            operation=str(acl.props.get("aclOperation")),
            type=str(acl.props.get("aclResourceType")),
            name=str(acl.props.get("aclResourceName")),
            pattern=str(acl.props.get("resourcePatternTypeFilter", "Literal")),
        )
        for alias, acl in made.located(ACL)
        if acl.props.get("aclPermissionType") == "Allow"
    ]
    return [
        acl
        for acl in found
        if (acl.cluster, acl.principal.removeprefix("User:")) in who or acl.principal == "User:*"
    ]


def _judged(made: Made) -> Iterator[Judged]:
    if made.declared is None:
        return
    given = _acls(made)
    topics = {
        f"{connector.ends[0]}-to-{connector.ends[1]}": tuple(
            map(unescaped, list_items(connector.config.get("topics", "")))
        )
        for connector in made.connectors
        if connector.kind is ConnectorKind.SOURCE
    }
    needed = derived(made.declared.settings, topics, given)
    for each in given:
        yield each, needed


def _wider(judged: Judged) -> Iterator[Finding]:
    yield from wider(*judged)


GRANT_RULES: list[Rule] = [
    StackRule(
        id="grants-are-needed",
        title="A mirroring principal must be granted no more than its flows need.",
        why="Each further grant is what a stolen password can do.",
        units=_judged,
        judge=_wider,
    ),
]
