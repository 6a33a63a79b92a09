"""The stacks that a stack names as its peers, read from their files.

Two stacks that are deployed one after the other can break each other without a word: a ring across
them, or one worker group for both. So each names the other, and they are looked at together.
"""

from __future__ import annotations

from pathlib import Path

from mirrorstack.config.settings import StackSettings
from mirrorstack.config.stack_file import read_stack


def read_peers(settings: StackSettings, own: Path) -> dict[str, StackSettings]:
    """By file name: the stack's peers, their peers, and so on. `own` is the stack's own file."""
    found: dict[str, StackSettings] = {}
    waiting = [(own.name, peer) for peer in settings.peers]
    while waiting:
        said_by, peer = waiting.pop(0)
        if peer == own.name or peer in found:
            continue
        found[peer] = read_stack(
            own.parent / peer,
            named_by=f"{said_by}: mirrorstack:peers names {peer}, and ",
            fix="name a stack file of the same directory, such as Pulumi.dr.yaml",
        )
        waiting += [(peer, further) for further in found[peer].peers]
    return found
