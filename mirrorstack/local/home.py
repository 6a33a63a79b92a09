"""The repository's root, and the directory in which Mirrorstack keeps its files."""

from __future__ import annotations

import os
from pathlib import Path

from mirrorstack.findings import UserError

HOME_VARIABLE = "MIRRORSTACK_HOME"
ROOT = Path(__file__).resolve().parents[2]


def home() -> Path:
    """`MIRRORSTACK_HOME`, or `.mirrorstack` in this clone of the repository."""
    configured = os.environ.get(HOME_VARIABLE)
    if not configured and not (ROOT / "pyproject.toml").is_file():
        raise UserError(
            f"{HOME_VARIABLE} is not set, and {ROOT} is not a clone of the repository",
            f"export {HOME_VARIABLE}=<a directory that you may write to>",
        )
    # Resolved, because the path also marks the command lines of running brokers and workers.
    path = (Path(configured).expanduser() if configured else ROOT / ".mirrorstack").resolve()
    if "," in str(path):
        # Kafka's log.dirs is a comma-separated list without an escape character.
        raise UserError(
            f"{HOME_VARIABLE} is {path}; Kafka's `log.dirs` does not allow a comma in a path",
            f"export {HOME_VARIABLE}=<a directory without a comma in its path>",
        )
    return path
