"""What a Docker daemon says about itself, before anything is deployed to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from mirrorstack.config.docker_workers import HOST_NETWORK
from mirrorstack.findings import Finding, KeyPath, UserError

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.errors import DockerException

TIMEOUT_SECONDS, STOP_SECONDS = 10, 60


def daemon_findings(daemon: str, image: str, network: str, target: str) -> Iterator[Finding]:
    """A preview knows whether the daemon answers, whether it has the image or can find it in the
    registry, and whether the network exists."""
    # Imported where they are needed: most stacks do not use Docker.
    from docker import DockerClient
    from docker.errors import DockerException

    path: KeyPath = ("workers", target, "docker")
    try:
        with closing(DockerClient(base_url=daemon, timeout=TIMEOUT_SECONDS)) as client:
            client.ping()
            yield from _image(client, image, path, target)
            if network not in ("", HOST_NETWORK):
                yield from _network(client, network, path, target)
    except DockerException as error:
        yield Finding.at(
            (*path, "host"),
            f"the Docker daemon at {daemon} does not answer: {_reason(error)}",
            "start it, and check that this user may use it: `docker info` must work; or set `host`",
            cluster=target,
        )


def stop_containers(daemon: str, name: str) -> None:
    """Those of one target, `<name>-<number>`."""
    from docker import DockerClient
    from docker.errors import DockerException

    of_target = re.compile(rf"{re.escape(name)}-\d+")
    try:
        with closing(DockerClient(base_url=daemon, timeout=STOP_SECONDS)) as client:
            for container in client.containers.list():
                if of_target.fullmatch(str(container.name)):
                    container.stop()
    except DockerException as error:
        raise UserError(
            f"the containers {name}-* at {daemon} cannot be stopped: {_reason(error)}",
            "start the Docker daemon and run `pulumi up` again: the new workers must not run "
            "beside the old ones",
        ) from error


def _image(client: DockerClient, image: str, path: KeyPath, target: str) -> Iterator[Finding]:
    from docker.errors import APIError, ImageNotFound

    try:
        client.images.get(image)
    except ImageNotFound:
        try:
            client.images.get_registry_data(image)
        except APIError as error:
            yield Finding.at(
                (*path, "image"),
                f"the daemon does not have {image}, and cannot pull it: {_reason(error)}",
                f"correct the name, or load it with `docker load` or `docker pull {image}`",
                cluster=target,
            )


def _network(client: DockerClient, network: str, path: KeyPath, target: str) -> Iterator[Finding]:
    from docker.errors import NotFound

    try:
        client.networks.get(network)
    except NotFound:
        names = sorted(str(each.name) for each in client.networks.list())
        yield Finding.at(
            (*path, "network"),
            f"the daemon has no network {network}",
            f"create it with `docker network create {network}`, or use one of {', '.join(names)}; "
            "without `network`, the stack creates one",
            cluster=target,
        )


def _reason(error: DockerException) -> str:
    text = getattr(error, "explanation", None) or str(error)
    return str(text).strip().splitlines()[0]
