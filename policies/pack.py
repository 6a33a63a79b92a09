"""All rules, and what holds for the pack as a whole."""

from __future__ import annotations

from pulumi_policy import EnforcementLevel, Policy
from pulumi_policy import policy as sdk

from policies.connectors import CONNECTOR_RULES
from policies.cycles import CYCLE_RULES
from policies.flows import FLOW_RULES
from policies.grants import GRANT_RULES
from policies.names import NAME_RULES, SHARING_RULES
from policies.rules import Rule
from policies.sources import SOURCE_RULES
from policies.topics import TOPIC_RULES
from policies.transport import SECRET_RULES, TRANSPORT_RULES

FAMILIES: dict[str, list[Rule]] = {
    "Replication that never ends": CYCLE_RULES,
    "The source is never written": SOURCE_RULES,
    "Connectors": CONNECTOR_RULES,
    "Flows": FLOW_RULES,
    "Names": NAME_RULES,
    "One stack's own": SHARING_RULES,
    "Topics": TOPIC_RULES,
    "Grants": GRANT_RULES,
    "Transport in production": TRANSPORT_RULES,
    "Secrets": SECRET_RULES,
}
RULES: list[Rule] = [rule for family in FAMILIES.values() for rule in family]
LOCKED = frozenset(rule.id for rule in RULES if rule.locked)


class Unbending(sdk._PolicyAnalyzerServicer):
    """Serves the pack to the engine, which would otherwise let a config turn off any rule."""

    def _get_enforcement_level(self, policy: Policy) -> EnforcementLevel:
        if policy.name in LOCKED:
            return EnforcementLevel.MANDATORY
        return super()._get_enforcement_level(policy)


def serve() -> None:
    """Returns only when Pulumi is done."""
    # The SDK has no place to say who serves a pack; its version is pinned.
    sdk._PolicyAnalyzerServicer = Unbending  # type: ignore[misc]
    sdk.PolicyPack(name="mirrorstack", policies=[rule.policy() for rule in RULES])
