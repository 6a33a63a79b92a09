"""Processes of this machine, found by a mark on their command line.

The process table is the truth. A pid file would be missing after an interrupted start and could
name an unrelated process after a reboot; the mark is there from the start and is not used by
others, so only processes that carry it are ever stopped.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from mirrorstack.findings import UserError
from mirrorstack.local.polling import poll_until

JAVA, PYTHON = "java", "python"
GRACE_SECONDS = 25.0
KILL_SECONDS = 10.0
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class MarkedProcess:
    """A running process whose command line has an argument `<mark><directory>`."""

    process: psutil.Process
    directory: Path
    arguments: tuple[str, ...] = ()

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def started_at(self) -> float:
        return self.process.create_time()

    @property
    def is_alive(self) -> bool:
        # An ended child stays in the process table until its parent waits for it.
        try:
            return self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False


def with_mark(process: psutil.Process, mark: str, program: str = JAVA) -> MarkedProcess | None:
    """The process with the directory of its mark; None if it does not carry the mark, or runs
    another program."""
    try:
        arguments = process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
        return None
    # `pgrep -f -- <mark>` carries the mark, too.
    if not arguments or not Path(arguments[0]).name.lower().startswith(program):
        return None
    for argument in arguments:
        if argument.startswith(mark):
            return MarkedProcess(process, Path(argument.removeprefix(mark)), tuple(arguments))
    return None


def marked_processes(mark: str, program: str = JAVA) -> list[MarkedProcess]:
    """Every running process of the program that carries the mark."""
    found = (with_mark(process, mark, program) for process in psutil.process_iter())
    return [process for process in found if process and process.is_alive]


def stop_processes(processes: Iterable[MarkedProcess], *, grace: float = GRACE_SECONDS) -> int:
    """Send SIGTERM, wait, and send SIGKILL to those that still run. Returns how many there were."""
    every = list(processes)
    for process in every:
        _signal(process, kill=False)
    still_running = _wait_for_exit(every, grace)
    for process in still_running:
        _signal(process, kill=True)
    unkillable = _wait_for_exit(still_running, KILL_SECONDS)
    if unkillable:
        pids = ", ".join(str(process.pid) for process in unkillable)
        raise UserError(
            f"processes still run {KILL_SECONDS:.0f} s after SIGKILL: {pids}",
            "they wait for the disk or for a debugger: run `ps -o pid,stat,wchan -p <pid>`",
        )
    return len(every)


def _wait_for_exit(processes: list[MarkedProcess], seconds: float) -> list[MarkedProcess]:
    """Wait until all have ended; returns those that still run at the deadline."""
    with suppress(TimeoutError):
        poll_until(
            lambda: not any(process.is_alive for process in processes),
            deadline=time.monotonic() + seconds,
            on_timeout=TimeoutError,
            interval=POLL_SECONDS,
        )
    alive = [process for process in processes if process.is_alive]
    # Reaps our own children. The ended children of others stay in the process table until their
    # parent waits for them: psutil would wait for that in vain.
    psutil.wait_procs([each.process for each in processes if each not in alive], timeout=0)
    return alive


def _signal(process: MarkedProcess, *, kill: bool) -> None:
    # psutil compares the start time first, so a reused pid is never signalled.
    with suppress(psutil.NoSuchProcess):
        process.process.kill() if kill else process.process.terminate()
