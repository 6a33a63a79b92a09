"""The sandbox of the integration tests, and beside it a Docker daemon and a Kubernetes node."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from docker import DockerClient

from mirrorstack.config.docker_workers import DockerSettings
from mirrorstack.config.kubernetes_workers import KubernetesSettings
from mirrorstack.console import Console
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import (
    eventually,
    home,
    no_acls_for_the_next_module,
    runtime,
    sandbox,
)
from tests.platforms import kafka_image
from tests.platforms.dockerd import docker_daemon
from tests.platforms.kubernetes.api import ApiError, KubernetesApi
from tests.platforms.kubernetes.binaries import installed_parts
from tests.platforms.kubernetes.cluster_objects import ClusterObjects
from tests.platforms.kubernetes.double_installer import home_with_double
from tests.platforms.kubernetes.images import write_kafka_image
from tests.platforms.kubernetes.node import KubernetesNode, kubernetes_node
from tests.platforms.kubernetes_stack import NAMESPACE
from tests.platforms.reachable_sandbox import reachable_sandbox
from tests.platforms.strimzi.definitions import RELEASES, strimzi_definitions
from toolchain.cache import Cache

__all__ = ["home", "no_acls_for_the_next_module", "runtime", "sandbox"]


@pytest.fixture(scope="session")
def daemon(tmp_path_factory: pytest.TempPathFactory, runtime: KafkaInstallation) -> Iterator[str]:
    """The address of a Docker daemon that has an image with Kafka."""
    packages = Cache.of_user().directory("docker-packages")
    home = tmp_path_factory.mktemp("docker")
    with docker_daemon(packages, home) as address:
        with closing(DockerClient(base_url=address)) as client:
            kafka_image.load(client, DockerSettings().image, runtime, packages)
        yield address


@pytest.fixture
def docker(daemon: str) -> Iterator[DockerClient]:
    with closing(DockerClient(base_url=daemon)) as client:
        yield client


@pytest.fixture(scope="session")
def node(
    tmp_path_factory: pytest.TempPathFactory, runtime: KafkaInstallation
) -> Iterator[KubernetesNode]:
    """A Kubernetes cluster that has an image with Kafka."""
    cache, home = Cache.of_user(), tmp_path_factory.mktemp("kubernetes")
    image = home / "kafka.tar"
    write_kafka_image(KubernetesSettings().image, runtime, cache, image)
    with kubernetes_node(installed_parts(cache, Console()), home) as running:
        running.import_image(image)
        yield running


@pytest.fixture(scope="session")
def reachable(home: Path, runtime: KafkaInstallation, node: KubernetesNode) -> Iterator[Sandbox]:
    """Clusters that pods reach."""
    with reachable_sandbox(home, runtime, node.host_address) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def pulumi_home_with_kubernetes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a double of Pulumi's Kubernetes plugin, unless the official one is installed."""
    return home_with_double(tmp_path_factory.mktemp("pulumi"))


@pytest.fixture(scope="module")
def namespace(objects: ClusterObjects) -> Iterator[None]:
    """A new one: other modules use the same name."""
    manifest = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    objects.delete(manifest)
    objects.apply(manifest)
    yield
    objects.delete(manifest)


@pytest.fixture(scope="module")
def objects(node: KubernetesNode) -> ClusterObjects:
    return ClusterObjects(KubernetesApi.of(node.kubeconfig))


@pytest.fixture(scope="module", params=list(RELEASES))
def version(request: pytest.FixtureRequest, objects: ClusterObjects) -> Iterator[str]:
    """The API server has Strimzi's API in this version only."""
    definitions = strimzi_definitions(request.param, Cache.of_user())
    for definition in definitions:
        objects.apply(definition)
    plurals = {definition["spec"]["names"]["plural"] for definition in definitions}
    eventually(
        lambda: plurals <= _served(objects.api, request.param), "Strimzi's API is served", within=60
    )
    yield request.param
    for definition in definitions:
        objects.delete(definition)


def _served(api: KubernetesApi, version: str) -> set[str]:
    try:
        found = api.call("GET", f"/apis/kafka.strimzi.io/{version}")["resources"]
    except ApiError:
        return set()
    return {each["name"] for each in found}
