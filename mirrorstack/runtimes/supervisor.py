"""The supervisor of one local worker: `python -m mirrorstack.runtimes.supervisor DIRECTORY`.

It starts the worker and restarts it when it dies, and it restarts connectors and tasks that have
FAILED. It outlives the command that started it, ends with the worker when it gets SIGTERM, and
leaves the worker running if it is killed: the next supervisor of the directory adopts it.

A worker that ends before it has answered once is not restarted: whoever waits for the first answer
reports why. Standard output has one line, `ready`, as soon as the worker answers.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from mirrorstack.connect.restarts import RestartLimits
from mirrorstack.local.java_properties import load
from mirrorstack.local.lock import file_lock
from mirrorstack.mm2.dedicated.config import is_dedicated
from mirrorstack.runtimes.dedicated_process import FAILURES, DedicatedProcess
from mirrorstack.runtimes.local_worker import READY, SUPERVISOR_MARK
from mirrorstack.runtimes.supervised_worker import WORKER_LIMITS, SupervisedWorker
from mirrorstack.runtimes.worker_rest import WorkerRest

LOG, LOG_BYTES = "supervisor.log", 1_000_000
LOCK = "supervisor.lock"
STARTING_SECONDS, RUNNING_SECONDS = 0.2, 2.0
CHECK_SECONDS = 5.0
"""Between two questions for the statuses of the connectors."""

log = logging.getLogger(__name__)


class Supervisor:
    """Decides, step by step, what to do with one worker and its connectors."""

    def __init__(
        self,
        worker: SupervisedWorker,
        rest: WorkerRest | DedicatedProcess,
        *,
        on_ready: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        limits: RestartLimits = WORKER_LIMITS,
    ) -> None:
        self._worker = worker
        self._rest = rest
        self._on_ready = on_ready
        self._clock = clock
        self._limits = limits
        self._ready = False
        self._ever_ready = False
        self._attempts = 0
        self._running_since = 0.0
        self._due: float | None = None
        """When a dead worker is restarted; None while it runs."""
        self._waits_for_brokers = False
        self._checked = float("-inf")

    @property
    def pause(self) -> float:
        """Seconds until the next step."""
        return RUNNING_SECONDS if self._ready or self._due is not None else STARTING_SECONDS

    def begin(self) -> None:
        """Adopt the worker if it runs, else start it."""
        if self._worker.adopt():
            log.info("adopted the running worker, process %s", self._worker.pid)
            self._become_ready()
        else:
            self._launch()

    def step(self) -> bool:
        """Look once; False when there is nothing to supervise any more."""
        now = self._clock()
        if not self._worker.has_files:
            log.info("the files of the worker were removed: stopping it")
            self._worker.stop()
            return False
        if self._worker.is_alive:
            self._look_after(now)
            return True
        return self._restart_worker(now)

    def _look_after(self, now: float) -> None:
        if not self._ready:
            if not self._rest.answers():
                return
            self._become_ready()
        if self._attempts and now - self._running_since >= self._limits.reset_seconds:
            self._attempts = 0
        if now - self._checked >= CHECK_SECONDS:
            self._checked = now
            for line in self._rest.restart_failed(now):
                log.info(line)

    def _become_ready(self) -> None:
        self._ready = self._ever_ready = True
        self._running_since = self._clock()
        log.info("the worker answers, process %s", self._worker.pid)
        self._on_ready()

    def _restart_worker(self, now: float) -> bool:
        if self._due is None:
            self._ready = False
            log.info("the worker ended: %s", self._worker.reap())
            if not self._ever_ready:
                log.info("it never answered, so it is not restarted")
                return False
            self._due = now + self._limits.pause(self._attempts)
        if now < self._due or not self._target_accepts_connections():
            return True
        self._attempts += 1
        log.info("restarting the worker, attempt %s", self._attempts)
        try:
            self._launch()
        except (OSError, ValueError) as error:  # Java, or the worker's files, are not there
            log.info("the worker cannot be started: %s", error)
            self._due = now + self._limits.pause(self._attempts)
        return True

    def _target_accepts_connections(self) -> bool:
        """Without brokers a worker only ends again: wait without starting Java."""
        missing = not self._worker.brokers_accept_connections()
        if missing and not self._waits_for_brokers:
            log.info("waiting for the target cluster: no broker accepts connections")
        self._waits_for_brokers = missing
        return not missing

    def _launch(self) -> None:
        self._worker.launch()
        self._due = None
        log.info("started the worker, process %s", self._worker.pid)


def main(arguments: list[str]) -> int:
    directory = Path(arguments[0].removeprefix(SUPERVISOR_MARK))
    _log_to(directory / LOG)
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    try:
        with file_lock(directory / LOCK, timeout=0):
            return _supervise(directory, stopped)
    except TimeoutError:
        log.info("another supervisor of this worker is running")
        return 1
    except Exception:
        log.exception("the supervisor failed")
        raise


def _supervise(directory: Path, stopped: threading.Event) -> int:
    worker = SupervisedWorker(directory)
    supervisor = Supervisor(worker, _rest(directory, worker), on_ready=_print_ready)
    supervisor.begin()
    while not stopped.wait(supervisor.pause):
        if not supervisor.step():
            return 1
    log.info("stopping the worker")
    worker.stop()
    return 0


def _rest(directory: Path, worker: SupervisedWorker) -> WorkerRest | DedicatedProcess:
    config = {each.key: each.value for each in load((directory / "worker.properties").read_bytes())}
    if is_dedicated(config):
        return DedicatedProcess(config["listeners"], directory / FAILURES, worker.kill)
    return WorkerRest.of(directory)


def _print_ready() -> None:
    """Once: standard output is the pipe of whoever started this process, who may be gone."""
    with suppress(OSError):
        os.write(sys.stdout.fileno(), READY)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


def _log_to(file: Path) -> None:
    os.umask(0o077)
    handler = RotatingFileHandler(file, maxBytes=LOG_BYTES, backupCount=1)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
