"""The Kubernetes node of the tests: real pods, and a stack through the double of the plugin."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.config.kubernetes_workers import KubernetesSettings
from mirrorstack.local.home import ROOT
from tests.platforms.kubernetes.api import KubernetesApi
from tests.platforms.kubernetes.cluster_objects import ClusterObjects
from tests.platforms.kubernetes.node import KubernetesNode
from tests.pulumi_project import PulumiProject
from toolchain import receipt

IMAGE = KubernetesSettings().image
NAMESPACE = "restricted"
PASSWORD = "correct horse battery staple"
PROGRAM = """\
    import pulumi
    from pulumi_kubernetes import Provider
    from pulumi_kubernetes.core.v1 import ConfigMap, Secret

    config = pulumi.Config()
    provider = Provider("test", kubeconfig=config.require("kubeconfig"), context="test",
                        namespace="default")
    options = pulumi.ResourceOptions(provider=provider)
    ConfigMap("settings", metadata={"name": "settings"}, opts=options,
              data={"replicas": config.require("replicas"), "b.properties": "x"})
    password = config.require_secret("password")
    Secret("login", metadata={"name": "login"}, string_data={"password": password}, opts=options)
    """


@pytest.fixture
def objects(node: KubernetesNode) -> ClusterObjects:
    return ClusterObjects(KubernetesApi.of(node.kubeconfig))


def manifest(api_version: str, kind: str, name: str, **content: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": NAMESPACE, **content.pop("metadata", {})}
    if kind == "Namespace":
        del metadata["namespace"]
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **content}


def test_a_restricted_pod_reaches_the_host_by_the_name_of_a_service(
    node: KubernetesNode, objects: ClusterObjects
) -> None:
    enforced = {"pod-security.kubernetes.io/enforce": "restricted"}
    objects.apply(manifest("v1", "Namespace", NAMESPACE, metadata={"labels": enforced}))
    with socket.create_server((node.host_address, 0)) as broker:
        port = broker.getsockname()[1]
        objects.apply(manifest("v1", "Service", "broker", spec={"clusterIP": "None"}))
        objects.apply(
            manifest(
                "discovery.k8s.io/v1",
                "EndpointSlice",
                "broker",
                metadata={"labels": {"kubernetes.io/service-name": "broker"}},
                addressType="IPv4",
                endpoints=[{"addresses": [node.host_address]}],
                ports=[{"name": "kafka", "port": port}],
            )
        )
        say = f"/opt/java/bin/java --version > /dev/tcp/broker.{NAMESPACE}.svc.cluster.local/{port}"
        objects.apply(manifest("v1", "Pod", "client", spec=restricted_pod(["bash", "-c", say])))
        broker.settimeout(60)
        with broker.accept()[0] as connection:
            said = connection.makefile().read()

    assert said.startswith("openjdk"), said


def restricted_pod(command: list[str]) -> dict[str, Any]:
    security = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    container = {"name": "main", "image": IMAGE, "command": command, "securityContext": security}
    return {
        "restartPolicy": "Never",
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [container],
    }


def test_a_stack_is_deployed_through_the_double_of_the_plugin(
    node: KubernetesNode,
    objects: ClusterObjects,
    pulumi_home_with_kubernetes: Path,
    tmp_path: Path,
) -> None:
    project = PulumiProject(
        tmp_path,
        name="shop",
        pulumi=receipt.read(ROOT / ".mirrorstack")["pulumi"].path,
        pulumi_home=pulumi_home_with_kubernetes,
    )
    project.write("__main__.py", PROGRAM)
    project.pulumi("config", "set", "kubeconfig", str(node.kubeconfig))
    project.pulumi("config", "set", "replicas", "1")
    project.pulumi("config", "set", "--secret", "password", PASSWORD)
    settings: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "settings", "namespace": "default"},
    }

    printed = project.up()

    assert "warning" not in printed
    project.up("--expect-no-changes")
    project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
    assert PASSWORD not in project.pulumi("stack", "export")
    login = objects.find(
        settings | {"kind": "Secret", "metadata": {**settings["metadata"], "name": "login"}}
    )
    assert login is not None
    assert list(login["data"]) == ["password"]

    objects.apply(settings | {"data": {"replicas": "5"}}, force=True)
    project.pulumi("refresh", "--yes", "--skip-preview")
    assert '"replicas": "5"' in project.pulumi("stack", "export")
    project.pulumi("config", "set", "replicas", "2")
    project.up()
    found = objects.find(settings)
    assert found is not None
    assert found["data"] == {"replicas": "2", "b.properties": "x"}

    project.pulumi("destroy", "--yes", "--skip-preview")
    assert objects.find(settings) is None
