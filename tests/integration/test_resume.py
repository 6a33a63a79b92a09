"""A flow that is deployed again after `destroy`: Connect still has its offsets.

The tests of this module depend on each other and run in order, on one deployment.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import (
    admin,
    equal_within,
    fill,
    flow,
    make_again,
    mirroring_project,
    stack,
    write,
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow

TOPIC, COPY = "coming-back", "east.coming-back"


def declare(project: PulumiProject, naming: str = "prefixed") -> None:
    workers = {"west": {"group": "coming-back"}}
    project.configure(stack(flow(TOPIC, naming=naming), sandbox="shared", workers=workers))


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox, home: Path
) -> Iterator[PulumiProject]:
    fill((sandbox, Cluster.EAST), TOPIC)
    project = mirroring_project(tmp_path_factory.mktemp("coming-back"), home)
    declare(project)
    project.up()
    project.pulumi("destroy", "--yes", "--skip-preview")
    yield project
    project.pulumi("destroy", "--yes", "--skip-preview")


def test_the_flow_resumes_where_it_ended(project: PulumiProject, sandbox: Sandbox) -> None:
    write((sandbox, Cluster.EAST), TOPIC, 50)
    project.up()

    equal_within(sandbox, {TOPIC: COPY})
    project.pulumi("destroy", "--yes", "--skip-preview")


def test_resuming_with_another_naming_is_rejected(project: PulumiProject, sandbox: Sandbox) -> None:
    declare(project, naming="identity")
    write((sandbox, Cluster.EAST), TOPIC, 4)
    project.up()
    equal_within(sandbox, {TOPIC: TOPIC})
    project.pulumi("destroy", "--yes", "--skip-preview")
    declare(project)

    said = project.pulumi("preview", fails=True)

    assert f"replicated {TOPIC} up to offset" in said
    assert f"{COPY} on west does not have that record" in said
    assert f"or delete {COPY} on west" in said


def test_resuming_after_the_source_topic_was_recreated_is_rejected(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    declare(project, naming="identity")
    make_again((sandbox, Cluster.EAST), TOPIC, partitions=2)
    write((sandbox, Cluster.EAST), TOPIC, 20)

    said = project.pulumi("preview", fails=True)

    assert "the topic was recreated" in said
    declare(project)


def test_without_the_target_topic_replication_restarts_from_earliest(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    west = admin(sandbox, Cluster.WEST)
    west.delete_topics([COPY])[COPY].result(15)
    eventually(lambda: COPY not in west.list_topics(timeout=15).topics, f"{COPY} is gone")
    project.up()

    equal_within(sandbox, {TOPIC: COPY})
