"""What the sandbox commands print about clusters and seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.cli.sandbox_output import print_seed, print_status
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.seed_plan import SeedPlan
from mirrorstack.sandbox.seeder import SeedOutcome
from mirrorstack.sandbox.status import NodeState, NodeStatus, SandboxStatus

CRASHED = NodeStatus(
    cluster=Cluster.WEST,
    node="west-1",
    state=NodeState.CRASHED,
    pid=None,
    address="localhost:29092",
    uptime_seconds=None,
    log=Path("west-1.log"),
    errors=("ERROR out of disk",),
)


def test_a_crashed_node_is_shown_with_its_last_errors(capsys: pytest.CaptureFixture[str]) -> None:
    print_status(SandboxStatus(name="trial", directory=Path("trial"), nodes=(CRASHED,)))

    shown = capsys.readouterr().out
    assert "west-1 crashed: it has no process. Its last errors:\n    ERROR out of disk" in shown
    assert "start it: mirrorstack sandbox up --name trial" in shown


def test_a_seed_is_shown_with_topics_and_groups(capsys: pytest.CaptureFixture[str]) -> None:
    print_seed(SeedOutcome(SeedPlan(), already=False, aborted=1234))

    shown = capsys.readouterr().out
    assert "orders" in shown
    assert "(1,234 records)" in shown
    assert "groups: " in shown
