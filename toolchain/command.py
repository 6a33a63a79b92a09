"""Running other programs; the end of their output is kept for error messages."""

from __future__ import annotations

import os
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from toolchain.part import Unavailable

LINES_KEPT = 12


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] = lambda line: None,
) -> None:
    """Run a command, passing on each output line; Unavailable, with its last lines, if it fails."""
    last: deque[str] = deque(maxlen=LINES_KEPT)
    try:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            close_fds=False,  # only the locks of the cache are inheritable
        )
    except OSError as error:
        raise Unavailable(f"{command[0]} cannot be started: {error.strerror}") from error
    with process:
        assert process.stdout is not None  # noqa: S101 - PIPE above
        for line in process.stdout:
            if line.strip():
                last.append(line.rstrip())
                on_line(line.rstrip())
    if process.returncode != 0:
        *before, final = last or ["no output"]
        more = "".join(f"\n      {line}" for line in before)
        name = Path(command[0]).name
        raise Unavailable(f"{name} exited with {process.returncode}: {final}{more}")


def output_of(command: Sequence[str | Path], timeout: float = 30.0) -> str:
    """Output of a quick command (some print their version to standard error); empty if it fails."""
    try:
        ended = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            timeout=timeout,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return f"{ended.stdout}{ended.stderr}" if ended.returncode == 0 else ""
