"""Connect workers as containers of a real Docker daemon."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docker import DockerClient

from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
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

TOPIC, GROUP = "docker-orders", "docker-workers"
REST_PASSWORD = "correct horse battery staple"


@pytest.fixture(scope="module", autouse=True)
def orders(sandbox: Sandbox) -> None:
    fill((sandbox, Cluster.EAST), TOPIC)


@pytest.fixture
def project(tmp_path: Path, home: Path, sandbox: Sandbox) -> Iterator[PulumiProject]:
    made = mirroring_project(tmp_path, home)
    made.timeout = 300.0
    yield made
    made.pulumi("destroy", "--yes", "--skip-preview")


def configure(project: PulumiProject, daemon: str, **workers: Any) -> None:
    """Workers as containers, unless another runtime is given."""
    changes = workers.pop("docker", {})
    docker = None if changes is None else {"host": daemon, "network": "host", **changes}
    settings = {"runtime": "docker", "group": GROUP, "docker": docker, **workers}
    settings = {key: value for key, value in settings.items() if value is not None}
    project.configure(
        stack(
            flow(TOPIC),
            sandbox="shared",
            workers={"west": settings},
            **{"delete-topics": True},
        )
    )
    if docker is not None:
        project.pulumi("config", "set", "--secret", "west-connect-password", REST_PASSWORD)


def test_a_stack_replicates_with_containers_and_a_second_up_changes_nothing(
    project: PulumiProject, daemon: str, docker: DockerClient, sandbox: Sandbox
) -> None:
    configure(project, daemon)

    project.up()

    equal_within(sandbox, {TOPIC: f"east.{TOPIC}"})
    project.up("--expect-no-changes")
    project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
    (container,) = docker.containers.list()
    shown = json.dumps(docker.api.inspect_container(str(container.id)))
    state = project.pulumi("stack", "export")
    password = sandbox.connection(Cluster.WEST, Principal.MIRROR).password
    for secret in (REST_PASSWORD, password):
        assert secret not in shown
        assert secret not in state
        assert secret not in container.logs().decode()

    project.pulumi("destroy", "--yes", "--skip-preview")

    assert docker.containers.list(all=True) == []


def test_a_killed_worker_is_restarted_and_nothing_is_lost(
    project: PulumiProject, daemon: str, docker: DockerClient, sandbox: Sandbox
) -> None:
    configure(project, daemon, count=2)
    project.up()

    for _ in range(3):
        write((sandbox, Cluster.EAST), TOPIC, records=200)
        first, *_ = docker.containers.list()
        killed = first.attrs["State"]["Pid"]
        os.kill(killed, signal.SIGKILL)
        write((sandbox, Cluster.EAST), TOPIC, records=200)

        equal_within(sandbox, {TOPIC: f"east.{TOPIC}"}, seconds=120)
        eventually(
            lambda: all(_is_healthy(each) for each in docker.containers.list()),
            "both workers are healthy again",
            within=120,
        )
    assert len(docker.containers.list()) == 2


def test_a_container_that_somebody_removed_is_reported_and_a_refresh_recreates_it(
    project: PulumiProject, daemon: str, docker: DockerClient, sandbox: Sandbox
) -> None:
    configure(project, daemon)
    project.up()
    (container,) = docker.containers.list()
    container.remove(force=True)

    said = project.up(fails=True)

    assert "does not exist: somebody has removed it" in said
    project.up("--refresh", "--run-program")
    write((sandbox, Cluster.EAST), TOPIC, records=200)
    equal_within(sandbox, {TOPIC: f"east.{TOPIC}"}, seconds=120)


def test_workers_move_from_processes_to_containers_and_back_under_load(
    project: PulumiProject, daemon: str, docker: DockerClient, sandbox: Sandbox
) -> None:
    """With exactly-once: no record is lost, and none is sent twice."""
    processes = {"runtime": "local-process", "docker": None}
    configure(project, daemon, **processes)
    project.up()
    with written_to((sandbox, Cluster.EAST), TOPIC):
        configure(project, daemon)
        project.up()
        assert len(docker.containers.list()) == 1
        configure(project, daemon, **processes)
        project.up()
        assert docker.containers.list(all=True) == []

    equal_within(sandbox, {TOPIC: f"east.{TOPIC}"}, seconds=120)
    project.up("--expect-no-changes")


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"docker": {"image": "apache/kafka:0.0.0"}}, "workers.west.docker.image"),
        ({"docker": {"host": "unix:///nowhere/docker.sock"}}, "workers.west.docker.host"),
    ],
)
def test_a_preview_says_that_the_daemon_or_the_image_is_missing(
    project: PulumiProject, daemon: str, changes: dict[str, Any], key: str
) -> None:
    configure(project, daemon, **changes)

    said = project.pulumi("preview", fails=True)

    assert key in said
    assert "Traceback" not in said


def test_a_worker_that_ends_fails_with_the_last_errors_of_its_log(
    project: PulumiProject, daemon: str
) -> None:
    """Two workers cannot listen on one port of the host."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        configure(project, daemon, **{"rest-port": taken.getsockname()[1]})

        said = project.up(fails=True)

    assert "is not healthy: it ended with exit code" in said
    assert "log: " in said
    assert "Traceback" not in said


def _is_healthy(container: Any) -> bool:
    container.reload()
    return bool(container.attrs["State"].get("Health", {}).get("Status") == "healthy")
