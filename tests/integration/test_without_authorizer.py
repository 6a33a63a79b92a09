"""Brokers without an authorizer: there are no ACLs to declare, and that is said once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mirrorstack.kafka.acl_bindings import describe_acls
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import ANY_PORTS
from tests.integration.replicated_stack import (
    equal_within,
    fill,
    flow,
    mirroring_project,
    stack,
)

pytestmark = pytest.mark.slow

TOPIC = "everybody-may"


@pytest.fixture(scope="module")
def open_sandbox(home: Path, runtime: KafkaInstallation) -> Iterator[Sandbox]:
    sandbox = Sandbox("open", home_directory=home)
    sandbox.up(runtime, replace(ANY_PORTS, authorizer=False))
    yield sandbox
    sandbox.down(delete=True)


@pytest.mark.parametrize("principal", [Principal.ADMIN, Principal.MIRROR])
def test_every_principal_learns_that_there_is_no_authorizer(
    open_sandbox: Sandbox, principal: Principal
) -> None:
    cluster = KafkaCluster("east", open_sandbox.connection(Cluster.EAST, principal), "")

    assert not describe_acls(cluster, "mirror").has_authorizer


def test_a_stack_is_deployed_without_acls(
    tmp_path: Path, home: Path, open_sandbox: Sandbox
) -> None:
    fill((open_sandbox, Cluster.EAST), TOPIC)
    project = mirroring_project(tmp_path, home)
    project.configure(stack(flow(TOPIC), sandbox="open"))

    preview = project.pulumi("preview")
    try:
        said = project.up()
        equal_within(open_sandbox, {TOPIC: f"east.{TOPIC}"})

        for printed in (preview, said):
            for alias in ("east", "west"):
                diagnostics = printed.partition("Diagnostics:")[2]
                assert diagnostics.count(f"The brokers of {alias} have no authorizer") == 1
        assert "Security features are disabled" not in said
        assert "kafka:index/acl:Acl" not in project.pulumi("stack", "export")
        project.up("--expect-no-changes")
        project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")
