"""Whether a connector that comes back finds the copies that it wrote."""

from __future__ import annotations

import pytest

from mirrorstack.changes.resume_check import Gap, check_gaps
from mirrorstack.config.flows import FlowSettings
from mirrorstack.findings import UserError

FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})


def said(*gaps: Gap) -> str:
    with pytest.raises(UserError) as raised:
        check_gaps(FLOW, gaps)
    return str(raised.value)


def test_copies_that_have_the_last_record_are_gone_on_with() -> None:
    check_gaps(FLOW, [])


def test_a_copy_without_the_last_record_is_another_one() -> None:
    told = said(Gap("orders", 1, 99), Gap("bills", 0, 5))

    assert "mirrored bills up to offset 5 of partition 0; east.bills on west has not got" in told
    assert "delete east.bills, east.orders on west" in told


def test_a_source_that_ends_before_the_last_record_was_made_again() -> None:
    told = said(Gap("orders", 0, 99, source_end=20))

    assert "up to offset 99 of partition 0; east ends before that, at 20" in told
