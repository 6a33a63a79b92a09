"""The stacks that a stack names as its peers, read from their files.

Two stacks that are deployed one after the other can break each other without a word: a ring across
them, or one worker group for both. So each names the other, and they are looked at together.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from mirrorstack.model.passwords import SUFFIX
from mirrorstack.model.settings import StackSettings, parse
from mirrorstack.problem import Problem


def read_peers(settings: StackSettings, own: Path) -> dict[str, StackSettings]:
    """By file name: the stack's peers, their peers, and so on. `own` is the stack's own file."""
    found: dict[str, StackSettings] = {}
    waiting = [(own.name, peer) for peer in settings.peers]
    while waiting:
        said_by, peer = waiting.pop(0)
        if peer == own.name or peer in found:
            continue
        found[peer] = _read(own.parent / peer, said_by)
        waiting += [(peer, further) for further in found[peer].peers]
    return found


def _read(file: Path, said_by: str) -> StackSettings:
    try:
        content = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no YAML"
        raise Problem(
            f"{said_by}: mirrorstack:peers names {file.name}, and {file} cannot be read: {reason}.",
            "name a stack file of the same directory, such as Pulumi.dr.yaml",
        ) from None
    return parse(_own_keys(content, file), str(file))


def _own_keys(content: Any, file: Path) -> dict[str, Any]:
    """What stands below `config:` in the namespace that has flows, without passwords."""
    below = content.get("config") if isinstance(content, dict) else None
    config: dict[str, Any] = below if isinstance(below, dict) else {}
    spaces = [key.partition(":")[0] for key in config if key.endswith(":flows")]
    if not spaces:
        raise Problem(
            f"{file} declares no flows, so it is no peer.",
            "name the file of a stack that has `mirrorstack:flows` below `config:`",
        )
    return {
        key.partition(":")[2]: value
        for key, value in config.items()
        if key.startswith(f"{spaces[0]}:") and not key.endswith(SUFFIX)
    }
