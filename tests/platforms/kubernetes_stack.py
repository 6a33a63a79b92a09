"""A file of stacks/ on the Kubernetes node of the tests: Pulumi.dr-prod.yaml, unless named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kubernetes.client import ApiClient, AppsV1Api, CoreV1Api
from kubernetes.config import new_client_from_config

from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.replicated_stack import Place, mirroring_project
from tests.platforms.kubernetes.node import KubernetesNode
from tests.pulumi_project import PulumiProject
from tests.stack_files import adapted, set_passwords

NAMESPACE = "kafka"
NAME = "mirrorstack-dev-standby"
REST_PASSWORD = "correct horse battery staple"
MISTAKES = [
    ({"namespace": "kafak"}, ".namespace: context test has no"),
    ({"context": "tset"}, ": the kubeconfig has no context 'tset'"),
    ({"secret": "missing"}, ".secret: namespace kafka of context"),
    ({"kubeconfig": "nowhere"}, ": the kubeconfig "),
]
"""Settings of a runtime, and what a preview says about them after their path."""
RESTRICTED = {
    f"pod-security.kubernetes.io/{mode}": "restricted" for mode in ("enforce", "warn", "audit")
}


class KubernetesStack:
    """The stack file with only addresses, credentials and the kubeconfig replaced."""

    def __init__(
        self,
        directory: Path,
        home: Path,
        pulumi_home: Path,
        node: KubernetesNode,
        kafka: Sandbox,
        *,
        file: str = "dr-prod",
        runtime: str = "kubernetes",
    ) -> None:
        """`runtime`: that of the file, which is also the key of its settings."""
        self.node = node
        self.runtime = runtime
        self.places: dict[str, Place] = {
            "primary": (kafka, Cluster.EAST),
            "standby": (kafka, Cluster.WEST),
        }
        self._plugins = pulumi_home
        self.project = mirroring_project(directory, home, pulumi_home)
        self.project.environ["KUBECONFIG"] = str(node.kubeconfig)
        self.project.timeout = 500.0
        self.settings = adapted(file, self.places)
        self.workers[runtime] = {"context": "test", "namespace": NAMESPACE}

    @property
    def workers(self) -> dict[str, Any]:
        workers: dict[str, Any] = self.settings["workers"]["standby"]
        return workers

    def configure(self, **of_runtime: Any) -> None:
        """With these settings of the runtime besides."""
        settings = json.loads(json.dumps(self.settings))
        workers = settings["workers"]["standby"]
        if self.runtime in workers:
            workers[self.runtime] |= of_runtime
        self.project.configure(settings)
        set_passwords(self.project, settings, self.places)
        if workers.get("runtime") == "kubernetes" and workers.get("mode") != "dedicated":
            key = "standby-connect-password"
            self.project.pulumi("config", "set", "--secret", key, REST_PASSWORD)

    def refused_preview(self, **of_runtime: Any) -> str:
        """What a preview with these settings prints before it ends with an error."""
        self.configure(**of_runtime)
        printed = self.project.pulumi("preview", fails=True)
        assert "Traceback" not in printed
        self.configure()
        return printed

    def destroy(self) -> None:
        self.project.pulumi("destroy", "--yes", "--skip-preview")

    def api(self) -> ApiClient:
        client: ApiClient = new_client_from_config(str(self.node.kubeconfig), "test")
        return client

    def core(self) -> CoreV1Api:
        return CoreV1Api(self.api())

    def apps(self) -> AppsV1Api:
        return AppsV1Api(self.api())

    def pods(self) -> list[Mapping[str, Any]]:
        client = self.api()
        found = CoreV1Api(client).list_namespaced_pod(NAMESPACE)
        pods: list[Mapping[str, Any]] = client.sanitize_for_serialization(found)["items"]
        return pods

    def second_machine(self, directory: Path, home: Path) -> PulumiProject:
        """Another clone and home that share the state and the secrets."""
        other = mirroring_project(directory, home, self._plugins)
        keys = ("KUBECONFIG", "PULUMI_BACKEND_URL")
        other.environ |= {key: self.project.environ[key] for key in keys}
        other.timeout = self.project.timeout
        file = "Pulumi.dev.yaml"
        (other.directory / file).write_text((self.project.directory / file).read_text())
        other.pulumi("stack", "select", "dev")
        return other
