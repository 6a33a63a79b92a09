"""Verifications of topics that tests have replicated by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.console import Console
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import stack_connections
from mirrorstack.sandbox.connection import connection
from mirrorstack.verify.report.files import PreviousRun
from mirrorstack.verify.report.report import Report, TopicReport
from mirrorstack.verify.verification import VerifyOptions, verify

THERE = "there"


def settings(source: str, *topics: str, **more: Any) -> StackSettings:
    """A flow from the sandbox's east to its west, with aliases of the test."""
    flow = {"from": source, "to": THERE, "topics": list(topics), "exactly-once": False, **more}
    clusters = {
        source: {"sandbox": "shared", "cluster": "east"},
        THERE: {"sandbox": "shared", "cluster": "west"},
    }
    return parse({"clusters": clusters, "flows": [flow]}, "the test")


def verified(
    spark: SparkSession,
    home: Path,
    declared: StackSettings,
    previous: PreviousRun | None = None,
    **options: Any,
) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIRRORSTACK_HOME", str(home))
        clusters = StackClusters(declared, stack_connections(declared, sandbox=connection))
        chosen = VerifyOptions(wait_seconds=3, **options)
        return verify(spark, declared, clusters, "dev", chosen, Console(), previous)


def topic(report: Report, name: str) -> TopicReport:
    return next(each for flow in report.flows for each in flow.topics if each.topic == name)


def codes(report: Report, topic: str | None) -> list[str]:
    """Of the findings about a topic; None: about the flow."""
    return [each.rule for each in report.flows[0].findings if each.topic == topic]
