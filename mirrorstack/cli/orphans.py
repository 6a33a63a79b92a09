"""Plugins that a killed Pulumi left running."""

from __future__ import annotations

from pathlib import Path

import psutil

PLUGINS = ("pulumi-resource-", "pulumi-language-", "pulumi.dynamic")


def end_orphans(root: Path) -> int:
    """End the plugins of this clone whose Pulumi is gone; returns how many there were.

    A plugin runs in its project's directory, and belongs to the system once its parent is dead.
    """
    ended = 0
    for process in psutil.process_iter():
        try:
            line = " ".join(process.cmdline())
            ours = any(name in line for name in PLUGINS) and Path(process.cwd()) == root
            if ours and process.ppid() == 1:
                process.kill()
                ended += 1
        except psutil.Error:
            continue
    return ended
