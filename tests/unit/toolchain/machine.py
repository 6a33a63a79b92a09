"""What the tests of the toolchain make of this machine: other programs, fewer rights, patience."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE_SECONDS = 20.0

# Root may write where the mode forbids it; without these two capabilities it is like anybody else.
UNPRIVILEGED = (
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
)


def executable(path: Path, script: str) -> Path:
    """A program that is a few lines of shell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def fake_java(home: Path, version: str) -> Path:
    """A Java that can only say its version, as the real ones do on standard error."""
    return executable(home / "bin" / "java", f"""echo 'openjdk version "{version}"' >&2""")


def until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until something holds; it is an error when it does not come to hold in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"still not so after {seconds:.0f} s")
        time.sleep(0.005)
