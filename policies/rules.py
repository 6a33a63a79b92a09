"""What a rule is: the judgement of the core, with an id, a level and words about it.

A judgement takes plain values and yields a Finding for each thing that is wrong. What is not known
before the deployment raises when it is touched; the engine then says so, and the deployment, in
which everything is known, is judged again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mirrorstack.rules.declarations import Judgement
from pulumi_policy import (
    EnforcementLevel,
    Policy,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
    StackValidationArgs,
    StackValidationPolicy,
)
from pulumi_policy.proxy import UnknownValueError

from mirrorstack.findings import Finding
from mirrorstack.findings import Severity as LintSeverity
from mirrorstack.rules.registry import ABOUT
from policies.view import MIRROR_STACK, Declared, Made

Remedy = Callable[[MutableMapping[str, Any]], bool]
"""Puts inputs right, in place, so that secrets among them stay secret; says whether it did."""
Unit = TypeVar("Unit")


@dataclass(frozen=True, kw_only=True)
class Rule(ABC):
    """One rule of the pack."""

    id: str
    title: str
    """One sentence that says what must hold."""
    why: str
    """What happens where it does not hold."""
    level: EnforcementLevel = EnforcementLevel.MANDATORY
    severity: Severity = Severity.HIGH
    locked: bool = False
    """Whether no config of the pack can lower its level."""

    @property
    def levels(self) -> list[str]:
        """What the pack's config may set it to."""
        if self.locked:
            return []
        choice = [EnforcementLevel.DISABLED, EnforcementLevel.ADVISORY, EnforcementLevel.MANDATORY]
        if self.level is EnforcementLevel.REMEDIATE:
            choice.append(EnforcementLevel.REMEDIATE)
        return [level.value for level in choice]

    @property
    def about(self) -> str | None:
        """The type of the resources that it judges one by one; None where it judges a stack."""
        return None

    @abstractmethod
    def policy(self) -> Policy:
        """The rule as the engine's SDK wants it."""

    @property
    def words(self) -> dict[str, Any]:
        return {
            "name": self.id,
            "description": self.title,
            "enforcement_level": self.level,
            "severity": self.severity,
        }


@dataclass(frozen=True, kw_only=True)
class DeclaredRule(Rule):
    """Judges what the stack file says, before anything is made of it."""

    judge: Callable[[Declared], Iterable[Finding]]

    @classmethod
    def of(
        cls,
        judgement: Judgement,
        *,
        why: str,
        severity: Severity = Severity.HIGH,
        locked: bool = False,
    ) -> DeclaredRule:
        """The linter's rule of the same name."""
        advisory = judgement.severity is LintSeverity.WARNING
        return cls(
            id=judgement.rule.value,
            title=ABOUT[judgement.rule],
            why=why,
            level=EnforcementLevel.ADVISORY if advisory else EnforcementLevel.MANDATORY,
            severity=severity,
            locked=locked,
            judge=judgement.judge,
        )

    @property
    def about(self) -> str:
        return MIRROR_STACK

    def policy(self) -> Policy:
        def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
            declared = Declared.of(args.props) if args.resource_type == MIRROR_STACK else None
            for problem in self.judge(declared) if declared else ():
                report(str(problem), None)

        return ResourceValidationPolicy(validate=validate, **self.words)


@dataclass(frozen=True, kw_only=True)
class ResourceRule(Rule):
    """Judges each resource of a type by its inputs, and may put them right."""

    type: str
    judge: Callable[[Mapping[str, Any]], Iterable[Finding]]
    remedy: Remedy | None = None

    @property
    def about(self) -> str:
        return self.type

    def policy(self) -> Policy:
        def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
            if args.resource_type == self.type:
                for problem in self.judge(args.props):
                    report(str(problem), None)

        def remediate(args: ResourceValidationArgs) -> Any:
            props: Any = args.props
            changed = self.remedy and args.resource_type == self.type and self.remedy(props)
            return props if changed else None

        return ResourceValidationPolicy(
            validate=validate, remediate=remediate if self.remedy else None, **self.words
        )


@dataclass(frozen=True, kw_only=True)
class StackRule(Rule, Generic[Unit]):
    """Judges resources together, one unit of them after the other."""

    units: Callable[[Made], Iterable[Unit]]
    judge: Callable[[Unit], Iterable[Finding]]

    def policy(self) -> Policy:
        def validate(args: StackValidationArgs, report: ReportViolation) -> None:
            unknown: UnknownValueError | None = None
            said: set[str] = set()
            for unit in (unit for made in Made.each(args.resources) for unit in self.units(made)):
                try:
                    for problem in self.judge(unit):
                        if str(problem) not in said:
                            report(str(problem), None)
                        said.add(str(problem))
                except UnknownValueError as error:
                    unknown = error  # the others can be judged all the same
            if unknown:
                raise unknown

        return StackValidationPolicy(validate=validate, **self.words)
