"""Rules about topics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pulumi_policy import (
    EnforcementLevel,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)

from mirrorstack.model.topics import unwritable_reason

TOPIC = "kafka:index/topic:Topic"


def topic_can_be_written(args: ResourceValidationArgs, report: ReportViolation) -> None:
    if args.resource_type != TOPIC:
        return
    props: Mapping[str, Any] = args.props
    config = {str(key): str(value) for key, value in (props.get("config") or {}).items()}
    # Without a factor the cluster's default applies, which the engine cannot tell us.
    factor = props.get("replicationFactor")
    reason = unwritable_reason(int(factor), config) if factor is not None else None
    if reason:
        report(
            f"Topic {props.get('name', args.name)}: {reason}. "
            "Lower min.insync.replicas, or raise the replication factor above it.",
            None,
        )


TOPIC_RULES = [
    ResourceValidationPolicy(
        name="topic-can-be-written",
        description="min.insync.replicas must not exceed the replication factor.",
        enforcement_level=EnforcementLevel.MANDATORY,
        severity=Severity.HIGH,
        validate=topic_can_be_written,
    ),
]
