"""Lag against the RPO."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import DifferenceTally
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.history.freshness import measure_freshness
from mirrorstack.verify.reading.scope import TopicIdentity

LONG_AGO = 1_500_000_000_000
WHOLE = OffsetRange(0, 100)
LATE = PartitionComparison(
    WHOLE, WHOLE, 100, 97, 7, DifferenceTally(behind=3, oldest_behind=LONG_AGO - 12_000)
)


@pytest.mark.parametrize(("rpo", "met"), [(11, False), (12, True), (None, None)])
def test_lag_is_as_old_as_it_was_at_the_end_of_the_wait(
    rpo: float | None, met: bool | None
) -> None:
    found = measure_freshness([LATE], LONG_AGO, rpo, heartbeat=None)

    assert (found.behind, found.oldest_behind, found.rpo_met) == (3, LONG_AGO - 12_000, met)


def test_the_newest_record_may_be_one_that_was_proven_before() -> None:
    proof = PartitionProof(TopicIdentity("1", "2", True), WHOLE, WHOLE, 100, 0, 0, newest=9)

    assert measure_freshness([replace(LATE, proven=proof)], LONG_AGO, None, None).newest == 9
