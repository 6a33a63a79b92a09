"""Killing local workers without their supervisors bringing them back."""

from __future__ import annotations

import psutil

from mirrorstack.runtimes.local_worker import LocalWorker
from tests.integration.conftest import eventually


def kill_supervisor(worker: LocalWorker) -> None:
    """The worker runs on, and nothing restarts it or what has FAILED on it."""
    if supervisor := worker.supervisor():
        supervisor.kill()
    eventually(lambda: worker.supervisor() is None, f"the supervisor of {worker.name} is gone")


def kill_worker(worker: LocalWorker) -> None:
    """As a reboot does: the supervisor and the worker are gone."""
    kill_supervisor(worker)
    if process := worker.process():
        process.kill()
    eventually(lambda: worker.process() is None, f"{worker.name} is gone")


def running(worker: LocalWorker) -> psutil.Process:
    process = worker.process()
    assert process is not None, f"{worker.name} does not run"
    return process
