"""`pulumi destroy` after the workers are gone: no connector from before comes back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.runtimes.local_worker import LocalWorker, credentials_file
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.killed_workers import kill_worker
from tests.integration.replicated_stack import (
    equal_within,
    fill,
    flow,
    mirroring_project,
    stack,
    write,
)

pytestmark = pytest.mark.slow

TOPIC = "destroyed"
MIRRORED = {TOPIC: f"east.{TOPIC}"}


def test_destroy_succeeds_and_no_connector_comes_back(
    sandbox: Sandbox, home: Path, tmp_path: Path
) -> None:
    workers = {"west": {"group": "destroying"}}
    fill((sandbox, Cluster.EAST), TOPIC)
    project = mirroring_project(tmp_path, home)
    project.configure(stack(flow(TOPIC), sandbox="shared", workers=workers))
    project.up()
    group = home / "workers" / "dev" / "west"
    kill_worker(LocalWorker(group / "1"))

    said = project.pulumi("destroy", "--yes", "--skip-preview")

    assert "error" not in said
    # The same group, and so the same config topic; without the heartbeat connector.
    write((sandbox, Cluster.EAST), TOPIC, 50)
    less = stack(
        flow(TOPIC, heartbeats=False),
        sandbox="shared",
        workers=workers,
        **{"delete-topics": True},
    )
    project.configure(less)
    try:
        project.up()
        outputs = json.loads(project.pulumi("stack", "output", "--json"))
        login = credentials.load(credentials_file(group))
        connect = ConnectClient(outputs["connect"]["west"], login)
        assert set(connect.connectors()) == {"east-to-west-source"}
        equal_within(sandbox, MIRRORED)
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")
