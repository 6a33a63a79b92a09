"""The local-process runtime: Connect workers as processes of this machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.local.ports import ADDRESS
from mirrorstack.mm2.worker_configs import FILE_PROVIDER
from mirrorstack.mm2.worker_group import ConnectorNaming
from mirrorstack.runtimes.base import DeployedWorkers, Runtime, WorkerPlacement
from mirrorstack.runtimes.local_worker import (
    READY_SECONDS,
    LocalWorker,
    credentials_file,
    secrets_file,
)
from mirrorstack.runtimes.rest_ports import RestPorts
from mirrorstack.runtimes.worker_files import BASIC_AUTH


class LocalRuntime(Runtime):
    """Each worker has a directory of its own in `<home>/workers/<stack>/<target>/`."""

    reads_local_files = True

    def __init__(self, stack: str, home: Path) -> None:
        super().__init__(stack, home)
        self._ports = RestPorts()

    def place_workers(
        self, target: str, settings: WorkerSettings, deployed: DeployedWorkers | None
    ) -> WorkerPlacement:
        directory = self.directory(target)
        ports = self._ports.of_workers(target, settings, deployed, str(directory))
        return WorkerPlacement(
            rest_urls=tuple(f"http://{ADDRESS}:{port}" for port in ports),
            login=RestLogin(credentials_file=str(credentials_file(directory)))
            if settings.connector_naming is ConnectorNaming.STACK
            else RestLogin(),
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

    @classmethod
    def stop_workers(cls, options: Mapping[str, str]) -> None:
        for worker in _workers(options):
            worker.stop()

    @classmethod
    def restart_workers(cls, options: Mapping[str, str]) -> None:
        for worker in _workers(options):
            worker.stop()
            worker.wait_until_ready(worker.start(), READY_SECONDS)

    def directory(self, target: str) -> Path:
        return self.home / "workers" / self.stack / target


def _workers(options: Mapping[str, str]) -> list[LocalWorker]:
    """Those that were placed with these options."""
    files = sorted(Path(options["directory"]).glob("*/worker.properties"))
    return [LocalWorker(file.parent) for file in files]
