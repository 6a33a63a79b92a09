"""A real Spark cluster of a master and two workers: the same result, and no password in its
logs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.verify.compare.differences import DifferenceKind
from mirrorstack.verify.reading.session import session
from mirrorstack.verify.report.codes import Verdict
from mirrorstack.verify.report.report import Report, TopicReport
from tests.integration.record_copier import Copier, dropped, plain, swapped
from tests.integration.verification_runs import settings, topic, verified
from tests.spark_cluster import SparkCluster, spark_cluster
from tests.spark_sessions import quick_session

HERE = "spread"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    with spark_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


def test_a_cluster_has_the_same_result_and_logs_no_password(
    cluster: SparkCluster, sandbox: Sandbox, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")  # all of this cluster is on this machine
    copier = Copier(sandbox, HERE)
    copier.copy("spread.equal", records=plain(400, 4), partitions=(4, 4))
    copier.copy("spread.dropped", dropped)
    copier.copy("spread.swapped", swapped)
    declared = settings(HERE, r"spread\..*")

    with session(cluster.url, {"spark.executor.memory": "512m"}) as spark:
        spread = verified(spark, home, declared)
        executors = cluster.executors()
        commands = " ".join(word for each in executors for word in each.cmdline())
    with quick_session() as spark:
        here = verified(spark, home, declared)

    assert len(executors) == 2, "both workers have taken part"
    assert spread.verdict is Verdict.DIFFERENT
    assert topic(spread, "spread.dropped").partitions[0].counts == {DifferenceKind.MISSING: 1}
    assert _found(spread) == _found(here)
    shown = commands + cluster.said()
    assert "CoarseGrainedExecutorBackend" in shown, "what is searched must be the real thing"
    for place in (Cluster.EAST, Cluster.WEST):
        assert sandbox.connection(place, Principal.ADMIN).password not in shown


def _found(report: Report) -> list[TopicReport]:
    return [replace(each) for each in report.flows[0].topics]
