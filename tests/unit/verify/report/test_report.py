"""The verdict of a report and its JSON."""

from __future__ import annotations

import json
from dataclasses import replace

from mirrorstack.findings import Finding
from mirrorstack.verify.compare.differences import DifferenceKind
from mirrorstack.verify.report.codes import Verdict, VerifyCode
from mirrorstack.verify.report.report import Report
from tests import reports

EXCEEDED = reports.found(VerifyCode.RPO_EXCEEDED, "lag exceeds the RPO")
ALTERED = reports.found(VerifyCode.RECORDS_ALTERED, "orders-0: 1 record altered")


def with_findings(*findings: Finding) -> Report:
    report = reports.equal()
    return replace(report, flows=(replace(report.flows[0], findings=findings),))


def test_the_verdict_follows_from_codes_and_not_from_texts() -> None:
    warning = reports.found(VerifyCode.HEARTBEAT_OLD, "1 record missing, source and target differ")

    assert with_findings().verdict is Verdict.EQUAL
    assert with_findings(warning).verdict is Verdict.EQUAL
    assert with_findings(warning, ALTERED).verdict is Verdict.DIFFERENT
    assert reports.different().flows[1].verdict is Verdict.INCONCLUSIVE


def test_a_report_is_only_late_when_the_rpo_is_its_only_error() -> None:
    assert with_findings(EXCEEDED).is_only_late
    assert not with_findings(EXCEEDED, ALTERED).is_only_late
    assert not with_findings().is_only_late


def test_a_report_with_differences_is_never_only_late() -> None:
    report = with_findings(EXCEEDED)
    (flow,) = report.flows
    topic = flow.topics[1]
    partition = replace(topic.partitions[0], counts={DifferenceKind.DUPLICATED: 1})
    topics = (replace(topic, partitions=(partition,)),)

    assert not replace(report, flows=(replace(flow, topics=topics),)).is_only_late


def test_a_finding_in_json_has_its_code_and_fields() -> None:
    content = json.loads(with_findings(ALTERED).to_json())

    assert content["version"] == 3
    assert content["flows"][0]["findings"] == [
        {
            "rule": "records-altered",
            "severity": "error",
            "message": "orders-0: 1 record altered",
            "fix": "",
            "flow": "east-to-west",
            "topic": None,
        }
    ]
