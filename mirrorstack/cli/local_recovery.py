"""Brings back what a reboot ended: the sandboxes and the local Connect workers of a stack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.config.settings import StackSettings
from mirrorstack.config.stack_file import read_stack, stack_path
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.runtimes.local_worker import READY_SECONDS, LocalWorker, all_below
from mirrorstack.sandbox.sandbox import Sandbox, all_names


@dataclass(frozen=True)
class LocalRecovery:
    """What was started, by name."""

    sandboxes: list[str]
    workers: list[str]


NOTHING = LocalRecovery([], [])


def start_local_processes(stack: str, home: Path, stacks: Path, console: Console) -> LocalRecovery:
    """Start those sandboxes and workers of the stack that do not run; the files of the previous
    deployment say how. Does nothing for a stack without workers on this machine."""
    workers = [worker for worker in all_below(home) if worker.stack == stack]
    if not workers:
        return NOTHING
    names = _sandboxes(read_stack(stack_path(stack, stacks)))
    if deleted := sorted(names - set(all_names(home))):
        raise UserError(
            f"the sandbox {deleted[0]!r} of stack {stack} no longer exists",
            f"create it with `mirrorstack sandbox up --name {deleted[0]}`, then run `pulumi up -s "
            f"{stack} --refresh --run-program`",
        )
    sandboxes = [Sandbox(name, home_directory=home, console=console) for name in sorted(names)]
    started = [each for each in sandboxes if not each.status().running]
    for sandbox in started:
        sandbox.up(installed_kafka())
    return LocalRecovery(
        [sandbox.layout.name for sandbox in started], _start_workers(workers, console)
    )


def _sandboxes(settings: StackSettings) -> set[str]:
    return {each.sandbox for each in settings.clusters.values() if each.sandbox is not None}


def _start_workers(workers: Iterable[LocalWorker], console: Console) -> list[str]:
    stopped = [worker for worker in workers if worker.supervisor() is None]
    for worker in stopped:
        with console.step(f"starting the Connect worker {worker.name}"):
            worker.wait_until_ready(worker.start(), READY_SECONDS)
    return [worker.name for worker in stopped]
