"""Ports for the REST APIs of the workers that a stack starts."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.findings import UserError
from mirrorstack.local.ports import is_free
from mirrorstack.runtimes.base import DeployedWorkers

FIRST_PORT, LAST_PORT = 18083, 20000


class RestPorts:
    """Chosen without writing anything down: a preview and the deployment after it arrive at the
    same ports, as long as they are free."""

    def __init__(self) -> None:
        self._chosen: set[int] = set()

    def of_workers(
        self, target: str, settings: WorkerSettings, deployed: DeployedWorkers | None, seed: str
    ) -> range:
        """One for each worker, in a row. Those of deployed workers stay. `seed` tells stacks of the
        same machine apart: they start to search at different ports."""
        first = self._first(target, settings, deployed, seed)
        ports = range(first, first + settings.count)
        self._chosen |= set(ports)
        return ports

    def _first(
        self, target: str, settings: WorkerSettings, deployed: DeployedWorkers | None, seed: str
    ) -> int:
        if settings.rest_port is not None:
            return settings.rest_port
        if deployed is not None and (port := urlsplit(deployed.rest_url).port):
            return port
        return self._free(target, settings.count, seed)

    def _free(self, target: str, count: int, seed: str) -> int:
        """The first of `count` free ports in a row."""
        candidates = range(FIRST_PORT, LAST_PORT - count + 1, count)
        digest = hashlib.sha256(seed.encode()).digest()
        start = int.from_bytes(digest[:4], "big") % len(candidates)
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
