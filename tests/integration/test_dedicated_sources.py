"""Several sources of one target in dedicated mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import (
    admin,
    committed,
    equal_within,
    fill,
    flow,
    mirroring_project,
    read_to_the_end,
)

pytestmark = pytest.mark.slow


# The successor of list_groups lists consumer groups only.
@pytest.mark.filterwarnings("ignore:list_groups")
def test_sources_have_connect_groups_of_their_own_and_two_processes_share_their_tasks(
    tmp_path: Path, home: Path, sandbox: Sandbox
) -> None:
    """And group offsets are translated. The second source is another alias of the same cluster."""
    names = {"dedicated-a": "east", "dedicated-b": "north"}
    for topic in names:
        fill((sandbox, Cluster.EAST), topic, partitions=4)
    read_to_the_end((sandbox, Cluster.EAST), "dedicated-readers", "dedicated-a")
    project = mirroring_project(tmp_path, home)
    project.configure(
        {
            "clusters": {
                "east": {"sandbox": "shared"},
                "north": {"sandbox": "shared", "cluster": "east"},
                "west": {"sandbox": "shared"},
            },
            "flows": [
                flow("dedicated-a", groups=["dedicated-readers"], checkpoint_seconds=1),
                flow("dedicated-b", source="north", exactly_once=False, heartbeats=False),
            ],
            "workers": {"west": {"mode": "dedicated", "count": 2}},
        }
    )
    try:
        project.up()

        equal_within(sandbox, {topic: f"{source}.{topic}" for topic, source in names.items()})
        project.up("--expect-no-changes")
        eventually(
            lambda: committed((sandbox, Cluster.WEST), "dedicated-readers"),
            "the group has committed offsets on the target",
        )
        members = {
            group: sum(
                len(each.members)
                for each in admin(sandbox, Cluster.WEST).list_groups(group, timeout=15)
            )
            for group in ("east-mm2", "north-mm2")
        }
        assert members == {"east-mm2": 2, "north-mm2": 2}
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")
