"""Whether a connector that comes back finds the copies that it wrote."""

from __future__ import annotations

import pytest

from mirrorstack.model.continuing import check_copies
from mirrorstack.model.grants import ResolvedFlow
from mirrorstack.model.settings import parse
from mirrorstack.problem import Problem

SETTINGS = parse(
    {
        "clusters": {alias: {"sandbox": "default"} for alias in ("east", "west")},
        "flows": [{"from": "east", "to": "west", "topics": ["orders", "bills"]}],
    },
    "",
)
FLOW = ResolvedFlow(SETTINGS.flows[0], ("bills", "orders"))
NOTED = {("orders", 0): 99, ("orders", 1): 9, ("bills", 0): 5}


def test_copies_that_hold_what_was_noted_are_gone_on_with() -> None:
    check_copies(FLOW, NOTED, {("east.orders", 0): 100, ("east.orders", 1): 10})


def test_a_copy_that_ends_before_what_was_noted_is_another_one() -> None:
    with pytest.raises(Problem) as raised:
        check_copies(FLOW, NOTED, {("east.orders", 0): 99, ("east.orders", 1): 9})

    said = str(raised.value)
    assert "had written orders up to offset 99 of partition 0, and east.orders on west ends" in said
    assert "delete east.orders on west" in said


def test_what_was_never_noted_and_what_is_not_mirrored_are_left_alone() -> None:
    check_copies(FLOW, {("orders", 0): 99}, {("east.bills", 0): 0, ("others", 0): 0})
