"""Every kind of finding of a verification, and its effect on the verdict."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from mirrorstack.findings import Finding, Severity
from mirrorstack.verify.compare.differences import DifferenceKind


class Verdict(StrEnum):
    EQUAL = "equal"
    DIFFERENT = "different"
    INCONCLUSIVE = "inconclusive"

    @property
    def exit_status(self) -> int:
        return {Verdict.EQUAL: 0, Verdict.DIFFERENT: 1, Verdict.INCONCLUSIVE: 2}[self]


class VerifyCode(StrEnum):
    """The `rule` of a finding."""

    RECORDS_MISSING = "records-missing"
    RECORDS_ALTERED = "records-altered"
    RECORDS_UNEXPECTED = "records-unexpected"
    RECORDS_REORDERED = "records-reordered"
    RECORDS_DUPLICATED = "records-duplicated"
    """Under exactly-once, or more than restarts explain."""
    DUPLICATES_ALLOWED = "duplicates-allowed"
    """Under at-least-once."""
    PARTITION_MISSING = "partition-missing"
    TOPIC_NOT_DEPLOYED = "topic-not-deployed"
    NOTHING_TO_COMPARE = "nothing-to-compare"
    LOST_TO_RETENTION = "lost-to-retention"
    MAYBE_LOST_TO_RETENTION = "maybe-lost-to-retention"
    TOPIC_RECREATED = "topic-recreated"
    TOPIC_MAYBE_RECREATED = "topic-maybe-recreated"
    GROUP_SKIPS_RECORDS = "group-skips-records"
    GROUP_PAST_END = "group-past-end"
    GROUP_WITHOUT_CHECKPOINT = "group-without-checkpoint"
    LAG = "lag"
    """No RPO is declared."""
    LAG_WITHIN_RPO = "lag-within-rpo"
    RPO_EXCEEDED = "rpo-exceeded"
    HEARTBEAT_MISSING = "heartbeat-missing"
    HEARTBEAT_OLD = "heartbeat-old"


DIFFERENCE_CODES = {
    DifferenceKind.MISSING: VerifyCode.RECORDS_MISSING,
    DifferenceKind.ALTERED: VerifyCode.RECORDS_ALTERED,
    DifferenceKind.UNEXPECTED: VerifyCode.RECORDS_UNEXPECTED,
    DifferenceKind.REORDERED: VerifyCode.RECORDS_REORDERED,
    DifferenceKind.DUPLICATED: VerifyCode.RECORDS_DUPLICATED,
}
INCONCLUSIVE = frozenset(
    {VerifyCode.TOPIC_NOT_DEPLOYED, VerifyCode.NOTHING_TO_COMPARE, VerifyCode.LAG}
)
WARNINGS = frozenset(
    {
        VerifyCode.DUPLICATES_ALLOWED,
        VerifyCode.MAYBE_LOST_TO_RETENTION,
        VerifyCode.TOPIC_MAYBE_RECREATED,
        VerifyCode.GROUP_WITHOUT_CHECKPOINT,
        VerifyCode.LAG_WITHIN_RPO,
        VerifyCode.HEARTBEAT_MISSING,
        VerifyCode.HEARTBEAT_OLD,
    }
)
MOST_SEVERE_FIRST = (Verdict.DIFFERENT, Verdict.INCONCLUSIVE, Verdict.EQUAL)


def effect(finding: Finding) -> Verdict:
    """What one finding makes of the verdict; a warning leaves it `equal`."""
    code = VerifyCode(finding.rule)
    if code in INCONCLUSIVE:
        return Verdict.INCONCLUSIVE
    return Verdict.EQUAL if code in WARNINGS else Verdict.DIFFERENT


def most_severe(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    return next((each for each in MOST_SEVERE_FIRST if each in found), Verdict.EQUAL)


def finding(
    code: VerifyCode, flow: str, message: str, fix: str = "", topic: str | None = None
) -> Finding:
    is_error = code not in WARNINGS and code not in INCONCLUSIVE
    severity = Severity.ERROR if is_error else Severity.WARNING
    return Finding(message, fix, rule=code, severity=severity, flow=flow, topic=topic)
