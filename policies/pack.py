"""The policy pack: all rules, served to the engine."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from pulumi_policy import EnforcementLevel, Policy
from pulumi_policy import policy as sdk

from mirrorstack.changes import rules as change_rules
from mirrorstack.rules import registry
from mirrorstack.rules.rule import Rule
from policies.adapter import policy_of, resource_types

FAMILIES: dict[str, Sequence[Rule[Any]]] = {
    **registry.FAMILIES,
    "Removals and restarts": change_rules.RULES,
}
RULES = [rule for family in FAMILIES.values() for rule in family]
LOCKED = frozenset(rule.id for rule in RULES if not rule.can_be_relaxed)
RESOURCE_TYPES = {rule.id: resource_types(rule) for rule in RULES}


class Servicer(sdk._PolicyAnalyzerServicer):
    """Serves the pack to the engine, which would otherwise let a config disable any rule."""

    # The engine calls in several threads, in each for one resource at a time.
    _call = threading.local()

    def Analyze(self, request: Any, context: Any) -> Any:  # noqa: N802 - the SDK's name
        with self._only_for(request.type):
            return super().Analyze(request, context)  # type: ignore[no-untyped-call]

    def Remediate(self, request: Any, context: Any) -> Any:  # noqa: N802 - the SDK's name
        with self._only_for(request.type):
            return super().Remediate(request, context)  # type: ignore[no-untyped-call]

    def _get_enforcement_level(self, policy: Policy) -> EnforcementLevel:
        # The SDK reads a resource again for every rule that is not disabled. That is most of the
        # time that a check takes, and most rules do not apply to most resources.
        kind = getattr(self._call, "kind", None)
        if kind is not None and kind not in RESOURCE_TYPES.get(policy.name, ()):
            return EnforcementLevel.DISABLED
        if policy.name in LOCKED:
            return EnforcementLevel.MANDATORY
        return super()._get_enforcement_level(policy)

    @contextmanager
    def _only_for(self, kind: str) -> Iterator[None]:
        self._call.kind = kind
        try:
            yield
        finally:
            self._call.kind = None


def serve() -> None:
    """Returns when Pulumi has finished."""
    # The reader of stack files takes a while to import. The engine waits for the pack before it
    # starts the program, and then for the program: enough time to import it meanwhile.
    threading.Thread(
        target=import_module, args=["mirrorstack.config.settings"], daemon=True
    ).start()
    # The SDK has no option for the class that serves a pack; its version is pinned.
    sdk._PolicyAnalyzerServicer = Servicer  # type: ignore[misc]
    sdk.PolicyPack(name="mirrorstack", policies=[policy_of(rule) for rule in RULES])
