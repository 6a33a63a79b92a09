"""The sandbox of the integration tests, and a Docker daemon beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from docker import DockerClient

from mirrorstack.config.docker_workers import DockerSettings
from mirrorstack.local.kafka_installation import KafkaInstallation
from tests.integration.conftest import home, no_acls_for_the_next_module, runtime, sandbox
from tests.platforms import kafka_image
from tests.platforms.dockerd import docker_daemon
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
