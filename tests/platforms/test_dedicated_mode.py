"""MirrorMaker in dedicated mode, in containers and in pods."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docker import DockerClient
from kubernetes.client import CoreV1Api
from kubernetes.config import new_client_from_config

from mirrorstack.kubernetes.port_forward import is_ready
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import (
    equal_between,
    equal_within,
    fill,
    flow,
    mirroring_project,
    read_to_the_end,
    stack,
    write,
)
from tests.integration.written_topic import written_to
from tests.platforms.kubernetes.node import KubernetesNode
from tests.platforms.kubernetes_stack import NAME, NAMESPACE, RESTRICTED, KubernetesStack
from tests.pulumi_project import PulumiProject

TOPIC = "dedicated-containers"
TOPICS = ("orders", "payments-eu")
EQUAL = {topic: topic for topic in TOPICS}


@pytest.fixture
def containers(
    tmp_path: Path, home: Path, sandbox: Sandbox, daemon: str
) -> Iterator[PulumiProject]:
    fill((sandbox, Cluster.EAST), TOPIC)
    project = mirroring_project(tmp_path, home)
    project.timeout = 300.0
    workers = {
        "runtime": "docker",
        "mode": "dedicated",
        "docker": {"host": daemon, "network": "host"},
    }
    project.configure(stack(flow(TOPIC), sandbox="shared", workers={"west": workers}))
    yield project
    project.pulumi("destroy", "--yes", "--skip-preview")


def test_a_container_replicates_and_is_restarted_when_it_is_killed(
    containers: PulumiProject, docker: DockerClient, sandbox: Sandbox
) -> None:
    equal = {TOPIC: f"east.{TOPIC}"}

    containers.up()

    equal_within(sandbox, equal)
    containers.up("--expect-no-changes")
    containers.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
    (container,) = docker.containers.list()
    shown = json.dumps(docker.api.inspect_container(str(container.id)))
    password = sandbox.connection(Cluster.WEST, Principal.MIRROR).password
    for text in (shown, containers.pulumi("stack", "export"), container.logs().decode()):
        assert password not in text
    for _ in range(3):
        write((sandbox, Cluster.EAST), TOPIC, records=200)
        # Not by this API's `kill`, after which the daemon does not restart it.
        container.reload()
        before = container.attrs["RestartCount"]
        container.exec_run(["bash", "-c", "kill -KILL -1"])
        write((sandbox, Cluster.EAST), TOPIC, records=200)
        equal_within(sandbox, equal, seconds=120)
        container.reload()
        assert container.attrs["RestartCount"] > before


@pytest.fixture
def pods(
    tmp_path: Path,
    home: Path,
    node: KubernetesNode,
    reachable: Sandbox,
    pulumi_home_with_kubernetes: Path,
) -> Iterator[KubernetesStack]:
    api = CoreV1Api(new_client_from_config(str(node.kubeconfig), "test"))
    body: Any = {"metadata": {"name": NAMESPACE, "labels": RESTRICTED}}
    api.create_namespace(body)
    for topic in TOPICS:
        fill((reachable, Cluster.EAST), topic)
    read_to_the_end((reachable, Cluster.EAST), "billing", "orders")
    made = KubernetesStack(tmp_path, home, pulumi_home_with_kubernetes, node, reachable)
    yield made
    made.destroy()
    api.delete_namespace(NAMESPACE)
    eventually(lambda: not made.pods(), "the pods are gone", within=120)


def equal(stack: KubernetesStack) -> None:
    equal_between(stack.places["primary"], stack.places["standby"], EQUAL, 120.0)


def test_pods_take_over_from_connect_workers_and_lose_nothing(pods: KubernetesStack) -> None:
    """dr-prod, with exactly-once, two workers and group offsets."""
    pods.configure()
    pods.project.up()
    with written_to(pods.places["primary"], "orders"):
        pods.workers["mode"] = "dedicated"
        pods.configure()
        printed = pods.project.up()  # ends with the smoke test

    assert "would violate PodSecurity" not in printed
    equal(pods)
    pods.project.up("--expect-no-changes")
    pods.project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
    held: Any = pods.core().list_namespaced_secret(NAMESPACE)
    secrets = {each.metadata.name for each in held.items}
    assert secrets == {f"{NAME}-passwords"}
    for _ in range(3):
        write(pods.places["primary"], "orders", records=200)
        pods.core().delete_namespaced_pod(f"{NAME}-0", NAMESPACE, grace_period_seconds=0)
        write(pods.places["primary"], "orders", records=200)
        equal(pods)
        eventually(
            lambda: [is_ready(pod) for pod in pods.pods()] == [True, True],
            "both pods are Ready again",
            within=120,
        )
