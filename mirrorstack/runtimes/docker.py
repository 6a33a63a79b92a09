"""The docker runtime: Connect workers as containers on one Docker host."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from mirrorstack.config.docker_workers import HOST_NETWORK, DockerSettings
from mirrorstack.config.workers import WorkerSettings, connect_password_key
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.findings import Finding
from mirrorstack.local.ports import ADDRESS
from mirrorstack.mm2.worker_configs import FILE_PROVIDER
from mirrorstack.mm2.worker_group import ConnectorNaming
from mirrorstack.runtimes.base import DeployedWorkers, Runtime, WorkerPlacement
from mirrorstack.runtimes.docker_daemon import daemon_findings, stop_containers
from mirrorstack.runtimes.rest_ports import RestPorts
from mirrorstack.runtimes.worker_container import EVERY_ADDRESS
from mirrorstack.runtimes.worker_files import BASIC_AUTH, REST_USER

DEFAULT_DAEMON = "unix:///var/run/docker.sock"
DIRECTORY = PurePosixPath("/etc/mirrorstack")
"""In the container, for the worker's files."""
SECRETS = DIRECTORY / "secrets.properties"


class DockerRuntime(Runtime):
    """The containers of a target are named `mirrorstack-<stack>-<target>-<number>`."""

    def __init__(self, stack: str, home: Path) -> None:
        super().__init__(stack, home)
        self._ports = RestPorts()
        self._listeners: dict[str, Mapping[str, str]] = {}

    def place_workers(
        self, target: str, settings: WorkerSettings, deployed: DeployedWorkers | None
    ) -> WorkerPlacement:
        docker, name = settings.docker, f"mirrorstack-{self.stack}-{target}"
        daemon = docker.host or os.environ.get("DOCKER_HOST") or DEFAULT_DAEMON
        address = docker.address or urlsplit(daemon).hostname or ADDRESS
        ports = self._ports.of_workers(target, settings, deployed, name)
        urls = [f"http://{address}:{port}" for port in ports]
        for number, (url, port) in enumerate(zip(urls, ports, strict=True), start=1):
            self._listeners[url] = _listener(docker, address, port, f"{name}-{number}")
        return WorkerPlacement(
            rest_urls=tuple(urls),
            login=RestLogin(username=REST_USER, password_key=connect_password_key(target))
            if settings.connector_naming is ConnectorNaming.STACK
            else RestLogin(),
            options={
                "name": name,
                "daemon": daemon,
                "image": docker.image,
                "network": docker.network or "",
                "publish": _bound_address(address),
            },
        )

    def secret_reference(self, _target: str, alias: str) -> str:
        return f"${{file:{SECRETS}:{alias}}}"

    def worker_properties(self, rest_url: str) -> Mapping[str, str]:
        return {
            **self._listeners[rest_url],
            "rest.extension.classes": BASIC_AUTH,
            "config.providers": "file",
            "config.providers.file.class": FILE_PROVIDER,
        }

    def check_host(
        self, placement: WorkerPlacement, target: str, _aliases: Sequence[str]
    ) -> Iterable[Finding]:
        options = placement.options
        return daemon_findings(options["daemon"], options["image"], options["network"], target)

    @classmethod
    def stop_workers(cls, options: Mapping[str, str]) -> None:
        stop_containers(options["daemon"], options["name"])


def _listener(docker: DockerSettings, address: str, port: int, container: str) -> dict[str, str]:
    """Workers forward requests to the leader of their group, so each needs an address that the
    others reach: with a network of their own, the name of its container."""
    if docker.network == HOST_NETWORK:
        bound, advertised = _bound_address(address), address
    else:
        bound, advertised = EVERY_ADDRESS, container
    return {
        "listeners": f"http://{bound}:{port}",
        "rest.advertised.host.name": advertised,
        "rest.advertised.port": str(port),
    }


def _bound_address(address: str) -> str:
    """A host name may mean another address on the Docker host."""
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        return EVERY_ADDRESS
