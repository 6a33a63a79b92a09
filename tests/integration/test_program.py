"""The program's messages: one for each mistake, before anything is deployed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import create_topic
from tests.integration.replicated_stack import flow, mirroring_project, stack
from tests.pulumi_project import PulumiProject


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory, home: Path, sandbox: Sandbox
) -> PulumiProject:
    return mirroring_project(tmp_path_factory.mktemp("mistakes"), home)


def refused(project: PulumiProject) -> str:
    said = project.pulumi("preview", fails=True)
    assert "Traceback" not in said
    return said


def test_a_mistyped_key_is_reported_with_a_suggestion(project: PulumiProject) -> None:
    project.configure(stack(flow("orders"), sandbox="shared", flow=[]))

    said = refused(project)

    assert "stacks/Pulumi.dev.yaml: flow: unknown key" in said
    assert "did you mean `flows`?" in said


def test_a_topic_that_does_not_exist_on_the_source_is_reported(project: PulumiProject) -> None:
    project.configure(stack(flow("no-such-topic"), sandbox="shared"))

    assert "Flow east-to-west: no-such-topic matches no topic on east" in refused(project)


def test_a_sandbox_that_was_never_started_is_reported(project: PulumiProject) -> None:
    project.configure(stack(flow("orders"), sandbox="elsewhere"))

    said = refused(project)

    assert "there is no sandbox 'elsewhere'" in said
    assert "mirrorstack sandbox up --name elsewhere" in said


def test_an_unreachable_cluster_is_reported_with_its_address(
    project: PulumiProject, home: Path, sandbox: Sandbox
) -> None:
    create_topic(sandbox.connection(Cluster.EAST, Principal.ADMIN), "program-unreachable")
    project.configure(stack(flow("program-unreachable"), sandbox="shared"))
    settings = home / "sandbox" / "shared" / "sandbox.json"
    true = settings.read_text()
    port = sandbox.connection(Cluster.EAST, Principal.ADMIN).bootstrap_servers.split(":")[1]
    settings.write_text(true.replace(port, "9"))
    try:
        said = refused(project)
    finally:
        settings.write_text(true)

    assert "Cluster east at 127.0.0.1:9: request as admin failed" in said
    assert "mirrorstack sandbox up --name shared" in said
