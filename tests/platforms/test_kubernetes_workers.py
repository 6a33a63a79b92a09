"""Connect workers as pods of a real Kubernetes node: stacks/Pulumi.dr-prod.yaml and changes of it.

Where Pulumi's Kubernetes plugin cannot be installed, a double of it applies the same manifests.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kubernetes.client import CoreV1Api, CustomObjectsApi
from kubernetes.config import new_client_from_config

from mirrorstack.console import Console
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.checks import has_pod_monitors
from mirrorstack.kubernetes.port_forward import PortForward, is_ready
from mirrorstack.kubernetes.worker_pods import INSTANCE
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import equal_between, fill, read_to_the_end, write
from tests.integration.written_topic import written_to
from tests.platforms.kubernetes.api import KubernetesApi
from tests.platforms.kubernetes.cluster_objects import ClusterObjects
from tests.platforms.kubernetes.images import JMX_EXPORTER
from tests.platforms.kubernetes.node import KubernetesNode
from tests.platforms.kubernetes.pod_monitor import pod_monitor_definition
from tests.platforms.kubernetes_stack import (
    MISTAKES,
    NAME,
    NAMESPACE,
    REST_PASSWORD,
    RESTRICTED,
    KubernetesStack,
)
from toolchain.cache import Cache

TOPICS = ("orders", "payments-eu")
EQUAL = {topic: topic for topic in TOPICS}


@pytest.fixture(scope="module", autouse=True)
def namespace(node: KubernetesNode) -> None:
    api = CoreV1Api(new_client_from_config(str(node.kubeconfig), "test"))
    body: Any = {"metadata": {"name": NAMESPACE, "labels": RESTRICTED}}
    api.create_namespace(body)


@pytest.fixture(scope="module", autouse=True)
def topics(reachable: Sandbox) -> None:
    for topic in TOPICS:
        fill((reachable, Cluster.EAST), topic)
    read_to_the_end((reachable, Cluster.EAST), "billing", "orders")


@pytest.fixture
def stack(
    tmp_path: Path,
    home: Path,
    node: KubernetesNode,
    reachable: Sandbox,
    pulumi_home_with_kubernetes: Path,
) -> Iterator[KubernetesStack]:
    made = KubernetesStack(tmp_path, home, pulumi_home_with_kubernetes, node, reachable)
    yield made
    made.destroy()


def equal(stack: KubernetesStack, seconds: float = 120.0) -> None:
    equal_between(stack.places["primary"], stack.places["standby"], EQUAL, seconds)


def test_dr_prod_is_deployed_changed_and_destroyed(
    stack: KubernetesStack, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stack.configure()

    printed = stack.project.up()  # ends with the smoke test

    assert "would violate PodSecurity" not in printed
    equal(stack)
    stack.project.up("--expect-no-changes")
    stack.project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
    _has_no_secret(stack)
    second = stack.second_machine(tmp_path / "second", tmp_path_factory.mktemp("home"))
    second.pulumi("preview", "--expect-no-changes")

    before = {pod["metadata"]["uid"] for pod in stack.pods()}
    stack.settings["workers"]["standby"]["heap-mb"] = 1024
    stack.configure()
    with written_to(stack.places["primary"], "orders"):
        stack.project.up()

    pods = stack.pods()
    assert len(pods) == 2
    assert not before & {pod["metadata"]["uid"] for pod in pods}, "every pod was replaced"
    equal(stack)

    stack.destroy()

    assert stack.pods() == []
    assert stack.core().list_namespaced_secret(NAMESPACE).items == []


def test_a_killed_worker_is_replaced_and_nothing_is_lost(stack: KubernetesStack) -> None:
    stack.configure()
    stack.project.up()

    for _ in range(3):
        write(stack.places["primary"], "orders", records=200)
        stack.core().delete_namespaced_pod(f"{NAME}-0", NAMESPACE, grace_period_seconds=0)
        write(stack.places["primary"], "orders", records=200)

        equal(stack)
        eventually(
            lambda: [is_ready(pod) for pod in stack.pods()] == [True, True],
            "both workers are Ready again",
            within=120,
        )


def test_workers_move_from_processes_to_pods_and_back_under_load(stack: KubernetesStack) -> None:
    """With exactly-once: no record is lost, and none is sent twice."""
    pods = dict(stack.workers)
    processes = {"count": 1}
    stack.settings["workers"]["standby"] = processes
    stack.configure()
    stack.project.up()
    with written_to(stack.places["primary"], "orders"):
        stack.settings["workers"]["standby"] = pods
        stack.configure()
        stack.project.up()
        assert len(stack.pods()) == 2
        stack.settings["workers"]["standby"] = processes
        stack.configure()
        stack.project.up()
        assert stack.pods() == []

    equal(stack)
    stack.project.up("--expect-no-changes")


@pytest.mark.parametrize(("changes", "said"), MISTAKES)
def test_a_preview_says_what_the_cluster_lacks(
    stack: KubernetesStack, changes: dict[str, Any], said: str
) -> None:
    assert f"workers.standby.kubernetes{said}" in stack.refused_preview(**changes)


def test_an_image_that_does_not_exist_fails_with_the_reason_of_the_pod(
    stack: KubernetesStack,
) -> None:
    stack.configure(image="apache/kafka:0.0.0", **{"image-pull-policy": "Never"})

    printed = stack.project.up(fails=True)

    assert f"{NAME}-0: ErrImageNeverPull" in printed
    assert "Traceback" not in printed


def test_a_worker_that_crashes_fails_with_the_last_lines_of_its_log(
    stack: KubernetesStack,
) -> None:
    """An agent that is not in the image: the JVM ends at once."""
    stack.configure(metrics={"agent": "/nowhere/agent.jar"})

    printed = stack.project.up(fails=True)

    assert "exit code 1, Error" in printed, printed
    assert "/nowhere/agent.jar" in printed, printed


def test_prometheus_finds_the_metrics_of_the_workers(stack: KubernetesStack) -> None:
    definition = pod_monitor_definition(Cache.of_user(), Console())
    ClusterObjects(KubernetesApi.of(stack.node.kubeconfig)).apply(definition)
    access = ClusterAccess(
        namespace=NAMESPACE, context="test", kubeconfig=str(stack.node.kubeconfig)
    )
    eventually(lambda: has_pod_monitors(access), "the kind PodMonitor exists")
    stack.configure(metrics={"agent": f"/{JMX_EXPORTER}"})

    stack.project.up()

    monitors: Any = CustomObjectsApi(stack.api()).list_namespaced_custom_object(
        "monitoring.coreos.com", "v1", NAMESPACE, "podmonitors"
    )
    assert [each["metadata"]["name"] for each in monitors["items"]] == [NAME]
    write(stack.places["primary"], "orders", records=200)
    eventually(
        lambda: "kafka_connect_mirror_mirrorsourceconnector_record_count{" in _metrics(access),
        "a worker counts replicated records",
        within=60,
    )


def test_a_stack_is_destroyed_after_its_namespace_was_deleted(stack: KubernetesStack) -> None:
    stack.configure()
    stack.project.up()
    stack.core().delete_namespace(NAMESPACE)
    eventually(lambda: not stack.pods(), "the pods are gone", within=120)

    stack.destroy()

    assert "resources" not in stack.project.pulumi("stack", "export")


def _metrics(access: ClusterAccess) -> str:
    """Of one of the workers: the task may run on the other."""
    forward = PortForward(access, f"{INSTANCE}={NAME}")
    connection = http.client.HTTPConnection("worker", 9404)
    connection.sock = forward.connect(9404, 10.0)
    connection.request("GET", "/metrics", headers={"Connection": "close"})
    return connection.getresponse().read().decode()


def _has_no_secret(stack: KubernetesStack) -> None:
    kafka, cluster = stack.places["standby"]
    password = kafka.connection(cluster, Principal.MIRROR).password
    client = stack.api()
    shown = [
        stack.project.pulumi("stack", "export"),
        json.dumps(stack.pods()),
        json.dumps(
            client.sanitize_for_serialization(stack.core().list_namespaced_config_map(NAMESPACE))
        ),
        *(
            str(stack.core().read_namespaced_pod_log(pod["metadata"]["name"], NAMESPACE))
            for pod in stack.pods()
        ),
    ]
    for secret in (REST_PASSWORD, password):
        assert not any(secret in text for text in shown)
