"""A deployment that waits in vain for records reports why."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.connect.stalls import DEFAULT_MAX_REQUEST_SIZE
from mirrorstack.planning.stall_facts import MAX_REQUEST_SIZE
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.replicated_stack import fill, flow, mirroring_project, stack, write_large

pytestmark = pytest.mark.slow


def test_up_reports_the_reason(sandbox: Sandbox, home: Path, tmp_path: Path) -> None:
    topic = "stall-up"
    fill((sandbox, Cluster.EAST), topic, records=5, partitions=1)
    write_large((sandbox, Cluster.EAST), topic, DEFAULT_MAX_REQUEST_SIZE + 500_000)
    project = mirroring_project(tmp_path, home)
    workers = {"west": {"group": "stalling-up"}}
    override = {"source": {MAX_REQUEST_SIZE: DEFAULT_MAX_REQUEST_SIZE}}
    project.configure(
        stack(
            flow(topic, override=override),
            sandbox="shared",
            workers=workers,
            **{"delete-topics": True},
        )
    )
    try:
        said = project.up(fails=True)
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")

    assert f"{topic} is not replicated: the record at offset 5 of partition 0" in said
    assert f"fix: set `{MAX_REQUEST_SIZE}` under `override.source` of the flow" in said
    assert "Exception calling application" not in said
    assert "Traceback" not in said
