"""Changes of a stack that would silently lose records or affect another stack.

The tests of this module depend on each other and run in order, on one deployment.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.local.home import ROOT
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.replicated_stack import equal_within, fill, flow, mirroring_project, stack
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow

FIRST, SECOND = "changes-first", "changes-second"


def declare(project: PulumiProject, *topics: str, naming: str = "prefixed") -> None:
    project.configure(
        stack(
            flow(*topics, naming=naming),
            sandbox="shared",
            workers={"west": {"group": "changes"}},
            **{"delete-topics": True},
        )
    )


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox, home: Path
) -> Iterator[PulumiProject]:
    for topic in (FIRST, SECOND):
        fill((sandbox, Cluster.EAST), topic)
    project = mirroring_project(tmp_path_factory.mktemp("changes"), home)
    declare(project, FIRST, SECOND)
    project.up()
    yield project
    project.pulumi("destroy", "--yes", "--skip-preview")


def test_a_deleted_target_topic_is_recreated_and_replicated_from_earliest(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    declare(project, FIRST)
    project.up()
    declare(project, FIRST, SECOND)
    project.up()

    equal_within(sandbox, {topic: f"east.{topic}" for topic in (FIRST, SECOND)})


def test_a_second_stack_with_the_same_worker_group_is_rejected(
    project: PulumiProject, tmp_path: Path
) -> None:
    other = mirroring_project(tmp_path, tmp_path)
    (tmp_path / "sandbox").symlink_to(Path(project.environ["MIRRORSTACK_HOME"]) / "sandbox")
    declare(other, FIRST)

    said = other.pulumi("preview", fails=True)

    assert "User:mirror on east already has ACLs that this stack needs" in said
    assert "The Connect group changes on west has members" in said
    assert "`group` under `mirrorstack:workers.west`" in said


def test_target_topics_with_new_names_hold_all_records_and_old_names_are_not_reused(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    declare(project, FIRST, SECOND, naming="identity")
    said = project.pulumi("preview", f"--policy-pack={ROOT / 'policies'}", fails=True)
    # 300 of each: offsets that Connect has committed and that the source still holds.
    assert "replicates again up to 600 records" in said
    assert "The source retains all of them, so none is skipped" in said

    project.up()
    equal_within(sandbox, {topic: topic for topic in (FIRST, SECOND)})

    fill((sandbox, Cluster.WEST), f"east.{FIRST}", records=1)
    declare(project, FIRST, SECOND)
    said = project.pulumi("preview", fails=True)

    assert "and skip records" in said
    assert f"the target topics of {FIRST} under their new names" in said
    declare(project, FIRST, SECOND, naming="identity")
