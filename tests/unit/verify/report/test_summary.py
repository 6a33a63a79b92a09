"""The report in a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mirrorstack.findings import Finding
from mirrorstack.verify.compare.differences import DifferenceKind, RecordDifference
from mirrorstack.verify.groups.group_check import GroupState
from mirrorstack.verify.report.codes import Verdict, VerifyCode
from mirrorstack.verify.report.page import page
from mirrorstack.verify.report.report import Report
from mirrorstack.verify.report.summary import _group_states, summary
from tests import reports

EXCEEDED = reports.found(VerifyCode.RPO_EXCEEDED, "lag exceeds the RPO of 60 s")
ALTERED = reports.found(VerifyCode.RECORDS_ALTERED, "orders-0: 1 record altered")


def late(*findings: Finding) -> Report:
    report = reports.equal()
    changed = replace(report.flows[0], freshness=reports.LATE, findings=findings)
    return replace(report, flows=(changed,))


def with_later(count: int) -> Report:
    """With records that were written to the source after the comparison started."""
    report = reports.equal()
    (flow,) = report.flows
    *topics, last = flow.topics
    partitions = (replace(last.partitions[0], later=count), *last.partitions[1:])
    changed = replace(flow, topics=(*topics, replace(last, partitions=partitions)))
    return replace(report, flows=(changed,))


def test_lag_alone_is_not_reported_as_a_difference() -> None:
    report = late(EXCEEDED)

    assert report.verdict is Verdict.DIFFERENT, "the exit status is 1 nevertheless"
    for text in (summary(report), page(report)):
        assert "All replicated records match; lag exceeds the RPO." in text
        assert "differ." not in text


def test_lag_with_differences_is_reported_as_a_difference() -> None:
    assert summary(late(EXCEEDED, ALTERED)).endswith("Source and target differ.")


def test_a_finding_is_printed_with_its_fix() -> None:
    text = summary(reports.different())

    assert "✗ orders-2: 3 records missing\n" in text
    assert ": not deployed yet\n  fix: run `pulumi up`\n" in text
    assert "! orders-6: 2 records duplicated" in text


@pytest.mark.parametrize(
    ("count", "words"), [(1, "1 record was written"), (1234, "1,234 records were written")]
)
def test_records_written_during_the_comparison_are_mentioned(count: int, words: str) -> None:
    for text in (summary(with_later(count)), page(with_later(count))):
        assert words in text

    assert "written to the source" not in summary(reports.equal())


def test_bytes_that_are_not_utf8_are_escaped() -> None:
    odd = RecordDifference("orders", 0, DifferenceKind.MISSING, 1, None, b"\xff\x00", reports.NOON)
    report = reports.different()
    topic = report.flows[0].topics[0]
    partition = replace(topic.partitions[0], differences=(odd,))
    flow = replace(report.flows[0], topics=(replace(topic, partitions=(partition,)),))

    assert "\\xff" in summary(replace(report, flows=(flow,)))


def test_the_state_of_a_group_is_counted_only_if_partitions_differ() -> None:
    past = GroupState.PAST_END

    assert _group_states([GroupState.NOTHING_SKIPPED] * 26) == "nothing-skipped"
    assert _group_states([past, GroupState.SKIPS, past]) == "past-end in 2 of 3, skips in 1 of 3"


def test_records_that_a_group_would_consume_again_have_a_column() -> None:
    assert "RE-CONSUMED" in summary(reports.different())
    assert "would re-consume" in page(reports.different())
