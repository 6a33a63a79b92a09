"""What a rule is: id, title, reason and check, defined together in the module of its family.

The policy pack, the linter and the preview are adapters: they turn resources, files or settings
into the subject of a rule, and the rule's findings into violations, lines or warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from typing import Generic, TypeVar

from mirrorstack.findings import Finding, Severity

Subject = TypeVar("Subject")
Check = Callable[[Subject], Iterable[Finding]]


class Level(StrEnum):
    """What the policy pack does about a finding, unless its config sets another level."""

    MANDATORY = "mandatory"
    """Refuse the deployment."""
    ADVISORY = "advisory"
    """Warn."""
    REMEDIATE = "remediate"
    """Correct the resource's inputs."""


class Risk(StrEnum):
    """How bad a violation is; Pulumi calls it the severity of a policy."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True)
class RuleInfo:
    """What lists of rules say about each: documentation, SARIF, the config of the pack."""

    id: str
    title: str
    """One sentence: what must hold."""
    reason: str
    """What happens otherwise."""
    _: KW_ONLY
    level: Level = Level.MANDATORY
    can_be_relaxed: bool = True
    """Whether the config of the policy pack may set another level."""

    @property
    def severity(self) -> Severity:
        """Of its findings: what is advisory in the pack is a warning of the linter."""
        return Severity.WARNING if self.level is Level.ADVISORY else Severity.ERROR


@dataclass(frozen=True)
class Rule(RuleInfo, Generic[Subject]):
    subject: type[Subject]
    """What is checked: one of `mirrorstack.rules.subjects`."""
    check: Check[Subject]
    _: KW_ONLY
    risk: Risk = Risk.HIGH

    def findings(self, subject: Subject) -> Iterator[Finding]:
        for finding in self.check(subject):
            yield replace(finding, rule=self.id, severity=self.severity)


def rule(
    subject: type[Subject],
    *,
    id: str,
    title: str,
    reason: str,
    risk: Risk = Risk.HIGH,
    level: Level = Level.MANDATORY,
    can_be_relaxed: bool = True,
) -> Callable[[Check[Subject]], Rule[Subject]]:
    """Makes a rule of the check that it decorates."""

    def of(check: Check[Subject]) -> Rule[Subject]:
        return Rule(
            id,
            title,
            reason,
            subject,
            check,
            risk=risk,
            level=level,
            can_be_relaxed=can_be_relaxed,
        )

    return of
