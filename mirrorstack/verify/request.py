"""Runs a verification in a process of its own.

Nothing here imports Spark, because every preview would wait for that import.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from mirrorstack.findings import UserError
from mirrorstack.local.home import home

JOB = "mirrorstack.verify.job"


@dataclass(frozen=True)
class VerifyRequest:
    """What `job` reads from stdin."""

    stack: str
    settings: Mapping[str, Any]
    """`StackSettings.declared`."""
    connections: Mapping[str, Any]
    """From `planning.connections.connections_as_json`, with passwords."""
    directory: str
    """Where the report is written."""


def run(
    request: VerifyRequest, show: Callable[[str], None] = lambda line: print(line, flush=True)
) -> str:
    """Returns the summary if source and target are equal, else raises a UserError with it. `show`
    is called with each line of progress."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-m", JOB], stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as job:
        progress: list[str] = []
        listener = threading.Thread(target=_listen, args=(job.stderr, progress, show))
        listener.start()
        with job.stdin as stdin, job.stdout as stdout:  # type: ignore[union-attr]
            json.dump(asdict(request), stdin)
            stdin.close()
            result = stdout.read().strip()
        listener.join()
    if job.returncode != 0:
        last_line = progress[-1] if progress else f"exit status {job.returncode}"
        raise UserError(
            # Pulumi prefixes the first line, which would shift the heading of a table.
            f"Verification failed.\n\n{result or last_line}",
            f"open report.html in {request.directory}; `mirrorstack verify -s {request.stack}` and "
            "the next `pulumi up` verify again",
        )
    return result


def _listen(stream: IO[str], progress: list[str], show: Callable[[str], None]) -> None:
    for line in stream:
        if text := line.strip():
            progress.append(text)
            show(text)


def report_directory(stack: str) -> Path:
    """The default directory for the reports of a stack."""
    return home() / "verify" / stack
