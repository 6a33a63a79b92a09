"""Failures around a stack are one error message each, and the next `up` recovers.

The tests of this module depend on each other and run in order, on one deployment.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from confluent_kafka.admin import (
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
    ResourceType,
)

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.findings import UserError
from mirrorstack.local.java_properties import load
from mirrorstack.runtimes.local_worker import LocalWorker, credentials_file
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
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow

TOPIC = "mishaps"
MIRRORED = {TOPIC: f"east.{TOPIC}"}


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox, home: Path
) -> Iterator[PulumiProject]:
    fill((sandbox, Cluster.EAST), TOPIC)
    project = mirroring_project(tmp_path_factory.mktemp("mishaps"), home)
    workers = {"west": {"group": "mishaps"}}
    words = {"delete-topics": True}
    project.configure(stack(flow(TOPIC), sandbox="shared", workers=workers, **words))
    yield project
    project.pulumi("destroy", "--yes", "--skip-preview")


def test_a_worker_killed_during_up_comes_back_and_up_succeeds(
    project: PulumiProject, sandbox: Sandbox, home: Path
) -> None:
    group = home / "workers" / "dev" / "west"
    worker = LocalWorker(group / "1")

    def connector_is_made() -> bool:
        try:
            who = credentials.load(credentials_file(group))
            properties = load((worker.directory / "worker.properties").read_bytes())
            url = next(each.value for each in properties if each.key == "listeners")
            client = ConnectClient(url, who, retries=RetryPolicy(seconds=0))
            return client.config("east-to-west-source") is not None
        except (OSError, UserError):  # not deployed yet
            return False

    with ThreadPoolExecutor(1) as pool:
        up = pool.submit(project.up)
        eventually(lambda: up.done() or connector_is_made(), "the connector is made", within=90)
        assert not up.done(), up.result()
        before = running(worker).pid
        running(worker).kill()
        up.result(180)

    assert running(worker).pid != before
    equal_within(sandbox, MIRRORED)
    project.up("--expect-no-changes")


def test_a_deleted_acl_is_reported_and_refresh_restores_it(
    project: PulumiProject, sandbox: Sandbox
) -> None:
    of_topic = AclBindingFilter(
        ResourceType.TOPIC,
        TOPIC,
        ResourcePatternType.LITERAL,
        MIRROR,
        "*",
        AclOperation.READ,
        AclPermissionType.ALLOW,
    )
    for deleted in admin(sandbox, Cluster.EAST).delete_acls([of_topic]).values():
        assert len(deleted.result(15)) == 1

    preview = project.pulumi("preview")
    said = project.up(fails=True)

    assert "mirrorstack-east-permissions" in preview, (
        "without a refresh the preview shows it already"
    )
    assert "Cluster east: User:mirror is not authorized for what MirrorMaker needs" in said
    assert f"Read on Topic {TOPIC}: east-to-west reads its topics" in said
    assert "Traceback" not in said

    project.up("--refresh")
    project.up("--expect-no-changes")
