"""What to verify, ordered from a process that has no need of Spark itself.

Nothing here imports Spark: every preview would wait for that.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mirrorstack.problem import Problem
from mirrorstack.sandbox.layout import home

JOB = "mirrorstack.verify.job"


@dataclass(frozen=True)
class Order:
    """What to verify, and how."""

    stack: str
    settings: Mapping[str, Any]
    """As `StackSettings.declared` has it."""
    passwords: Mapping[str, str]
    directory: str
    """Where the report goes."""
    wait_seconds: float = 60.0
    rpo_seconds: float | None = None
    master: str | None = None


def run(order: Order) -> str:
    """The summary, when the copy is equal; else a Problem that has it."""
    done = subprocess.run(
        [sys.executable, "-m", JOB],
        input=json.dumps(asdict(order)),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Problem(
            (done.stdout.strip() or done.stderr.strip().splitlines()[-1]).strip(),
            f"see report.html in {order.directory}; `mirrorstack verify -s {order.stack}` looks "
            "again, and so does the next `pulumi up`",
        )
    return done.stdout.strip()


def directory_of(stack: str) -> Path:
    """Where the reports of a stack are kept."""
    return home() / "verify" / stack
