"""The worker of a supervisor: a child process, or one that an earlier supervisor started."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path

import psutil

from mirrorstack.connect.restarts import RestartLimits
from mirrorstack.local.java_properties import load
from mirrorstack.local.logs import error_lines
from mirrorstack.local.processes import MarkedProcess, stop_processes
from mirrorstack.mm2.dedicated.config import bootstrap_servers
from mirrorstack.runtimes.worker_java import GRACE_SECONDS, LOG, OUTPUT, launch, worker_processes

CONNECT_SECONDS = 1.0
WORKER_LIMITS = RestartLimits()
"""Back-off between restarts of a worker that keeps dying; their number is not limited."""


class SupervisedWorker:
    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._child: subprocess.Popen[bytes] | None = None
        self._adopted: MarkedProcess | None = None

    @property
    def has_files(self) -> bool:
        return (self._directory / "worker.properties").exists()

    @property
    def pid(self) -> int | None:
        process = self._child or self._adopted
        return process.pid if process else None

    @property
    def is_alive(self) -> bool:
        if self._child is not None:
            return self._child.poll() is None
        return self._adopted is not None and self._adopted.is_alive

    def adopt(self) -> bool:
        """Whether a worker of the directory was running already."""
        self._adopted = next(iter(worker_processes(self._directory)), None)
        return self._adopted is not None

    def launch(self) -> None:
        self._adopted = None
        self._child = launch(self._directory)

    def stop(self) -> None:
        self.kill()
        self.reap()

    def kill(self) -> None:
        """Stop the process; the supervisor sees that it ended."""
        found = worker_processes(self._directory)
        # A process that was just started has no command line yet, by which it would be found.
        if self._child and self._child.poll() is None and not found:
            found = [MarkedProcess(psutil.Process(self._child.pid), self._directory)]
        stop_processes(found, grace=GRACE_SECONDS)

    def reap(self) -> str:
        """Remove the ended child from the process table; how it ended, in words."""
        status = self._child.poll() if self._child else None
        how = "exit status unknown" if status is None else f"exit status {status}"
        errors = error_lines([self._directory / LOG, self._directory / OUTPUT], limit=1)
        return "; ".join((how, *errors))

    def brokers_accept_connections(self) -> bool:
        """Whether some bootstrap server of the target cluster does."""
        properties = load((self._directory / "worker.properties").read_bytes())
        servers = bootstrap_servers({each.key: each.value for each in properties})
        return any(_accepts_connections(each.strip()) for each in servers.split(","))


def _accepts_connections(server: str) -> bool:
    host, _, port = server.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS):
            return True
    except (OSError, ValueError):
        return False
