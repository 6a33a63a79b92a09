"""What a report says of lag, in a terminal and on its page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mirrorstack.verify.report.page import page
from mirrorstack.verify.report.report import Remark, Report, Verdict, Weight
from mirrorstack.verify.report.summary import summary
from tests import reports

MISSED = Remark(Weight.FAILURE, "the RPO is missed")
ALTERED = Remark(Weight.FAILURE, "orders/0: 1 altered")


def late(*remarks: Remark) -> Report:
    report = reports.equal()
    return replace(
        report, flows=(replace(report.flows[0], pulse=reports.LATE, remarks=tuple(remarks)),)
    )


def later(count: int) -> Report:
    """So many records came to the source meanwhile."""
    report = reports.equal()
    (flow,) = report.flows
    *topics, last = flow.topics
    partitions = (replace(last.partitions[0], later=count), *last.partitions[1:])
    changed = replace(flow, topics=(*topics, replace(last, partitions=partitions)))
    return replace(report, flows=(changed,))


def test_a_copy_that_is_merely_late_is_not_called_different() -> None:
    report = late(MISSED)

    assert report.verdict is Verdict.DIFFERENT, "it fails all the same"
    for told in (summary(report), page(report)):
        assert "What has arrived is equal to the original" in told
        assert "differs" not in told


def test_a_copy_that_is_late_and_differs_differs() -> None:
    assert summary(late(MISSED, ALTERED)).endswith("The copy differs from the original.")


@pytest.mark.parametrize(("count", "words"), [(1, "1 record came"), (1234, "1,234 records came")])
def test_what_came_meanwhile_explains_why_counts_differ(count: int, words: str) -> None:
    for told in (summary(later(count)), page(later(count))):
        assert words in told

    assert "came to the source" not in summary(reports.equal())
