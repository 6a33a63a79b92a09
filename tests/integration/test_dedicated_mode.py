"""MirrorMaker in dedicated mode, as `mode: dedicated` deploys it on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.connect.internal_topics import InternalTopicsReader
from mirrorstack.connect.storage import ConnectStorage
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.local.home import ROOT
from mirrorstack.runtimes.local_worker import LocalWorker
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.killed_workers import running
from tests.integration.replicated_stack import (
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
STORAGE = ConnectStorage(
    "east-mm2", *(f"mm2-{kind}.east.internal" for kind in ("configs", "offsets", "status"))
)


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


def offsets(sandbox: Sandbox) -> dict[Any, int]:
    """Of the source connector, under the name that MirrorMaker gives it."""
    west = KafkaCluster("west", sandbox.connection(Cluster.WEST, Principal.MIRROR), "")
    return InternalTopicsReader(west, STORAGE).offsets("MirrorSourceConnector")


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
        configure(project, "connect")
        project.up()
        configure(project)
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
