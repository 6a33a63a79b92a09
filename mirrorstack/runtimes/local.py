"""The local-process runtime: Connect workers as processes of this machine."""

from __future__ import annotations

import hashlib
from pathlib import Path
from urllib.parse import urlsplit

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.findings import UserError
from mirrorstack.local.ports import ADDRESS, is_free
from mirrorstack.mm2.worker_configs import FILE_PROVIDER
from mirrorstack.runtimes.base import DeployedWorkers, Runtime, WorkerPlacement
from mirrorstack.runtimes.local_worker import credentials_file, secrets_file

BASIC_AUTH = "org.apache.kafka.connect.rest.basic.auth.extension.BasicAuthSecurityRestExtension"
FIRST_PORT, LAST_PORT = 18083, 20000


class LocalRuntime(Runtime):
    """Each worker has a directory of its own in `<home>/workers/<stack>/<target>/`."""

    def __init__(self, stack: str, home: Path) -> None:
        super().__init__(stack, home)
        self._chosen: set[int] = set()

    def place_workers(
        self, target: str, settings: WorkerSettings, deployed: DeployedWorkers | None
    ) -> WorkerPlacement:
        first = self._first_port(target, settings, deployed)
        ports = range(first, first + settings.count)
        self._chosen |= set(ports)
        directory = self.directory(target)
        return WorkerPlacement(
            rest_urls=tuple(f"http://{ADDRESS}:{port}" for port in ports),
            login=RestLogin(credentials_file=str(credentials_file(directory))),
            options={"directory": str(directory)},
        )

    def secret_reference(self, target: str, alias: str) -> str:
        return f"${{file:{secrets_file(self.directory(target))}:{alias}}}"

    def worker_properties(self, rest_url: str) -> dict[str, str]:
        return {
            "listeners": rest_url,
            "rest.extension.classes": BASIC_AUTH,
            "config.providers": "file",
            "config.providers.file.class": FILE_PROVIDER,
        }

    def directory(self, target: str) -> Path:
        return self.home / "workers" / self.stack / target

    def _first_port(
        self, target: str, settings: WorkerSettings, deployed: DeployedWorkers | None
    ) -> int:
        if settings.rest_port is not None:
            return settings.rest_port
        if deployed is not None and (port := urlsplit(deployed.rest_url).port):
            return port
        return self._free_port(target, settings.count)

    def _free_port(self, target: str, count: int) -> int:
        """The first of `count` free ports in a row. Chosen without writing anything down: a
        preview and the deployment after it arrive at the same ports, as long as they are free.
        Stacks of the same machine start to search at different ports."""
        candidates = range(FIRST_PORT, LAST_PORT - count + 1, count)
        seed = hashlib.sha256(f"{self.directory(target)}".encode()).digest()
        start = int.from_bytes(seed[:4], "big") % len(candidates)
        for index in range(len(candidates)):
            first = candidates[(start + index) % len(candidates)]
            ports = range(first, first + count)
            if self._chosen.isdisjoint(ports) and all(is_free(port) for port in ports):
                return first
        raise UserError(
            f"workers.{target}: no {count} free ports in a row between {FIRST_PORT} and "
            f"{LAST_PORT} for the REST API of the Connect workers.",
            f"set `rest-port` under `mirrorstack:workers.{target}`, or end processes that listen "
            "there",
            path=("workers", target, "rest-port"),
            cluster=target,
        )
