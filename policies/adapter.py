"""Makes a policy of Pulumi's SDK from a rule: resources in, violations out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

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
from pulumi_policy.secret import Secret

from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER
from mirrorstack.rules.connector_config import CONVERTERS, byte_array_converters
from mirrorstack.rules.rule import Level, Rule
from mirrorstack.rules.secrets import secret_provider_passwords, secret_worker_passwords
from mirrorstack.rules.subjects import kind_of
from policies.resources import Config, StackResources
from policies.subjects import READERS, ResourceReader, StackReader

Remediation = Callable[[MutableMapping[str, Any]], bool]
"""Corrects inputs in place, so that secrets among them stay secret; returns whether it did."""


def policy_of(rule: Rule[Any]) -> Policy:
    reader = READERS[rule.subject]
    if isinstance(reader, ResourceReader):
        return _resource_policy(rule, reader)
    return _stack_policy(rule, reader)


def resource_types(rule: Rule[Any]) -> tuple[str, ...]:
    """The types of the resources that a rule checks one by one; none where it checks a stack."""
    reader = READERS[rule.subject]
    return reader.types if isinstance(reader, ResourceReader) else ()


def levels(rule: Rule[Any]) -> list[str]:
    """What the pack's config may set a rule to."""
    if not rule.can_be_relaxed:
        return []
    choice = [EnforcementLevel.DISABLED, EnforcementLevel.ADVISORY, EnforcementLevel.MANDATORY]
    if rule.level is Level.REMEDIATE:
        choice.append(EnforcementLevel.REMEDIATE)
    return [level.value for level in choice]


def _description(rule: Rule[Any]) -> dict[str, Any]:
    return {
        "name": rule.id,
        "description": rule.title,
        "enforcement_level": EnforcementLevel(rule.level.value),
        "severity": Severity(rule.risk.value),
    }


def _resource_policy(rule: Rule[Any], reader: ResourceReader) -> Policy:
    remediation = REMEDIATIONS.get(rule.id)

    def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
        if args.resource_type in reader.types:
            for subject in reader.read(args.name, args.props):
                for finding in rule.findings(subject):
                    report(str(finding), None)

    def remediate(args: ResourceValidationArgs) -> Any:
        props: Any = args.props
        changed = remediation and args.resource_type in reader.types and remediation(props)
        return props if changed else None

    return ResourceValidationPolicy(
        validate=validate, remediate=remediate if remediation else None, **_description(rule)
    )


def _stack_policy(rule: Rule[Any], reader: StackReader) -> Policy:
    def validate(args: StackValidationArgs, report: ReportViolation) -> None:
        unknown: UnknownValueError | None = None
        reported: set[str] = set()
        stacks = StackResources.each(args.resources)
        for unit in (unit for stack in stacks for unit in reader.units(stack)):
            try:
                for subject in reader.read(unit):
                    for message in map(str, rule.findings(subject)):
                        if message not in reported:
                            report(message, None)
                        reported.add(message)
            except UnknownValueError as error:
                unknown = error  # the other units can be checked all the same
        if unknown:
            raise unknown

    return StackValidationPolicy(validate=validate, **_description(rule))


def _use_byte_array_converters(props: MutableMapping[str, Any]) -> bool:
    config = props.get("config") or {}
    if kind_of(Config(config)) is None:
        return False
    wrong = [key for key in CONVERTERS if config.get(key) != BYTE_ARRAY_CONVERTER]
    for key in wrong:
        config[key] = BYTE_ARRAY_CONVERTER
    return bool(wrong)


def _make_secret(*keys: str) -> Remediation:
    def make_secret(props: MutableMapping[str, Any]) -> bool:
        raw = props["__target"]
        plain = [key for key in keys if raw.get(key) and not isinstance(raw[key], Secret)]
        for key in plain:
            raw[key] = Secret(raw[key])
        return bool(plain)

    return make_secret


REMEDIATIONS: Mapping[str, Remediation] = {
    byte_array_converters.id: _use_byte_array_converters,
    secret_provider_passwords.id: _make_secret(
        "saslPassword", "saslAwsSecretKey", "saslAwsToken", "clientKey", "clientKeyPassphrase"
    ),
    secret_worker_passwords.id: _make_secret("password_fingerprint"),
}
