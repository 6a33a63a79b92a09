"""Connect groups that other workers use."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup
from mirrorstack.planning.checks.groups_in_use import groups_in_use

CONNECT = WorkerGroup("west", "mirrorstack-west", exactly_once=True)
DEDICATED = WorkerGroup(
    "west", "", exactly_once=True, naming=ConnectorNaming.DEDICATED, sources=("east", "north")
)


@pytest.mark.usefixtures("clock")
def test_each_group_with_members_that_are_not_the_stacks_is_named() -> None:
    found = list(groups_in_use(DEDICATED, "dr", lambda *_: True, lambda _, group: "east" in group))

    (finding,) = found
    assert "group north-mm2 on west has members that are not workers of the stack dr" in (
        finding.message
    )
    assert "use another alias, or `mode: connect`" in finding.fix


@pytest.mark.usefixtures("clock")
def test_a_group_of_connect_workers_can_have_another_name() -> None:
    (finding,) = groups_in_use(CONNECT, "dr", lambda *_: True, lambda *_: False)

    assert "set another `group`" in finding.fix


def test_members_that_leave_are_no_finding() -> None:
    answers = iter([True, False])

    assert not list(groups_in_use(CONNECT, "dr", lambda *_: next(answers), lambda *_: False))


def test_workers_of_the_stack_itself_are_no_finding() -> None:
    assert not list(groups_in_use(CONNECT, "dr", lambda *_: True, lambda *_: True))
