"""Verification as a process of its own: `python -m mirrorstack.verify.job`, its order on stdin.

A Pulumi provider starts it: Spark's Java then ends with the process, and what a provider prints is
not mixed with the answer. Passwords come through stdin, so no process list shows them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from mirrorstack.config.settings import parse
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.verify.interrupts import defer_interrupts, exit_on_interrupt
from mirrorstack.verify.reading.session import LOCAL_MASTER, session
from mirrorstack.verify.report.files import prepare, read_previous_run, write
from mirrorstack.verify.report.report import Report
from mirrorstack.verify.report.summary import summary
from mirrorstack.verify.request import VerifyRequest
from mirrorstack.verify.verification import VerifyOptions, verify


def run_request(order: VerifyRequest) -> Report:
    settings = parse(order.settings, f"stack {order.stack}")
    directory = Path(order.directory)
    clusters = StackClusters(settings, order.stack, order.passwords)
    prepare(directory)
    asked = settings.comparison
    wishes, console = VerifyOptions(asked.wait_seconds), Console()
    memory = read_previous_run(directory, console)
    with session(asked.master or LOCAL_MASTER, asked.spark) as spark:
        report = verify(spark, settings, clusters, order.stack, wishes, console, memory)
    with defer_interrupts():
        write(report, directory)
    return report


def main() -> int:
    try:
        with exit_on_interrupt():
            report = run_request(VerifyRequest(**json.load(sys.stdin)))
    except UserError as problem:
        print(problem)
        return 2
    print(summary(report))
    return report.verdict.exit_status


if __name__ == "__main__":
    sys.exit(main())
