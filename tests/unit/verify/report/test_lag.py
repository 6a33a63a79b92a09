"""How late a copy is said to be."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.console import Console
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import DifferenceTally
from mirrorstack.verify.reading.offset_ranges import OffsetRanges
from mirrorstack.verify.verification import FlowVerification, PreviousRun, VerifyOptions

LONG_AGO = 1_500_000_000_000
PLACE, WHOLE = TopicPartition("orders", 0), OffsetRange(0, 100)


@pytest.mark.parametrize(("rpo", "met"), [(11, False), (12, True), (None, None)])
def test_lag_is_as_old_as_it_was_when_the_wait_was_over(rpo: float | None, met: bool) -> None:
    declared = {"from": "east", "to": "west", "topics": ["orders"], "heartbeats": False}
    flow = FlowSettings.model_validate({**declared, "rpo-seconds": rpo})
    ends = cast("Any", SimpleNamespace(flow=SimpleNamespace(settings=flow)))
    limits = OffsetRanges({PLACE: WHOLE}, {PLACE: 100}, {}, {}, {}, taken=LONG_AGO)
    late = PartitionComparison(
        WHOLE, WHOLE, 100, 97, None, DifferenceTally(behind=3, oldest_behind=LONG_AGO - 12_000)
    )

    pulse = FlowVerification(ends, VerifyOptions(), Console(), PreviousRun())._pulse(
        limits, {PLACE: late}
    )

    assert (pulse.behind, pulse.rpo_met) == (3, met)
