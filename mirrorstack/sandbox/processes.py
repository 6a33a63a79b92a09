"""The sandbox's processes, found in the process table by a mark on their command line.

The process table is the truth. A pid file would be missing after an interrupted `up` and could
name a stranger after a reboot; the mark is there from the first moment and belongs to nobody
else, so only what carries it is ever ended.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import psutil

from mirrorstack.findings import UserError

MARK = "-Dmirrorstack.node="
FORMATTING = "-Dmirrorstack.task=format"
GRACE_SECONDS = 25.0
KILL_SECONDS = 10.0
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class NodeProcess:
    """One running java of a sandbox."""

    process: psutil.Process
    directory: Path
    """The node's directory: <home>/sandbox/<name>/<cluster>/<node>."""
    formatting: bool
    """True for the short-lived tool that prepares the data directory, False for a broker."""

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def sandbox(self) -> str:
        return self.directory.parents[1].name

    @property
    def started_at(self) -> float:
        return self.process.create_time()

    @property
    def lives(self) -> bool:
        # A child that ended stays in the table until its parent asks: that is not alive.
        try:
            return self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False


def mark(directory: Path) -> str:
    return f"{MARK}{directory}"


def as_node(process: psutil.Process) -> NodeProcess | None:
    """The process as one of a sandbox's, or None if it is not."""
    try:
        arguments = process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
        return None
    # `pgrep -f -- -Dmirrorstack.node=...` carries the mark too; a broker is a java.
    if not arguments or not Path(arguments[0]).name.startswith("java"):
        return None
    marks = [argument for argument in arguments if argument.startswith(MARK)]
    if not marks:
        return None
    return NodeProcess(process, Path(marks[0].removeprefix(MARK)), FORMATTING in arguments)


def below(directory: Path) -> list[NodeProcess]:
    """Every process of the nodes below a directory, brokers and formatting tools alike."""
    found = (as_node(process) for process in psutil.process_iter())
    return [node for node in found if node and directory in node.directory.parents]


def end(nodes: Iterable[NodeProcess], *, grace: float = GRACE_SECONDS) -> int:
    """Ask them to end, wait, and kill those that do not. Returns how many there were."""
    found = list(nodes)
    for node in found:
        _signal(node.process, kill=False)
    stubborn = _alive_after(found, grace)
    for node in stubborn:
        _signal(node.process, kill=True)
    immortal = _alive_after(stubborn, KILL_SECONDS)
    if immortal:
        pids = ", ".join(str(node.pid) for node in immortal)
        raise UserError(
            f"these processes of the sandbox did not end within {KILL_SECONDS:.0f} s of SIGKILL: "
            f"{pids}",
            "they wait for the disk or for a debugger; look with `ps -o pid,stat,wchan -p <pid>`",
        )
    return len(found)


def _alive_after(nodes: list[NodeProcess], seconds: float) -> list[NodeProcess]:
    """Wait until all have ended; those that have not when the time is over."""
    deadline = time.monotonic() + seconds
    alive = nodes
    while (alive := [node for node in alive if node.lives]) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    # Takes those that we started ourselves out of the process table. Others' ended children stay
    # there until their parent asks: psutil would wait for that in vain.
    psutil.wait_procs([node.process for node in nodes if node not in alive], timeout=0)
    return alive


def _signal(process: psutil.Process, *, kill: bool) -> None:
    # psutil compares the start time first, so a reused pid is never signalled.
    try:
        process.kill() if kill else process.terminate()
    except psutil.NoSuchProcess:
        return
