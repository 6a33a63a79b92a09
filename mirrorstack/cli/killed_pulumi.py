"""What a killed Pulumi leaves behind: its lock on the stack, and its plugin processes.

The Automation API has `cancel`, which removes a lock whoever holds it. Who holds it, and whether
that process is alive, is only in the lock file of a file backend, so it is read here.
"""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil

PROJECT = "mirrorstack"
PLUGINS = ("pulumi-resource-", "pulumi-language-", "pulumi.dynamic")


@dataclass(frozen=True)
class StackLock:
    """Pulumi's lock on a stack in a file backend: who holds it."""

    pid: int
    host: str
    user: str

    def is_stale(self) -> bool:
        if self.host != socket.gethostname():
            return False
        try:
            holder = psutil.Process(self.pid)
            # The id may have been reused by another program, or belong to a zombie.
            return "pulumi" not in holder.name() or holder.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True


def read_locks(backend: str, stack: str) -> list[StackLock]:
    """The locks of a stack in a file backend; other backends manage their own."""
    address = urlsplit(backend)
    if address.scheme != "file":
        return []
    directory = Path(address.path, ".pulumi", "locks", "organization", PROJECT, stack)
    locks = [json.loads(file.read_text()) for file in directory.glob("*.json")]
    return [StackLock(lock["pid"], lock["hostname"], lock["username"]) for lock in locks]


def end_orphaned_plugins(root: Path) -> int:
    """End the plugins of this clone whose Pulumi is dead; returns their number.

    A plugin runs in its project's directory, and is a child of init once its parent is dead.
    """
    ended = 0
    for process in psutil.process_iter():
        try:
            command_line = " ".join(process.cmdline())
            is_plugin = any(name in command_line for name in PLUGINS)
            if is_plugin and Path(process.cwd()) == root and process.ppid() == 1:
                process.kill()
                ended += 1
        except psutil.Error:
            continue
    return ended
