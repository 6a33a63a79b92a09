"""Losses that MirrorMaker does not report, caused for real, are detected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from confluent_kafka import TopicPartition
from pyspark.sql import SparkSession

from mirrorstack.config.settings import parse
from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.runtimes.local_worker import credentials_file
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.verify.history.silent_loss import LossCause
from mirrorstack.verify.report.codes import Verdict, VerifyCode
from mirrorstack.verify.report.report import Report
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import (
    Place,
    admin,
    deployed,
    ends,
    fill,
    flow,
    make_again,
    stack,
    write,
)
from tests.integration.verification_runs import verified
from tests.spark_sessions import quick_session

pytestmark = pytest.mark.slow

TRIMMED, AGAIN = "loss-trimmed", "loss-recreated"
SETTINGS = stack(
    flow(TRIMMED, AGAIN),
    sandbox="shared",
    workers={"west": {"group": "losing"}},
    **{"delete-topics": True},
)
CONNECTOR = "east-to-west-source"


@dataclass(frozen=True)
class Mirror:
    east: Place
    west: Place
    connect: ConnectClient
    spark: SparkSession
    home: Path

    def stop(self) -> None:
        self.connect.set_state(CONNECTOR, ConnectorState.STOPPED)
        eventually(lambda: not self.connect.tasks(CONNECTOR), "its tasks are gone")

    def go_on(self, topic: str) -> None:
        """Waits until a record that is written now has arrived."""
        before = ends(admin(*self.west), [f"east.{topic}"])
        self.connect.set_state(CONNECTOR, ConnectorState.RUNNING)
        write(self.east, topic)
        eventually(
            lambda: ends(admin(*self.west), [f"east.{topic}"]) != before, "records move", within=60
        )

    def verified(self) -> Report:
        return verified(self.spark, self.home, parse(SETTINGS, "the test"))


@pytest.fixture(scope="module")
def mirror(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox, home: Path
) -> Iterator[Mirror]:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    for topic in (TRIMMED, AGAIN):
        fill(east, topic, records=300, partitions=1)
    place = tmp_path_factory.mktemp("loss")
    with quick_session() as spark, deployed(place, home, SETTINGS) as (workers, rest_url):
        connect = ConnectClient(rest_url, credentials.load(credentials_file(workers)))
        yield Mirror(east, west, connect, spark, home)


def test_retention_that_overtakes_replication_is_detected_and_counted(mirror: Mirror) -> None:
    before = mirror.verified()
    mirror.stop()
    write(mirror.east, TRIMMED, 200)
    asked = admin(*mirror.east).delete_records([TopicPartition(TRIMMED, 0, 450)])
    for each in asked.values():
        each.result(15)
    mirror.go_on(TRIMMED)

    report = mirror.verified()

    assert before.verdict is Verdict.EQUAL, before.flows[0].findings
    assert report.verdict is Verdict.DIFFERENT
    (loss,) = report.flows[0].silent_losses
    assert (loss.topic, loss.cause) == (TRIMMED, LossCause.RETENTION)
    # A transaction marker takes an offset on the target and cannot be distinguished from a record.
    assert re.search(r"at least 1(49|50) records between", loss.message), loss.message


def test_a_recreated_topic_is_detected(mirror: Mirror) -> None:
    mirror.stop()
    make_again(mirror.east, AGAIN, partitions=1)
    write(mirror.east, AGAIN, 20)
    mirror.go_on(AGAIN)

    report = mirror.verified()

    found = {(each.topic, each.rule) for each in report.flows[0].findings}
    assert (AGAIN, VerifyCode.TOPIC_RECREATED) in found
