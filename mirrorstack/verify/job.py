"""Verification in a process of its own: `python -m mirrorstack.verify.job`, the request on stdin.

A Pulumi provider starts it, so that Spark's JVM exits with the process and its output is not mixed
with the result. Passwords come through stdin, so that no process list shows them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from mirrorstack.config.settings import parse
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import connections_from_json
from mirrorstack.verify.interrupts import defer_interrupts, exit_on_interrupt
from mirrorstack.verify.reading.session import LOCAL_MASTER, session
from mirrorstack.verify.report.files import prepare, read_previous_run, write
from mirrorstack.verify.report.report import Report
from mirrorstack.verify.report.summary import summary
from mirrorstack.verify.request import VerifyRequest
from mirrorstack.verify.verification import VerifyOptions, verify


def run_request(request: VerifyRequest) -> Report:
    settings = parse(request.settings, f"stack {request.stack}")
    directory = Path(request.directory)
    clusters = StackClusters(settings, connections_from_json(request.connections))
    prepare(directory)
    comparison, console = settings.comparison, Console()
    options = VerifyOptions(comparison.wait_seconds)
    previous = read_previous_run(directory, console)
    with session(comparison.master or LOCAL_MASTER, comparison.spark) as spark:
        report = verify(spark, settings, clusters, request.stack, options, console, previous)
    with defer_interrupts():
        write(report, directory)
    return report


def main() -> int:
    try:
        with exit_on_interrupt():
            report = run_request(VerifyRequest(**json.load(sys.stdin)))
    except UserError as error:
        print(error)
        return 2
    print(summary(report))
    return report.verdict.exit_status


if __name__ == "__main__":
    sys.exit(main())
