"""Verifications of topics that tests have copied by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.console import Console
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.verify.reading.session import session
from mirrorstack.verify.report.report import Report, TopicReport
from mirrorstack.verify.verification import PreviousRun, VerifyOptions, verify

THERE = "there"


@contextmanager
def quick_session(**more: str) -> Iterator[SparkSession]:
    """For little data: Java need not get fast before it gets going."""
    quick = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
    with session(more=quick | more) as opened:
        yield opened


def settings(source: str, *topics: str, **more: Any) -> StackSettings:
    """A flow from the sandbox's east to its west, under aliases of the test's own."""
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
    memory: PreviousRun | None = None,
    **wishes: Any,
) -> Report:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIRRORSTACK_HOME", str(home))
        clusters = StackClusters(declared, "dev")
        wanted = VerifyOptions(wait_seconds=3, **wishes)
        return verify(spark, declared, clusters, "dev", wanted, Console(), memory)


def topic(report: Report, name: str) -> TopicReport:
    return next(each for flow in report.flows for each in flow.topics if each.topic == name)
