"""What MirrorMaker itself passes over without a word, when it really runs into it, is told."""

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
from mirrorstack.runtimes.local import credentials_file
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.verify.history.silent_loss import LossCause
from mirrorstack.verify.report.report import Report, Verdict, Weight
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
from tests.integration.verifying import quick_session, verified

pytestmark = pytest.mark.slow

TRIMMED, AGAIN = "loss-trimmed", "loss-made-again"
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
        """Until a record that is written now has arrived."""
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


def test_retention_that_passes_a_mirror_is_found_and_counted(mirror: Mirror) -> None:
    before = mirror.verified()
    mirror.stop()
    write(mirror.east, TRIMMED, 200)
    asked = admin(*mirror.east).delete_records([TopicPartition(TRIMMED, 0, 450)])
    for each in asked.values():
        each.result(15)
    mirror.go_on(TRIMMED)

    report = mirror.verified()

    assert before.verdict is Verdict.EQUAL, before.flows[0].remarks
    assert report.verdict is Verdict.DIFFERENT
    (alarm,) = report.flows[0].alarms
    assert (alarm.topic, alarm.loss) == (TRIMMED, LossCause.RETENTION)
    # The mark of a transaction takes an offset on the target, and cannot be told from a record.
    assert re.search(r"at least 1(49|50) records between", alarm.sentence), alarm.sentence


def test_a_topic_that_was_made_again_is_found(mirror: Mirror) -> None:
    mirror.stop()
    make_again(mirror.east, AGAIN, partitions=1)
    write(mirror.east, AGAIN, 20)
    mirror.go_on(AGAIN)

    report = mirror.verified()

    failures = [r.sentence for r in report.flows[0].remarks if r.weight is Weight.FAILURE]
    assert any(AGAIN in sentence and LossCause.MADE_AGAIN in sentence for sentence in failures), (
        failures
    )
