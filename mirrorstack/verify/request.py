"""What to verify, ordered from a process that has no need of Spark itself.

Nothing here imports Spark: every preview would wait for that.
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
    """What to verify; how, the settings say."""

    stack: str
    settings: Mapping[str, Any]
    """As `StackSettings.declared` has it."""
    passwords: Mapping[str, str]
    directory: str
    """Where the report goes."""


def run(
    order: VerifyRequest, show: Callable[[str], None] = lambda line: print(line, flush=True)
) -> str:
    """The summary, when the copy is equal; else a Problem that has it. `show` hears how it goes."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-m", JOB], stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as job:
        heard: list[str] = []
        listener = threading.Thread(target=_listen, args=(job.stderr, heard, show))
        listener.start()
        with job.stdin as asked, job.stdout as answered:  # type: ignore[union-attr]
            json.dump(asdict(order), asked)
            asked.close()
            told = answered.read().strip()
        listener.join()
    if job.returncode != 0:
        told = told or (heard[-1] if heard else f"the verification ended with {job.returncode}")
        raise UserError(
            # Pulumi puts words of its own before the first line, where a table would be shifted.
            f"The copy was not proven equal.\n\n{told}",
            f"see report.html in {order.directory}; `mirrorstack verify -s {order.stack}` looks "
            "again, and so does the next `pulumi up`",
        )
    return told


def _listen(stream: IO[str], heard: list[str], show: Callable[[str], None]) -> None:
    for line in stream:
        if text := line.strip():
            heard.append(text)
            show(text)


def report_directory(stack: str) -> Path:
    """Where the reports of a stack are kept."""
    return home() / "verify" / stack
