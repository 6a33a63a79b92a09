"""A flow that comes back after `destroy`: Connect still knows where it ended.

The tests of this module tell one story, in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.mirroring import (
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
SETTINGS = stack(flow(TOPIC), sandbox="shared", workers={"west": {"group": "coming-back"}})


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox, home: Path
) -> Iterator[PulumiProject]:
    fill((sandbox, Cluster.EAST), TOPIC)
    project = mirroring_project(tmp_path_factory.mktemp("coming-back"), home)
    project.configure(SETTINGS)
    project.up()
    project.pulumi("destroy", "--yes", "--skip-preview")
    yield project
    project.pulumi("destroy", "--yes", "--skip-preview")


def test_it_goes_on_where_it_ended(project: PulumiProject, sandbox: Sandbox) -> None:
    write((sandbox, Cluster.EAST), TOPIC, 50)
    project.up()

    equal_within(sandbox, {TOPIC: COPY})
    project.pulumi("destroy", "--yes", "--skip-preview")


def test_it_does_not_go_on_behind_another_copy(project: PulumiProject, sandbox: Sandbox) -> None:
    west = (sandbox, Cluster.WEST)
    make_again(west, COPY, partitions=2)
    write(west, COPY, 3)

    said = project.pulumi("preview", fails=True)

    assert f"and {COPY} on west ends at" in said
    assert "leave a gap that nobody sees" in said
    assert f"or delete {COPY} on west" in said


def test_without_that_copy_it_begins_at_the_beginning(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    west = admin(sandbox, Cluster.WEST)
    west.delete_topics([COPY])[COPY].result(15)
    eventually(lambda: COPY not in west.list_topics(timeout=15).topics, f"{COPY} is gone")
    project.up()

    equal_within(sandbox, {TOPIC: COPY})
