"""All rules, and what holds for the pack as a whole."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from pulumi_policy import EnforcementLevel, Policy
from pulumi_policy import policy as sdk

from policies.changes import CHANGE_RULES
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
    "What goes away": CHANGE_RULES,
    "Transport in production": TRANSPORT_RULES,
    "Secrets": SECRET_RULES,
}
RULES: list[Rule] = [rule for family in FAMILIES.values() for rule in family]
LOCKED = frozenset(rule.id for rule in RULES if rule.locked)
ABOUT = {rule.id: rule.about for rule in RULES if rule.about}


class Servicer(sdk._PolicyAnalyzerServicer):
    """Serves the pack to the engine, which would otherwise let a config turn off any rule."""

    # The engine asks in several threads; each is about one resource at a time.
    _asked = threading.local()

    def Analyze(self, request: Any, context: Any) -> Any:  # noqa: N802 - the SDK's name
        with self._only_about(request.type):
            return super().Analyze(request, context)  # type: ignore[no-untyped-call]

    def Remediate(self, request: Any, context: Any) -> Any:  # noqa: N802 - the SDK's name
        with self._only_about(request.type):
            return super().Remediate(request, context)  # type: ignore[no-untyped-call]

    def _get_enforcement_level(self, policy: Policy) -> EnforcementLevel:
        # The SDK reads a resource anew for every rule that is not disabled: that is most of what
        # judging takes, and most rules have nothing to say about most resources.
        kind = getattr(self._asked, "kind", None)
        if kind is not None and ABOUT.get(policy.name) != kind:
            return EnforcementLevel.DISABLED
        if policy.name in LOCKED:
            return EnforcementLevel.MANDATORY
        return super()._get_enforcement_level(policy)

    @contextmanager
    def _only_about(self, kind: str) -> Iterator[None]:
        self._asked.kind = kind
        try:
            yield
        finally:
            self._asked.kind = None


def serve() -> None:
    """Returns only when Pulumi is done."""
    # What reads stack files takes a while to import. The engine waits for the pack before it starts
    # the program, and then for the program: time enough.
    threading.Thread(
        target=import_module, args=["mirrorstack.config.settings"], daemon=True
    ).start()
    # The SDK has no place to say who serves a pack; its version is pinned.
    sdk._PolicyAnalyzerServicer = Servicer  # type: ignore[misc]
    sdk.PolicyPack(name="mirrorstack", policies=[rule.policy() for rule in RULES])
