"""`workers.<target>.docker` of a stack file: Connect workers in containers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from mirrorstack.config.base import SettingsModel, Text
from mirrorstack.findings import Finding, KeyPath

HOST_NETWORK = "host"
DAEMONS = ("unix", "ssh", "tcp")
# A reference as `docker pull` takes it: registry and path, then a tag or a digest.
IMAGE = re.compile(r"[\w.-]+(:\d+)?(/[\w.-]+)*(:[\w.-]+)?(@sha256:[0-9a-f]{64})?")


class DockerSettings(SettingsModel):
    """Containers on one Docker host."""

    host: Text | None = None
    """Docker daemon: `unix:///path`, `ssh://user@host` or `tcp://host:port`. Default: `DOCKER_HOST`
    in the environment, or `unix:///var/run/docker.sock`."""
    image: Text = "apache/kafka:4.3.1"
    """Image with Kafka in `/opt/kafka`, as the official one has it. It is pulled where the daemon
    does not have it."""
    network: Text | None = None
    """`host`, or the name of a network that exists. Default: a network that the stack creates. The
    brokers have to be reachable from there at the addresses that they advertise."""
    address: Text | None = None
    """Address of the Docker host at which the REST ports are published. Default: 127.0.0.1, or the
    host name in `host`."""


def check_docker(
    target: str, settings: DockerSettings, path: KeyPath, *, sandbox: bool
) -> Iterator[Finding]:
    """`sandbox`: whether the workers reach clusters of a sandbox."""
    if settings.host is not None and not _is_daemon(settings.host):
        yield Finding.at(
            (*path, "host"),
            f'"{settings.host}" is not the address of a Docker daemon',
            "write unix:///var/run/docker.sock, ssh://user@host or tcp://host:port",
            cluster=target,
        )
    if not IMAGE.fullmatch(settings.image):
        yield Finding.at(
            (*path, "image"),
            f'"{settings.image}" is not the name of an image',
            "write it such as apache/kafka:4.3.1 or registry.example:5000/kafka:4.3.1",
            cluster=target,
        )
    if sandbox and settings.network != HOST_NETWORK:
        yield Finding.at(
            (*path, "network"),
            "the brokers of a sandbox listen on 127.0.0.1, which is not this machine in a container"
            " with a network of its own",
            "set `network: host`",
            cluster=target,
        )


def _is_daemon(host: str) -> bool:
    parts = urlsplit(host)
    if parts.scheme == "unix":
        return parts.path.startswith("/") and not parts.netloc
    return parts.scheme in DAEMONS and bool(parts.hostname)
