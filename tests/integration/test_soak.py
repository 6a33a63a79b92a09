"""Nothing is reported that is not so: under exactly-once every round ends equal, whatever befalls.

`make soak` makes fifty rounds; SOAK_ROUNDS and SOAK_SEED choose others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mirrorstack.config.settings import parse
from mirrorstack.console import Console
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import stack_connections
from mirrorstack.sandbox.connection import connection
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.verify.report.codes import Verdict
from mirrorstack.verify.report.files import read_previous_run, write
from mirrorstack.verify.report.report import Report
from mirrorstack.verify.report.summary import summary
from mirrorstack.verify.verification import VerifyOptions, verify
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import deployed
from tests.integration.soak_rounds import SETTINGS, TOPICS, Soak, make_topics
from tests.integration.verification_runs import topic
from tests.spark_sessions import quick_session

ROUNDS, SEED = int(os.environ.get("SOAK_ROUNDS", "3")), os.environ.get("SOAK_SEED", "1")


@dataclass(frozen=True)
class Mirror:
    soak: Soak
    spark: SparkSession
    reports: Path

    def verify(self, *, full: bool) -> Report:
        settings = parse(SETTINGS, "the test")
        report = verify(
            self.spark,
            settings,
            StackClusters(settings, stack_connections(settings, sandbox=connection)),
            "dev",
            VerifyOptions(wait_seconds=120),
            Console(),
            read_previous_run(self.reports, Console(), full=full),
        )
        write(report, self.reports)
        return report


@pytest.fixture(scope="module")
def mirror(
    tmp_path_factory: pytest.TempPathFactory,
    home: Path,
    sandbox: Sandbox,
    runtime: KafkaInstallation,
) -> Iterator[Mirror]:
    make_topics(sandbox)
    place = tmp_path_factory.mktemp("soak")
    with quick_session() as spark, deployed(place, home, SETTINGS) as (workers, rest_url):
        soak = Soak(sandbox, runtime, workers, rest_url)
        yield Mirror(soak, spark, tmp_path_factory.mktemp("reports"))


@pytest.mark.parametrize("number", range(1, ROUNDS + 1))
def test_every_round_ends_equal(mirror: Mirror, number: int) -> None:
    befell = mirror.soak.round(f"{SEED}, {number}")
    eventually(mirror.soak.has_translated, "the group's place is known on the target", within=60)

    # Alternately only new records and everything: both must be equal.
    report = mirror.verify(full=number % 2 == 0)

    assert report.verdict is Verdict.EQUAL, f"{befell}:\n{summary(report)}"
    assert not report.flows[0].findings, f"{befell}:\n{summary(report)}"
    held = [
        sum(p.proven_before + p.source_records for p in topic(report, name).partitions)
        for name in TOPICS
    ]
    assert min(held) > 50, "there was something to compare"
