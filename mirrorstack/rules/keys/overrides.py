"""Checks the keys of MirrorMaker that a flow of a stack file overrides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mirrorstack.config.settings import StackSettings
from mirrorstack.connect.config import value_text
from mirrorstack.findings import Finding, Severity, UserError, key_text
from mirrorstack.mm2.connector_configs import ConnectorKind, flow_name
from mirrorstack.rules.keys.connector import CLASS, connector_key_findings
from mirrorstack.rules.keys.rules import KeyRule

# Topic names, ACLs and health checks are derived from the flow's own keys. A connector with another
# value would replicate to topics that are not planned, with ACLs that do not fit.
FLOW_KEYS = {
    "topics": "topics",
    "topics.exclude": "exclude",
    "groups": "groups",
    "groups.exclude": "exclude-groups",
    "source.cluster.alias": "from",
    "target.cluster.alias": "to",
    "replication.policy.class": "naming",
    "replication.policy.separator": "separator",
    "offset-syncs.topic.location": "offset-syncs",
}
# The names of internal topics are derived for this value.
FIXED_KEYS = {"replication.policy.internal.topic.separator.enabled": "true"}


def override_findings(flows: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """From the flows as a stack file declares them, with the path of each key in the file."""
    for number, flow in enumerate(flows):
        for kind in ConnectorKind:
            declared = (flow.get("override") or {}).get(kind.value) or {}
            given = {key: value_text(value) for key, value in declared.items()}
            of_the_flow = [one for key in given for one in _not_to_override(key)]
            found = connector_key_findings({CLASS: kind.java_class, **given}, complete=False)
            for one in (*of_the_flow, *found):
                yield replace(
                    one,
                    path=("flows", number, "override", kind.value, *one.path),
                    flow=flow_name(str(flow.get("from")), str(flow.get("to"))),
                )


def _not_to_override(key: str) -> Iterator[Finding]:
    if own := FLOW_KEYS.get(key):
        yield Finding(
            f"{key} cannot be overridden: topics, ACLs and checks are derived from the flow's "
            f"`{own}`",
            f"remove it, and set `{own}` of the flow",
            rule=KeyRule.KEY_SET_BY_FLOW,
            path=(key,),
        )
    elif fixed := FIXED_KEYS.get(key):
        yield Finding(
            f"{key} cannot be changed: names of internal topics and ACLs are derived for {fixed!r}",
            "remove it",
            rule=KeyRule.KEY_SET_BY_FLOW,
            path=(key,),
        )


def require_valid_overrides(settings: StackSettings, file: str = "") -> None:
    """Raises a UserError with all errors in overridden keys. For everything that derives topic
    names, ACLs or connectors from the settings."""
    if findings := check_overrides(settings):
        raise UserError.of(findings, file=file)


def check_overrides(settings: StackSettings) -> list[Finding]:
    """The errors in overridden keys, each message with its place in the file; warnings are for the
    linter."""
    return [
        replace(one, message=f"{key_text(one.path[:-1])}: {one.message}")
        for one in override_findings(settings.declared()["flows"])
        if one.severity is Severity.ERROR
    ]
