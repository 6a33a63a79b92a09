"""All rules by family, for whatever lists or selects them: policy pack, linter, documentation.

The rules about what a deployment changes are in `mirrorstack.changes.rules`, above this package.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mirrorstack.findings import Finding
from mirrorstack.rules import (
    authorizers,
    connector_config,
    connector_consistency,
    cycles,
    dedicated_flows,
    excess_acls,
    flow_completeness,
    read_only,
    replication_factor,
    secrets,
    shared_state,
    topic_selection,
    transport,
    workers,
)
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.rule import Rule, RuleInfo
from mirrorstack.rules.subjects import Declaration, Flows

FAMILIES: Mapping[str, Sequence[Rule[Any]]] = {
    "Replication cycles": cycles.RULES,
    "Read-only sources": read_only.RULES,
    "Connectors": connector_config.RULES,
    "Connectors of a flow": (*connector_consistency.RULES, *flow_completeness.RULES),
    "Topic selection": topic_selection.RULES,
    "Shared state": shared_state.RULES,
    "Workers": workers.RULES,
    "Topics": replication_factor.RULES,
    "ACLs": (*excess_acls.RULES, *authorizers.RULES),
    "Transport in production": transport.RULES,
    "Secrets": secrets.RULES,
}
"""Those that the policy pack checks."""

RULES: Sequence[Rule[Any]] = tuple(rule for family in FAMILIES.values() for rule in family)
STACK_FILE_RULES = tuple(rule for rule in RULES if rule.subject is Declaration)
"""Those that need a whole stack file."""
FLOW_RULES = tuple(rule for rule in RULES if rule.subject is Flows)
"""Those that need flows, wherever they are declared."""


def declaration_findings(declaration: Declaration) -> Iterator[Finding]:
    """What can be said about a stack file before anything is deployed."""
    for rule in STACK_FILE_RULES:
        yield from rule.findings(declaration)
    flows = Flows.of(declaration)
    for rule in FLOW_RULES:
        yield from rule.findings(flows)


LINT_FAMILIES: Mapping[str, Sequence[RuleInfo]] = {
    "Keys, values and commands": tuple(rule.info for rule in KeyRule),
    "Flows, connectors and workers": (
        *FLOW_RULES,
        *STACK_FILE_RULES,
        *connector_config.RULES,
        *connector_consistency.RULES,
        flow_completeness.emit_heartbeats,
        flow_completeness.checkpoints_for_groups,
        workers.consistent_worker_groups,
    ),
    "Dedicated mode": dedicated_flows.RULES,
}
"""Those that the linter checks; the second family is checked by the policy pack, too."""
LINT_RULES: Sequence[RuleInfo] = tuple(rule for family in LINT_FAMILIES.values() for rule in family)
