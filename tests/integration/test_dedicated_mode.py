"""MirrorMaker in dedicated mode, as `mode: dedicated` deploys it on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import (
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
    ResourceType,
)

from mirrorstack.local.home import ROOT
from mirrorstack.runtimes.local_worker import LocalWorker
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.killed_workers import running
from tests.integration.replicated_stack import (
    MIRROR,
    admin,
    equal_within,
    fill,
    flow,
    mirroring_project,
    stack,
    write,
)
from tests.integration.written_topic import written_to
from tests.pulumi_project import PulumiProject

TOPIC = "dedicated"
EQUAL = {TOPIC: f"east.{TOPIC}"}


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory, home: Path, sandbox: Sandbox
) -> Iterator[PulumiProject]:
    project = mirroring_project(tmp_path_factory.mktemp("dedicated"), home)
    fill((sandbox, Cluster.EAST), TOPIC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIRRORSTACK_HOME", str(home))
        yield project
        project.pulumi("destroy", "--yes", "--skip-preview")


def configure(project: PulumiProject, mode: str = "dedicated", **changes: Any) -> None:
    project.configure(
        stack(flow(TOPIC), sandbox="shared", workers={"west": {"mode": mode}}, **changes)
    )


def worker(home: Path) -> LocalWorker:
    return LocalWorker(home / "workers" / "dev" / "west" / "1")


def test_mirrormaker_replicates_and_a_second_deployment_changes_nothing(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    configure(project)

    project.up("--policy-pack", str(ROOT / "policies"))

    equal_within(sandbox, EQUAL)
    project.up("--expect-no-changes")
    project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
    outputs = json.loads(project.pulumi("stack", "output", "--json"))
    assert outputs["connect"] == {}
    assert outputs["flows"]["east-to-west"]["connectors"] == [
        "MirrorSourceConnector",
        "MirrorHeartbeatConnector",
    ]


def test_mirrormaker_moves_to_connect_workers_and_back_under_load(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    """With exactly-once: no record is lost, and none is sent twice."""
    with written_to((sandbox, Cluster.EAST), TOPIC):
        for mode in ("connect", "dedicated"):
            configure(project, mode)
            said = project.pulumi("preview")
            assert "all records of the source are replicated again" not in said
            project.up()

    equal_within(sandbox, EQUAL)
    project.up("--expect-no-changes")


@pytest.mark.parametrize("_round", range(3))
def test_a_killed_process_is_restarted_and_nothing_is_lost(
    project: PulumiProject, sandbox: Sandbox, home: Path, _round: int
) -> None:
    before = running(worker(home))
    write((sandbox, Cluster.EAST), TOPIC, records=200)
    before.kill()
    write((sandbox, Cluster.EAST), TOPIC, records=200)

    equal_within(sandbox, EQUAL)
    eventually(lambda: worker(home).process() not in (None, before), "another process runs")


def test_a_failed_task_restarts_the_process(
    project: PulumiProject, sandbox: Sandbox, home: Path
) -> None:
    """Without Write on the target its producer fails, and MirrorMaker restarts no task."""
    write_acl = AclBindingFilter(
        ResourceType.TOPIC,
        "east.",
        ResourcePatternType.PREFIXED,
        MIRROR,
        "*",
        AclOperation.WRITE,
        AclPermissionType.ALLOW,
    )
    west = admin(sandbox, Cluster.WEST)
    (deleted,) = (found.result(15) for found in west.delete_acls([write_acl]).values())
    before = running(worker(home))
    write((sandbox, Cluster.EAST), TOPIC, records=200)

    log = worker(home).directory / "supervisor.log"
    eventually(
        lambda: "stopped MirrorMaker, to restart it" in log.read_text(),
        "the supervisor restarts it",
        within=90,
    )
    for created in west.create_acls(list(deleted)).values():
        created.result(15)

    equal_within(sandbox, EQUAL, seconds=90)
    assert running(worker(home)) != before
    project.up("--expect-no-changes")


def test_a_target_topic_that_was_deleted_is_an_error_at_preview(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    """Nothing could reset its offsets, so it would get a gap."""
    west = admin(sandbox, Cluster.WEST)
    west.delete_topics([EQUAL[TOPIC]])[EQUAL[TOPIC]].result(15)
    eventually(
        lambda: EQUAL[TOPIC] not in west.list_topics(timeout=15).topics, "the topic is deleted"
    )

    said = project.pulumi("preview", fails=True)

    assert f"the target topics of {TOPIC} would be created" in said
    configure(project, "connect")
    assert f"{EQUAL[TOPIC]} does not exist" in project.up(fails=True)
    project.up("--refresh", "--run-program")
    configure(project)
    project.up()
    equal_within(sandbox, EQUAL)


def test_after_a_destroy_connect_workers_are_not_deployed_without_the_offsets(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    """They would replicate all records again. Deployed as before, the stack resumes, and moves."""
    project.pulumi("destroy", "--yes", "--skip-preview")
    configure(project, "connect")

    said = project.pulumi("preview", fails=True)

    assert "was deployed in dedicated mode" in said
    configure(project)
    project.up()
    configure(project, "connect")
    project.up()
    write((sandbox, Cluster.EAST), TOPIC, records=50)
    equal_within(sandbox, EQUAL)
